import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MessageKind } from "../../src/protocol/messageBody.ts";
import type { Delivery, MemberRef, Thread, ThreadMessage } from "../../src/protocol/panel.ts";
import { clock, nameOf } from "../format.ts";
import { count, t } from "../l10n.ts";
import { type Model, showItem, useModel } from "../model.ts";
import type { WantedMessage } from "../state/viewState.ts";
import { Icon, IconButton, type IconName } from "../ui/icon.tsx";
import { Markdown, MESSAGE } from "../ui/markdown.tsx";
import { type ReadingPlace, useReadingPlace } from "../ui/readingPlace.ts";
import { moveFocus } from "../ui/roving.ts";
import { VisibleText } from "../ui/visibleText.tsx";
import { Clock, Who } from "../ui/who.tsx";

/** Messages of one thread that are drawn before more are asked for. */
const STEP = 50;

/** Who writes to whom: one row for each pair, newest first. */
export function Inboxes() {
  const { data } = useModel();
  const threads = data.threads.value;
  if (threads === null) return null;
  if (threads.length === 0) return <p class="quiet tab-empty">{t("noThreads")}</p>;
  return <Threads threads={threads} />;
}

function Threads({ threads }: { threads: readonly Thread[] }) {
  const list = useRef<HTMLUListElement>(null);
  const place = useReadingPlace(list);
  const model = useModel();
  const wanted = model.view.wantedMessage.value;
  useLayoutEffect(() => {
    if (wanted) model.view.expansion.set(`thread:${wanted.thread}`, true);
  }, [model, wanted]);
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setTimeout(() => giveUp(model, wanted), WANTED_MS);
    return () => clearTimeout(timer);
  }, [model, wanted]);
  return (
    <ul ref={list} class="thrs" onKeyDown={(event) => moveFocus(event, ".thr-head", "vertical")}>
      {threads.map((thread, index) => (
        <ThreadRow key={thread.id} thread={thread} first={index === 0} place={place} />
      ))}
    </ul>
  );
}

/** For so long a message that is wanted may be on its way, in milliseconds. */
const WANTED_MS = 1_500;

/** The message is not among those that there are: the conversation goes back farther. */
function giveUp(model: Model, { item }: WantedMessage): void {
  model.view.wantedMessage.value = null;
  showItem(model, item);
}

interface ThreadProps {
  thread: Thread;
  first: boolean;
  place: ReadingPlace;
}

function ThreadRow({ thread, first, place }: ThreadProps) {
  const { view } = useModel();
  const { a, b, messages, unread } = thread;
  const key = `thread:${thread.id}`;
  const open = view.expansion.isOpen(key);
  const last = messages.at(-1);
  const longer = nameOf(a).length > nameOf(b).length ? a : b;
  const toggle = () => {
    if (!open) place.openAtEnd(thread.id);
    view.expansion.set(key, !open);
  };
  return (
    <li class={open ? "thr thr-open" : "thr"}>
      <button
        type="button"
        class="thr-head"
        data-row={key}
        aria-expanded={open}
        tabIndex={first ? 0 : -1}
        onClick={toggle}
      >
        <span class="thr-pair">
          <Who member={a} class={longer === a ? "thr-long" : ""} />
          <Icon name="arrow-swap" />
          <Who member={b} class={longer === b ? "thr-long" : ""} />
        </span>
        <span class="thr-marks">
          {messages.some(({ delivery }) => delivery === "dead") && (
            <Icon name={DELIVERY.dead} label={t("delivery.dead")} class="msg-dead" />
          )}
          {unread > 0 && (
            <span class="badge badge-soft" role="img" aria-label={count("unread", unread)}>
              {unread}
            </span>
          )}
        </span>
        {last ? <Clock at={last.at} /> : <span />}
        <Icon name={open ? "chevron-up" : "chevron-down"} class="twistie" />
        {!open && last && (
          <span class="thr-last">{last.kind === "message" ? preview(last.text) : told(thread, last)}</span>
        )}
      </button>
      {open && <Messages thread={thread} place={place} />}
    </li>
  );
}

/** The first words of a message, without the marks of Markdown that would only be noise in a row. */
function preview(text: string): string {
  return text
    .slice(0, 300)
    .replace(/[`*_#>]+/g, "")
    .replace(/\s+/g, " ");
}

function Messages({ thread, place }: { thread: Thread; place: ReadingPlace }) {
  const model = useModel();
  const { view, post } = model;
  const { id, unsent = 0 } = thread;
  useEffect(() => {
    if (unsent > 0) post({ type: "openThread", thread: id });
  }, [post, id, unsent]);
  const rows = withIdleFolded(thread.messages);
  const [limit, setLimit] = useState(() => Math.max(STEP, rowsFrom(rows, view.inboxRow.peek()?.id)));
  const earlier = Math.max(0, rows.length - limit);
  const list = useRef<HTMLUListElement>(null);
  const wanted = view.wantedMessage.value?.thread === id ? view.wantedMessage.value : null;
  useLayoutEffect(() => {
    if (!wanted) return;
    const from = rowsFrom(rows, wanted.id);
    if (from > limit) return setLimit(from);
    if (from === 0) return; // it may be on its way
    view.wantedMessage.value = null;
    place.showRow(wanted.id);
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted.id)}"]`);
    if (row) row.tabIndex = -1;
    row?.focus({ preventScroll: true });
  });
  return (
    <ul class="msgs" data-thread={thread.id} ref={list}>
      {thread.omitted > 0 && earlier === 0 && unsent === 0 && <li class="quiet">{count("leftOut", thread.omitted)}</li>}
      {earlier > 0 && (
        <li>
          <button type="button" class="link" onClick={() => setLimit(limit + STEP)}>
            {count("earlierMessages", Math.min(STEP, earlier))}
          </button>
        </li>
      )}
      {rows.slice(earlier).map(({ message, notices, since }) => (
        <li key={message.id} data-row={message.id}>
          {message.kind === "message" ? (
            <TextMessage message={message} from={sender(thread, message)} />
          ) : (
            <ProtocolMessage message={message} text={told(thread, message)} notices={notices} since={since} />
          )}
        </li>
      ))}
    </ul>
  );
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

const DELIVERY: Record<Delivery, IconName> = {
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
function told(thread: Thread, message: ThreadMessage): string {
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
  const key = `json:${message.id}`;
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
