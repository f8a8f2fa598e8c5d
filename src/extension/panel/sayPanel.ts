import type { ActivityEvent } from "../../protocol/activity.ts";
import type {
  AttentionItem,
  ConversationItem,
  MemberRow,
  PanelState,
  Thread,
  ThreadMessage,
} from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import { STOP_REASONS } from "../../protocol/stopReasons.ts";
import { leftOut } from "../../team/views/leftOut.ts";
import type { Say } from "../displayLanguage.ts";

/**
 * A message with our own sentences in the display language. What members and the person wrote, commands and files stay
 * as they are.
 */
export function sayMessage(message: HostMessage, say: Say): HostMessage {
  switch (message.type) {
    case "state":
      return { ...message, state: sayState(message.state, say) };
    case "threads":
      return { ...message, threads: message.threads.map((thread) => sayThread(thread, say)) };
    case "threadRows":
      return { ...message, rows: message.rows.map((thread) => sayThread(thread, say)) };
    case "threadPart":
      return { ...message, messages: sayMessages(message.messages, say) };
    case "conversation":
      return { ...message, items: message.items.map(({ seq, item }) => ({ seq, item: sayItem(item, say) })) };
    case "activity":
      return { ...message, rows: message.rows.map((row) => ({ ...row, event: sayEvent(row.event, say) })) };
    case "ruleCheck":
      return {
        ...message,
        fault: message.fault === null ? null : say(message.fault),
        warnings: message.warnings.map(say),
      };
    case "done":
      return message.error === null ? message : { ...message, error: say(message.error) };
    default:
      return message;
  }
}

/** The state of the panel with our own sentences in the display language, for everything that shows it. */
export function sayState<State extends PanelState>(state: State, say: Say): State {
  if (state.screen !== "team") return state;
  const { readOnly, attention, members, budgetNote } = state;
  return {
    ...state,
    ...(budgetNote === undefined ? {} : { budgetNote: say(budgetNote) }),
    readOnly: readOnly === null ? null : say(readOnly),
    attention: attention.map((item) => sayAttention(item, say)),
    members: members.map((member): MemberRow => ({ ...member, detail: say(member.detail) })),
  };
}

/** A row of *Needs you* with our own sentences in the display language. */
export function sayAttention(item: AttentionItem, say: Say): AttentionItem {
  const title = say(item.title);
  if (item.kind === "answer" && item.failure) return { ...item, title, text: say(item.text) };
  if (item.kind !== "permission") return { ...item, title };
  const own = new Set(item.changeable); // rules stay as they are written, what else would be kept is our own sentence
  const rules = item.rules.map((rule) => (own.has(rule) ? rule : say(rule)));
  return { ...item, title, reason: say(item.reason), warnings: item.warnings.map(say), rules };
}

function sayThread(thread: Thread, say: Say): Thread {
  return { ...thread, messages: sayMessages(thread.messages, say) };
}

function sayMessages(messages: readonly ThreadMessage[], say: Say): ThreadMessage[] {
  return messages.map((message) => ({
    ...message,
    text: message.json === null ? sayEnd(message.text, say) : say(message.text),
    json: message.json === null ? null : sayEnd(message.json, say),
  }));
}

/** A text of a member with what we say below it of the part that is left out. */
function sayEnd(text: string, say: Say): string {
  const end = text.search(/\n… \d+ characters? more$/);
  return end < 0 ? text : text.slice(0, end) + say(text.slice(end));
}

function sayItem(item: ConversationItem, say: Say): ConversationItem {
  if (item.type === "note" || (item.type === "input" && item.ours)) return { ...item, text: say(item.text) };
  if (item.type !== "tool" || item.cut === undefined) return item;
  const line = leftOut(item.cut);
  return { ...item, detail: item.detail.replace(`\n${line}\n`, () => `\n${say(line)}\n`) };
}

/** Titles of requests are ours, but for a plan's; a reason is ours where nobody was there to write it. */
function sayEvent(event: ActivityEvent, say: Say): ActivityEvent {
  switch (event.what) {
    case "wrote":
      return event.ours ? { ...event, text: say(event.text) } : event;
    case "asked":
      return event.request === "plan" ? event : { ...event, title: say(event.title) };
    case "withdrew":
      return event.plan ? event : { ...event, title: say(event.title) };
    case "decided": {
      const title = event.how === "approve" || event.how === "reject" ? event.title : say(event.title);
      return { ...event, title, reason: event.by === "person" ? event.reason : sayReason(event.reason, say) };
    }
    case "failed":
    case "left":
      return { ...event, reason: sayReason(event.reason, say) };
    case "asksStop":
      return STOPS.has(event.reason) ? { ...event, reason: sayReason(event.reason, say) } : event;
    default:
      return event;
  }
}

const STOPS: ReadonlySet<string | null> = new Set(Object.values(STOP_REASONS));

/** A reason may be a sentence whose full stop was taken away, to stand within another one. */
function sayReason(reason: string | null, say: Say): string | null {
  if (reason === null) return null;
  const said = say(reason);
  if (said !== reason || reason.endsWith(".")) return said;
  const whole = say(`${reason}.`);
  return whole === `${reason}.` ? reason : whole.replace(/[.。]$/, "");
}
