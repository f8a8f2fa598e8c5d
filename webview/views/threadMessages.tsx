import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { MessageKind } from "../../src/protocol/messageBody.ts";
import type { Delivery, MemberRef, Thread, ThreadMessage } from "../../src/protocol/panel.ts";
import { clock, nameOf } from "../format.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { type RowSource, useDrawnRows } from "../ui/drawnRows.ts";
import { Icon, IconButton, type IconName } from "../ui/icon.tsx";
import { Markdown, MESSAGE } from "../ui/markdown.tsx";
import type { ReadingPlace } from "../ui/readingPlace.ts";
import { END, pageOf } from "../ui/seenRows.ts";
import { VisibleText } from "../ui/visibleText.tsx";
import { Clock, Who } from "../ui/who.tsx";

/** Messages of one thread that are drawn before more are asked for. */
const STEP = 50;

interface MessagesProps {
  thread: Thread;
  place: ReadingPlace;
  /** No other thread is open. */
  alone: boolean;
}

/** The messages of a thread that is open. */
export function Messages({ thread, place, alone }: MessagesProps) {
  const model = useModel();
  const { view, post } = model;
  const { id, unsent = 0 } = thread;
  useEffect(() => {
    if (unsent > 0) post({ type: "openThread", thread: id });
  }, [post, id, unsent]);
  const rows = withIdleFolded(thread.messages);
  const list = useRef<HTMLUListElement>(null);
  const first = Math.max(STEP, rowsFrom(rows, view.inboxRow.peek()?.id));
  const holds = () => endsBelow(list.current);
  const drawn = useDrawnRows(list, rowsOf(rows), { step: STEP, first, holds, mayLeave: alone });
  const earlier = Math.min(STEP, drawn.from + (unsent === 0 ? thread.omitted : 0));
  const later = Math.min(STEP, rows.length - drawn.to);
  const showEarlier = () => {
    drawn.showEarlier();
    const oldest = thread.messages[0];
    if (drawn.from < STEP && thread.omitted > 0 && oldest)
      post({ type: "showEarlierMessages", thread: id, before: oldest.id });
  };
  const wanted = view.wantedMessage.value?.thread === id ? view.wantedMessage.value : null;
  useLayoutEffect(() => {
    if (!wanted) return;
    const at = rows.findIndex(({ message }) => message.id === wanted.id);
    if (at < 0) return; // it may be on its way
    if (at < drawn.from || at >= drawn.to) return drawn.include(at);
    view.wantedMessage.value = null;
    place.showRow(wanted.id);
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted.id)}"]`);
    if (row) row.tabIndex = -1;
    row?.focus({ preventScroll: true });
  });
  return (
    <ul class="msgs" data-thread={thread.id} ref={list}>
      {earlier > 0 && (
        <li>
          <button type="button" class="link" onClick={showEarlier}>
            {count("earlierMessages", earlier)}
          </button>
        </li>
      )}
      {rows.slice(drawn.from, drawn.to).map(({ message, notices, since }) => (
        <li key={message.id} data-row={message.id}>
          {message.kind === "message" ? (
            <TextMessage message={message} from={sender(thread, message)} />
          ) : (
            <ProtocolMessage message={message} text={told(thread, message)} notices={notices} since={since} />
          )}
          {message.cut && (message.kind === "message" || view.expansion.isOpen(jsonKey(message))) && (
            <button
              type="button"
              class="link msg-whole"
              onClick={() => post({ type: "openMessage", thread: id, message: message.id })}
            >
              {t("openMessage")}
            </button>
          )}
        </li>
      ))}
      {later > 0 && (
        <li>
          <button type="button" class="link" onClick={drawn.showLater}>
            {count("laterMessages", later)}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Whether the end of a list is farther down than what can be seen. */
function endsBelow(list: HTMLElement | null): boolean {
  const page = pageOf(list);
  return page !== null && page.list.getBoundingClientRect().bottom > page.bottom + END;
}

function rowsOf(rows: readonly MessageRow[]): RowSource {
  return {
    total: rows.length,
    keyAt: (index) => rows[index]?.message.id,
    indexOf: (key) => rows.findIndex(({ message }) => message.id === key),
  };
}

/** Names the JSON of a message among what can be open. */
function jsonKey({ id }: ThreadMessage): string {
  return `json:${id}`;
}

interface MessageRow {
  message: ThreadMessage;
  /** Number of idle notices in a row that this one stands for, and when the first came. */
  notices: number;
  since: number;
}

/** How many rows there are from the one of this message on; 0 where it is not among them. */
function rowsFrom(rows: readonly MessageRow[], id: string | undefined): number {
  const at = rows.findIndex(({ message }) => message.id === id);
  return at < 0 ? 0 : rows.length - at;
}

/** Idle notices of one member in a row are one line: the last. */
function withIdleFolded(messages: readonly ThreadMessage[]): MessageRow[] {
  const rows: MessageRow[] = [];
  for (const message of messages) {
    const last = rows.at(-1);
    const repeats =
      message.kind === "idle_notification" && last?.message.kind === message.kind && last.message.from === message.from;
    if (repeats) rows[rows.length - 1] = { message, notices: last.notices + 1, since: last.since };
    else rows.push({ message, notices: 1, since: message.at });
  }
  return rows;
}

function sender(thread: Thread, message: ThreadMessage): MemberRef {
  return message.from === thread.a.name ? thread.a : thread.b;
}

/** How each of them is marked. */
export const DELIVERY: Record<Delivery, IconName> = {
  queued: "clockface",
  delivered: "check",
  read: "check-all",
  dead: "circle-slash",
};

function Tail({ message }: { message: ThreadMessage }) {
  const { delivery } = message;
  return (
    <>
      <Clock at={message.at} class="msg-when" />
      <Icon
        name={DELIVERY[delivery]}
        label={t(`delivery.${delivery}`)}
        class={delivery === "dead" ? "msg-delivery msg-dead" : "msg-delivery"}
      />
    </>
  );
}

function TextMessage({ message, from }: { message: ThreadMessage; from: MemberRef }) {
  return (
    <article class="msg" aria-label={t("articleBy", nameOf(from), clock(message.at))}>
      <div class="msg-head">
        <Who member={from} />
        <Tail message={message} />
      </div>
      <Markdown text={message.text} style={MESSAGE} class="msg-text" />
    </article>
  );
}

const KIND_ICONS: Record<Exclude<MessageKind, "message">, IconName> = {
  idle_notification: "circle",
  task_assignment: "arrow-right",
  task_completed: "pass",
  shutdown_request: "stop-circle",
  shutdown_approved: "check",
  shutdown_rejected: "circle-slash",
  plan_approval_request: "checklist",
  plan_approval_response: "reply",
  permission_request: "tools",
  permission_response: "check",
  sandbox_permission_request: "tools",
  sandbox_permission_response: "check",
  mode_set_request: "edit",
  interrupt_request: "debug-stop",
  team_permission_update: "tools",
  teammate_terminated: "stop-circle",
  unknown: "json",
};

/** A protocol message as a sentence about its sender. */
export function told(thread: Thread, message: ThreadMessage): string {
  if (message.kind === "teammate_terminated") return message.text; // it names whom it is about
  return t("saidOf", nameOf(sender(thread, message)), message.text);
}

interface ProtocolProps {
  message: ThreadMessage;
  text: string;
  /** As in `MessageRow`. */
  notices: number;
  since: number;
}

function ProtocolMessage({ message, text, notices, since }: ProtocolProps) {
  const { view } = useModel();
  const key = jsonKey(message);
  const open = view.expansion.isOpen(key);
  const line = notices > 1 ? t("idleNotices", text, notices, clock(since)) : text;
  return (
    <div class="proto">
      <div class="proto-line">
        <Icon name={message.kind === "message" ? "mail" : KIND_ICONS[message.kind]} />
        <span class="proto-text">{line}</span>
        {message.json !== null && (
          <IconButton
            icon="json"
            label={t(open ? "hideJson" : "showJson")}
            pressed={open}
            class="proto-json-btn"
            onClick={() => view.expansion.set(key, !open)}
          />
        )}
        <Tail message={message} />
      </div>
      {open && message.json !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an unfolded block of code scrolls by keyboard
        <pre class="code-block" tabIndex={0}>
          <VisibleText text={message.json} />
        </pre>
      )}
    </div>
  );
}
