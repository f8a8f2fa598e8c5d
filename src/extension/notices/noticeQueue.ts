import type { Disposable } from "../../base/disposable.ts";
import type { TeamScreen } from "../../protocol/panel.ts";
import { createTeller, type Notice } from "./teller.ts";

/**
 * After how long a notification is looked at again, in ms. VS Code takes one that nobody closes off the screen after 10 s
 * in front of the person: it goes to the notification centre, and counts as open for as long as it is there.
 */
const LOOK_MS = 12_000;

/** What a queue of notices reaches. */
export interface NoticePorts {
  /** Shows a notification, and does what the person chooses of it. Settles when it is closed; never rejects. */
  show(notice: Notice): Promise<void>;
  /** Whether the person wants notifications now. */
  isWanted(): boolean;
  /** Whether the person looks at the window. */
  isInFront(): boolean;
}

/** Tells of a team's state. */
export interface NoticeQueue extends Disposable {
  /** The state has changed; null: no team is on show. */
  update(state: TeamScreen | null): void;
}

/**
 * Shows one notice at a time. What comes meanwhile is told together when it is closed, or no longer on the screen: some
 * time has passed, and the person looks at the window, or nothing waits that was told.
 */
export function createNoticeQueue(ports: NoticePorts): NoticeQueue {
  const teller = createTeller();
  let latest: TeamScreen | null = null;
  let open: { timer: NodeJS.Timeout } | null = null;
  const tell = () => {
    if (open) return;
    const notice = teller.next(latest, ports.isInFront());
    if (!notice || !ports.isWanted()) return;
    const told = new Set(latest?.attention.map(({ id }) => id));
    const stillSays = () => !ports.isInFront() && latest?.attention.some(({ id }) => told.has(id));
    const own = { timer: setInterval(() => stillSays() || end(), LOOK_MS) };
    const end = () => {
      if (open !== own) return;
      clearInterval(own.timer);
      open = null;
      tell();
    };
    open = own;
    void ports.show(notice).then(end);
  };
  return {
    update(state) {
      latest = state;
      tell();
    },
    dispose() {
      latest = null; // nothing is told any more
      if (open) clearInterval(open.timer);
    },
  };
}
