import type { RunOutcome } from "../agent/types.ts";
import { isUnfinished, unfinishedReply } from "../agent/unfinishedRun.ts";
import { LEAD_NAME, PERSON_NAME } from "../protocol/names.ts";
import type { PendingRequest } from "../protocol/request.ts";
import type { Task } from "../protocol/task.ts";
import { inProgressOf } from "../protocol/taskGraph.ts";
import { displayNameOf } from "../protocol/team.ts";
import { type RecordOf, SHUTDOWN_AGREED, type TranscriptRecord, textOf } from "../protocol/transcript.ts";
import type { Backend } from "./backends/backend.ts";
import { taskInput } from "./claim.ts";
import type { RunningMember, SessionContext } from "./context.ts";
import { notifyIdle } from "./idle.ts";
import { Member } from "./member.ts";
import { resolveModel } from "./models.ts";
import { type MemberPast, type SessionPast, usageOf } from "./past.ts";
import { restState } from "./restState.ts";
import { newRunning } from "./spawn.ts";
import { spawnMode } from "./spawnMode.ts";
import { removeTeammate } from "./teamLife.ts";
import type { SessionOptions } from "./types.ts";

/** How a session goes on. */
export interface ResumePorts {
  backend: Backend;
  open(folder: string, displayName: string): Promise<void>;
  joined(running: RunningMember): void;
}

/**
 * Takes a session up that another process led: the lease, the team's files, mail that was written down and not sent,
 * every teammate with its transcript, requests that wait. Throws `lead_elsewhere` while that process lives; then nothing
 * has changed.
 */
export async function resumeSession(context: SessionContext, past: SessionPast, ports: ResumePorts): Promise<void> {
  const { store } = context.options;
  await ports.open(past.team, past.displayName);
  for (const name of [LEAD_NAME, PERSON_NAME, ...past.teammates.map(({ entry }) => entry.name)])
    await store.inboxes.replayOutbox(past.team, name);
  const members = past.teammates.map((one) => ({ past: one, running: resumedMember(context, one, past.team) }));
  const asksAgain = [context.lead, ...members.map(({ running }) => running)];
  for (const request of context.reopened.left) {
    if (asksAgain.some((running) => waitsFor(running, request))) continue;
    context.reopened.drop(request.id);
    await context.requests.withdraw(request);
  }
  for (const { past: one, running } of members) await resumeTeammate(context, one, running, ports);
}

/** A lead with its past, before its team is open. */
export function resumedLead(options: SessionOptions, past: SessionPast): Member {
  return memberOf(options, past.lead);
}

/** Gives a member what its transcript and presence tell: usage, mode, state, what it was doing. */
export function takeUpPast(running: RunningMember, past: MemberPast): void {
  const { member } = running;
  running.transcript.push(...past.transcript);
  running.planFile = past.presence?.planFile ?? null;
  running.modeBeforePlan = past.presence?.modeBeforePlan ?? null;
  running.plansSubmitted = past.plansSubmitted;
  for (const id of past.shutdownRequests) running.shutdownRequests.add(id);
  member.addUsage(usageOf(past.transcript));
  if (isUnfinished(past.transcript)) {
    running.takesUp = [];
    return;
  }
  const end = lastEnd(past.transcript);
  if (!end) return; // its prompt waits in its inbox
  const { state, reason } = restState(outcomeOf(end));
  member.setState(state, reason);
  running.claims &&= state === "idle" && reason === null;
}

function resumedMember(context: SessionContext, past: MemberPast, team: string): RunningMember {
  const member = memberOf(context.options, past);
  const running = newRunning(member, { team, agent: past.entry.name }, context.model);
  takeUpPast(running, past);
  return running;
}

function memberOf({ settings, clock }: SessionOptions, { entry, presence }: MemberPast): Member {
  const mode = spawnMode(entry.mode) ?? presence?.mode ?? (entry.planModeRequired ? "plan" : "default");
  const member = new Member(
    {
      name: entry.name,
      displayName: displayNameOf(entry),
      agentType: entry.agentType ?? "",
      model: resolveModel(entry.model ?? settings.model, settings.models).id,
      color: entry.color ?? null,
      backend: "in-process",
      mode,
      planModeRequired: entry.planModeRequired ?? false,
      modeIsFixed: false,
      incarnation: entry.muster?.incarnation ?? "",
    },
    clock,
  );
  // where it is not known who chose plan mode, leaving it takes a decision
  member.permission = { mode, fixed: presence?.mode === mode ? (presence.fixed ?? true) : mode === "plan" };
  return member;
}

async function resumeTeammate(
  context: SessionContext,
  past: MemberPast,
  running: RunningMember,
  ports: ResumePorts,
): Promise<void> {
  ports.joined(running);
  const end = lastEnd(past.transcript);
  if (end?.reason === SHUTDOWN_AGREED) return removeTeammate(context, running, { kind: "shutdown" });
  if (end && past.owesIdle) await notifyIdle(context, running, outcomeOf(end), lastRun(past.transcript));
  const task = end && unheardTask(context, running);
  if (task) running.takesUp = [taskInput(task, "This task is yours and in progress: go on with it.")];
  await ports.backend.start(running);
}

/** A task that the member claimed in the moment its process ended: its model was never told. */
function unheardTask({ team }: SessionContext, { member, transcript }: RunningMember): Task | undefined {
  const task = team && inProgressOf(member.name, team.watch.snapshot.graph);
  if (!task) return undefined;
  const named = new RegExp(`#${task.id}\\b`);
  const heard = transcript.some((record) =>
    record.kind === "input"
      ? named.test(textOf(record.content))
      : record.kind === "reply" &&
        record.content.some((block) => block.type === "tool_use" && block.input["taskId"] === task.id),
  );
  return heard ? undefined : task;
}

/** Whether a member's last reply still holds the call that asked. */
function waitsFor({ member, transcript }: RunningMember, request: PendingRequest): boolean {
  if (member.name !== request.from) return false;
  const open = unfinishedReply(transcript);
  if (request.kind === "permission") return open?.waiting.some(({ id }) => id === request.toolUseId) ?? false;
  return open?.started.some(({ name }) => name === "ExitPlanMode") ?? false;
}

function lastEnd(transcript: readonly TranscriptRecord[]): RecordOf<"run_end"> | undefined {
  const last = transcript.at(-1);
  return last?.kind === "run_end" ? last : undefined;
}

/** The records of the last run that ended. */
function lastRun(transcript: readonly TranscriptRecord[]): TranscriptRecord[] {
  const before = transcript.slice(0, -1).findLastIndex(({ kind }) => kind === "run_end");
  return transcript.slice(before + 1);
}

function outcomeOf({ outcome, reason = "" }: RecordOf<"run_end">): RunOutcome {
  switch (outcome) {
    case "completed":
    case "aborted":
      return { kind: outcome };
    case "ended":
      return { kind: "ended", by: "limit", reason };
    case "failed":
      return { kind: "failed", failure: { reason: "api_refused", message: reason, retryable: false } };
  }
}
