import type { AgentInput } from "../../agent/types.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import { isInternalTask } from "../../protocol/task.ts";
import { type TaskGraph, taskGraph } from "../../protocol/taskGraph.ts";
import { displayNameOf } from "../../protocol/team.ts";
import { awaitedWords } from "../atRest.ts";
import type { SessionContext } from "../context.ts";
import { type DigestReason, digestText, type KnownTasks, knownTasks } from "../mail/digestText.ts";
import { mailInputs } from "../mail/mailInputs.ts";
import type { Mail } from "../mail/mailroom.ts";
import { takeWords } from "../memberRun.ts";

/** What has come in for the lead since it was last told. */
export interface LeadNews {
  /** The person has spoken. */
  hasWords(): boolean;
  /** What wakes the lead while others may still work. */
  wakeReason(): "mail" | DigestReason | undefined;
  /** After a restart: the lead knows the tasks, but for those that unread idle notices tell of. */
  catchUp(): void;
  /** Everything that is new, if there is a reason to run at all; it counts as told. */
  take(atRest: boolean): AgentInput[] | undefined;
  /**
   * Nothing goes on, but a member waits for the words of a person who sits at its terminal: the host hears of whom, once
   * until there is news.
   */
  isAwaited(): boolean;
}

/** The news of a session's lead; it knows which tasks the lead was last told of. */
export function createLeadNews(context: SessionContext): LeadNews {
  let known: KnownTasks = new Map();
  let awaited: readonly string[] = [];

  function wakeReason(): "mail" | DigestReason | undefined {
    if (context.notices.some((notice) => notice.urgent) || idleMail(context).some(isUrgent)) return "urgent";
    if (allCompleted(graphOf(context), known)) return "all_completed";
    return mailOf(context).length > 0 ? "mail" : undefined;
  }

  return {
    hasWords: () => context.lead.words.length > 0 || mailOf(context).some((mail) => mail.authority === "person"),
    wakeReason,
    catchUp() {
      const news = new Set(idleMail(context).map(completedIn));
      known = new Map([...knownTasks(graphOf(context))].filter(([id]) => !news.has(id)));
    },
    take(atRest) {
      const mail = mailOf(context);
      const idle = idleMail(context);
      const rested = atRest && (idle.length > 0 || context.notices.length > 0);
      const reason = wakeReason() ?? (rested ? "at_rest" : undefined);
      const words = takeWords(context.lead);
      if (words.length === 0 && mail.length === 0 && reason === undefined) return undefined;
      awaited = [];
      const digest = reason === undefined || reason === "mail" ? [] : [digestInput(context, reason, idle, known)];
      known = knownTasks(graphOf(context));
      return [...words, ...mailInputs(mail), ...context.notices.splice(0).map(noticeInput), ...digest];
    },
    isAwaited() {
      const { awaitsWords } = context.options;
      if (!awaitsWords) return false;
      const before = String(awaited);
      awaited = awaitedWords(context);
      if (awaited.length > 0 && String(awaited) !== before) awaitsWords(awaited);
      return awaited.length > 0;
    },
  };
}

/** The digest of a moment. That a member is idle which has left by then is not told: its end is, and is newer. */
function digestInput(
  context: SessionContext,
  reason: DigestReason,
  idle: readonly Mail[],
  known: KnownTasks,
): AgentInput {
  const members = new Map(context.team?.watch.snapshot.config.members.map((member) => [member.name, member]));
  const called = (name: string) => {
    const shown = displayNameOf(members.get(name) ?? { name });
    return shown === name ? name : `${shown} (${name})`;
  };
  const still = idle.filter((mail) => members.has(mail.entry.from) || isUrgent(mail));
  const text = digestText(reason, still, graphOf(context), known, called);
  return { origin: "digest", content: [{ type: "text", text }], msgIds: idle.map((mail) => mail.id) };
}

function noticeInput({ text }: { text: string }): AgentInput {
  return { origin: "system", content: [{ type: "text", text }] };
}

/** A teammate completed the last open task since the lead was last told of the tasks; of a damaged one nobody knows. */
function allCompleted(graph: TaskGraph, known: KnownTasks): boolean {
  const tasks = [...graph.tasks.values()].filter((task) => !isInternalTask(task));
  const news = tasks.some((task) => task.owner && task.owner !== LEAD_NAME && known.get(task.id) !== "completed");
  return news && graph.damaged.size === 0 && tasks.every((task) => task.status === "completed");
}

function mailOf(context: SessionContext): readonly Mail[] {
  return context.lead.mailroom?.toDeliver ?? [];
}

function idleMail(context: SessionContext): readonly Mail[] {
  return context.lead.mailroom?.kept.filter((mail) => mail.content.kind === "idle_notification") ?? [];
}

function graphOf(context: SessionContext): TaskGraph {
  return context.team?.watch.snapshot.graph ?? taskGraph([]);
}

function completedIn(mail: Mail): string | undefined {
  return mail.content.kind === "idle_notification" ? mail.content.body.completedTaskId : undefined;
}

function isUrgent(mail: Mail): boolean {
  if (mail.content.kind !== "idle_notification") return false;
  const reason = mail.content.body.idleReason;
  return reason === "failed" || reason === "interrupted";
}
