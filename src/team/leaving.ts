import { errorMessage, isMusterError } from "../base/errors.ts";
import { parseBody } from "../protocol/messageBody.ts";
import type { Task } from "../protocol/task.ts";
import type { SentMessage } from "../store/messageSender.ts";
import { attempt } from "./attempt.ts";
import { recordAudit } from "./audit.ts";
import type { Notice, RunningMember, SessionContext, TeamHandle } from "./context.ts";
import { oneLine } from "./views/toolArgument.ts";

/** How a member goes. */
export interface Departure {
  /** For everybody who follows the session. */
  reason: string;
  /** What it was to do, where it stays with nobody. */
  prompt?: SentMessage | undefined;
  /** What the lead is told once its tasks are free and nobody can write to it any more; null: nothing. */
  notice(left: LeftBehind): Notice | null;
  /** What the lead is told where that takes longer, and why it does; null: nothing. */
  delayed(fault: string): Notice | null;
}

/** What a member left to others. */
export interface LeftBehind {
  released: readonly Task[];
  /** What it did not come to read: `bob: "Summary"`, in order of arrival. */
  unread: readonly string[];
  /** The lead was told already that it is gone. */
  late: boolean;
}

type Step = "tasks" | "entry" | "presence" | "live" | "prompt";

/** A member that is gone, and what of it is still in the team's files. Until nothing is, nobody gets its name. */
export interface Leaving {
  readonly running: RunningMember;
  readonly team: TeamHandle;
  readonly departure: Departure;
  readonly left: Set<Step>;
  readonly released: Task[];
  /** Of its notices, those that the audit log does not hold. */
  readonly unrecorded: Notice[];
  told: "nothing" | "delay" | "all";
  /** It is no member any more, for this process as well. */
  isOut: boolean;
  fault: string;
  tries: number;
  /** A try that goes on now. */
  trying: Promise<void> | null;
}

/** So often a rest of the session waits for it, about a minute. */
const AWAITED_TRIES = 12;

/** Whether the team is not at rest because of it: its tasks are about to be free, or its end to be told. */
export function isAwaited({ told, tries }: Leaving): boolean {
  return told !== "all" && tries < AWAITED_TRIES;
}

/**
 * Takes a member that is gone out of the team: its tasks are released, nobody can write to it any more, and the lead is
 * told. What fails is tried again by `retryLeavings`; the member stays one until config.json has lost it. Never rejects.
 */
export async function leaveTeam(context: SessionContext, running: RunningMember, departure: Departure): Promise<void> {
  running.lifetime.abort();
  running.mailroom?.dispose();
  const { owner } = running;
  if (!context.team || !("team" in owner) || owner.team !== context.team.folder)
    return takeOut(context, running, departure); // its team is gone
  const leaving: Leaving = {
    ...{ running, departure, team: context.team },
    left: new Set<Step>(["tasks", "entry", "presence", "live", ...(departure.prompt ? (["prompt"] as const) : [])]),
    ...{ released: [], unrecorded: [], told: "nothing", isOut: false, fault: "", tries: 0, trying: null },
  };
  context.leaving.set(running.member.name, leaving);
  await tryOnce(context, leaving);
}

/** With every beat: tries again what could not be done yet. Never rejects. */
export async function retryLeavings(context: SessionContext): Promise<void> {
  await Promise.all([...context.leaving.values()].map((leaving) => leaving.trying ?? tryOnce(context, leaving)));
}

/** Before the team is given up: tries a last time. What stays then is logged. Never rejects. */
export async function finishLeavings(context: SessionContext): Promise<void> {
  await Promise.all([...context.leaving.values()].map(async ({ trying }) => trying));
  await retryLeavings(context);
  for (const leaving of context.leaving.values()) {
    const { running, departure, left, fault } = leaving;
    const { name } = running.member;
    const what = [...left].join(", ") || "notice";
    context.options.logger.error(`${name} has gone, and its ${what} could not be settled: ${fault}`);
    if (!leaving.isOut) takeOut(context, running, departure);
  }
  context.leaving.clear();
}

async function tryOnce(context: SessionContext, leaving: Leaving): Promise<void> {
  const { logger } = context.options;
  const { name } = leaving.running.member;
  leaving.trying = attempt(logger, `What ${name} left is not settled`, () => settle(context, leaving)).then(() => {});
  await leaving.trying;
  leaving.trying = null;
}

