import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { type Logger, silentLogger } from "../../base/logger.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { PanelState, PanelTab } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import type { ShownTeam } from "../teams/shownTeam.ts";
import { createThrottle, type Throttle } from "../throttle.ts";
import { ActivityFeed } from "./activityFeed.ts";
import { ConversationFeed, FEED_INTERVAL_MS, sendUnfinished } from "./conversationFeed.ts";
import { type Changes, onlyChanges } from "./onlyChanges.ts";

/** What the webview shows, as it last said. */
export interface PanelView {
  tab: PanelTab;
  member: string | null;
}

/**
 * Sends the webview what it shows, and only that: the state always, tasks, threads and one conversation while their tab
 * is open; what did not change is not sent again.
 */
export class PanelFeed implements Disposable {
  readonly changes: Changes;
  private readonly fallback: () => PanelState;
  private readonly throttle: Throttle;
  readonly conversation: ConversationFeed;
  readonly activity: ActivityFeed;
  private team: { shown: ShownTeam; owned: DisposableStore } | null = null;
  /** What the webview shows; null while it is hidden or gone. */
  view: PanelView | null = null;

  /** `fallback`: what is shown while there is no team. `logger` is told what could not be read. */
  constructor(post: (message: HostMessage) => void, fallback: () => PanelState, logger: Logger = silentLogger) {
    this.changes = onlyChanges(post);
    this.activity = new ActivityFeed(post, logger);
    this.throttle = createThrottle(FEED_INTERVAL_MS, () => this.flush());
    this.conversation = new ConversationFeed({ post, flush: () => this.throttle.run() });
    this.fallback = fallback;
  }

  /** Shows another team, or none. */
  show(team: ShownTeam | null): void {
    if (team === (this.team?.shown ?? null)) return;
    this.team?.owned.dispose();
    this.team = team && { shown: team, owned: new DisposableStore() };
    if (this.team) {
      const { shown, owned } = this.team;
      owned.add(shown.onDidChange(() => this.changed()));
      owned.add(
        shown.onConversation(({ member, updates }) => this.conversation.add(member, updates) && this.changed()),
      );
      owned.add(shown.onStreaming(({ member }) => member === this.conversation.member && this.changed()));
    }
    this.startOver();
  }

  /** Sends all of it anew. `view`: what a new document shows, which has nothing yet and may follow one that was in sight. */
  startOver(view: PanelView | null = this.view): void {
    this.view = view;
    this.activity.show(null);
    this.changes.forgetAll();
    this.throttle.reset();
    void this.showConversation();
    this.changed();
  }

  /** The webview is there, or shows something else. Null: it is hidden or gone. */
  setView(view: PanelView | null): void {
    const before = this.view;
    if (!before || !view) {
      this.startOver(view);
      return;
    }
    this.view = view;
    if (shownMember(before) !== shownMember(view)) void this.showConversation();
    this.changed();
  }

  /** Something changed that the state depends on. */
  changed(): void {
    if (this.view) this.throttle.request();
  }

  dispose(): void {
    this.throttle.dispose();
    this.team?.owned.dispose();
    this.view = null;
  }

  private async showConversation(): Promise<void> {
    if (await this.conversation.show(this.team?.shown ?? null, shownMember(this.view))) this.throttle.run();
  }

  private flush(): void {
    const { view, changes } = this;
    const team = this.team?.shown;
    if (!view) return;
    changes.send({ type: "state", state: team ? team.state() : this.fallback() });
    if (!team) return;
    if (view.tab === "tasks") changes.send({ type: "tasks", tasks: team.tasks() });
    if (view.tab === "inboxes") changes.sendThreads(team);
    this.activity.show(view.tab === "activity" ? team : null);
    if (view.tab === "activity") void this.activity.update();
    const conversation = this.conversation.take();
    if (conversation) changes.always(conversation);
    if (conversation?.reset) changes.forgetMember(conversation.member);
    const found = this.conversation.found();
    if (found) changes.always(found);
    const { member } = this.conversation;
    if (member === null) return;
    sendUnfinished(changes, team, member);
  }
}

function shownMember(view: PanelView | null): string | null {
  return view?.tab === "conversation" ? (view.member ?? LEAD_NAME) : null;
}
