import type { RunOutcome } from "../../agent/types.ts";
import { isUnfinished } from "../../agent/unfinishedRun.ts";
import type { PermissionMode } from "../../protocol/mode.ts";
import type { Task } from "../../protocol/task.ts";
import { BACKENDS, displayNameOf } from "../../protocol/team.ts";
import { type RecordOf, SHUTDOWN_AGREED, type TranscriptRecord, textOf } from "../../protocol/transcript.ts";
import { taskInput } from "../claim.ts";
import type { MemberContext, RunningMember } from "../context.ts";
import { currentTask } from "../currentTask.ts";
import { notifyIdle } from "../idle.ts";
import { resolveModel } from "../limits/models.ts";
import { Member } from "../member.ts";
import { restState } from "../restState.ts";
import { newRunning } from "../spawn.ts";
import { spawnMode } from "../spawnMode.ts";
import type { SessionOptions } from "../types.ts";
import type { MemberPast } from "./past.ts";

/** A teammate with its past, ready to go on. `leadMode`: what it had taken over from its lead, where nothing tells its mode. */
export function resumedTeammate(
  context: MemberContext,
  past: MemberPast,
  team: string,
  leadMode: PermissionMode = "default",
): RunningMember {
  const member = memberOf(context.options, past, leadMode);
  const running = newRunning(member, { team, agent: past.entry.name }, context.modelOf(past.entry.name));
  takeUpPast(running, past);
  return running;
}

/** Gives a member what its transcript and presence tell: usage, mode, state, what it was doing. */
export function takeUpPast(running: RunningMember, past: MemberPast): void {
  const { member } = running;
  running.transcript.push(...past.transcript);
  running.planFile = past.presence?.planFile ?? null;
  running.modeBeforePlan = past.presence?.modeBeforePlan ?? null;
  running.plansSubmitted = past.plansSubmitted;
  for (const id of past.shutdownRequests) running.shutdownRequests.add(id);
  for (const record of past.transcript)
    if (record.kind === "reply" || record.kind === "summary") member.addUsage(record);
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

/** A member as its entry and its presence tell of it. What neither tells allows it nothing: no mode but *plan* is taken over. */
export function memberOf(
  { settings, clock }: SessionOptions,
  { entry, presence }: MemberPast,
  leadMode: PermissionMode = "default",
): Member {
  const plans = entry.planModeRequired || leadMode === "plan";
  const mode = spawnMode(entry.mode) ?? presence?.mode ?? (plans ? "plan" : "default");
  const member = new Member(
    {
      name: entry.name,
      displayName: displayNameOf(entry),
      agentType: entry.agentType ?? "",
      model: resolveModel(entry.model ?? settings.model, settings.models).id,
      color: entry.color ?? null,
      backend: BACKENDS.find((backend) => backend === entry.backendType) ?? "in-process",
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

/** Whether it had agreed to stop when its process ended. */
export function hasAgreedToStop({ transcript }: Pick<MemberPast, "transcript">): boolean {
  const end = lastEnd(transcript);
  return end?.outcome === "ended" && end.reason === SHUTDOWN_AGREED; // of one that failed the API chose the words
}

/** What its last process did not come to: the lead is told that it is idle, and a claimed task is put before its model. */
export async function catchUp(context: MemberContext, running: RunningMember, past: MemberPast): Promise<void> {
  const end = lastEnd(past.transcript);
  if (!end || hasAgreedToStop(past)) return;
  if (past.owesIdle) await notifyIdle(context, running, outcomeOf(end), lastRun(past.transcript));
  const task = unheardTask(context, running);
  if (task) running.takesUp = [taskInput(task, "This task is yours and in progress: go on with it.")];
}

/** A task that the member claimed in the moment its process ended: its model was never told. */
function unheardTask(context: MemberContext, { member, transcript }: RunningMember): Task | undefined {
  const task = currentTask(context, member.name);
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