async function settle(context: SessionContext, leaving: Leaving): Promise<void> {
  const { running, team, departure, left } = leaving;
  const { name } = running.member;
  leaving.tries += 1;
  if (context.team === team) await leaveFiles(context, leaving);
  const isSettled = context.team !== team || left.size + leaving.unrecorded.length === 0; // or deleted: nobody is left to be told
  if (isSettled) context.leaving.delete(name);
  if (!leaving.isOut && (isSettled || !left.has("entry"))) {
    leaving.isOut = true;
    takeOut(context, running, departure);
  }
  if (!leaving.isOut) running.member.setState("stopping", leaving.fault);
  context.changes.fire();
}

/** It lives no more, for everybody in this session. */
function takeOut(context: SessionContext, running: RunningMember, { reason }: Departure): void {
  const { name, bills } = running.member;
  if (bills.length > 0) context.gone.push({ name, bills });
  if (context.teammates.get(name) === running) {
    context.teammates.delete(name);
    context.events.fire({ type: "member_left", member: name, reason });
  }
  context.changes.fire();
}

/** Until the lead's notice is there the member counts as one that is going: the team is not at rest before. */
async function leaveFiles(context: SessionContext, leaving: Leaving): Promise<void> {
  const { running, team, left } = leaving;
  const { folder, watch } = team;
  const { name, spec } = running.member;
  const { teams, tasks, presence, live, inboxes } = context.options.store;
  const step = (which: Step, job: () => Promise<unknown>) => takeStep(context, leaving, which, job);
  const release = async () => {
    for (const task of await tasks.releaseOwner(folder, name))
      if (leaving.released.every(({ id }) => id !== task.id)) leaving.released.push(task);
  };
  if (left.has("entry")) {
    await step("tasks", release);
    await step("entry", async () => {
      await teams.removeMember(folder, name, spec.incarnation);
      left.add("tasks"); // assigned in that moment: from here on nobody can
    });
  }
  if (!left.has("entry")) {
    await step("tasks", release);
    await step("presence", () => presence.remove(folder, name));
    await step("live", () => live.clear(folder, name));
    const { prompt } = leaving.departure;
    await step("prompt", async () => prompt && inboxes.takeBack(folder, context.lead.member.name, prompt));
  }
  await watch.refresh();
  if (context.team === team) await tellLead(context, leaving);
}

/** Each step by itself. Where the team's files are gone, nothing is left there. */
async function takeStep(
  { options, team }: SessionContext,
  leaving: Leaving,
  which: Step,
  job: () => Promise<unknown>,
): Promise<void> {
  if (!leaving.left.has(which) || team !== leaving.team) return;
  try {
    await job();
    leaving.left.delete(which);
  } catch (error) {
    if (isMusterError(error, "unknown_team")) leaving.left.delete(which);
    leaving.fault = errorMessage(error);
    const level = leaving.tries === 1 ? "warn" : "debug";
    options.logger[level](`${leaving.running.member.name} has gone, its ${which} stayed: ${leaving.fault}`);
  }
}

/** Kept in the audit log too, until the lead's transcript holds it: a restart must not lose it. */
async function tellLead(context: SessionContext, leaving: Leaving): Promise<void> {
  const { running, departure, left, unrecorded } = leaving;
  const { name } = running.member;
  const isSettled = !left.has("entry") && !left.has("tasks");
  let notice: Notice | null = null;
  if (isSettled && leaving.told !== "all") {
    const unread = await unreadBy(context, leaving);
    notice = departure.notice({ released: leaving.released, unread, late: leaving.told === "delay" });
    leaving.told = "all";
  } else if (!isSettled && leaving.told === "nothing") {
    leaving.told = "delay";
    notice = departure.delayed(leaving.fault);
  }
  if (notice) {
    context.notices.push(notice);
    unrecorded.push(notice);
  }
  while (unrecorded[0]) {
    const line = { event: "left", member: name, ...unrecorded[0] } as const;
    const kept = await attempt(context.options.logger, `That ${name} has gone is not in the audit log`, async () => {
      await recordAudit(context, line);
      return true;
    });
    if (!kept) return;
    unrecorded.shift();
  }
}

/**
 * What a member did not come to read. It is a member no more, so that nobody writes to it: who holds the inbox's lock
 * still, has looked before.
 */
async function unreadBy({ options }: SessionContext, { running, team, departure }: Leaving): Promise<string[]> {
  const { name } = running.member;
  const read = await attempt(options.logger, `What ${name} had not read cannot be told`, () =>
    options.store.inboxes.readLocked(team.folder, name),
  );
  const unread = (read?.entries ?? []).filter(
    (entry) =>
      !entry.read &&
      entry.from !== name &&
      entry.msg_id !== departure.prompt?.msgId &&
      parseBody(entry.text).kind === "message",
  );
  return unread.map(({ from, summary, text }) => `${from}: ${JSON.stringify(oneLine(summary || text, 80))}`);
}
