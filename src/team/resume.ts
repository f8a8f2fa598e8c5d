import { unfinishedReply } from "../agent/unfinishedRun.ts";
import { LEAD_NAME, PERSON_NAME } from "../protocol/names.ts";
import type { PendingRequest } from "../protocol/request.ts";
import type { Backend } from "./backends/backend.ts";
import type { RunningMember, SessionContext } from "./context.ts";
import type { MemberPast, SessionPast } from "./past.ts";
import { catchUp, hasAgreedToStop, resumedTeammate } from "./resumedMember.ts";
import { removeTeammate } from "./teamLife.ts";

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
  const { team, teammates } = past;
  if (team !== null) await openAgain(context, team, past, ports);
  const members = teammates.map((one) => ({ past: one, running: resumedTeammate(context, one, team ?? "") }));
  const asksAgain = [context.lead, ...members.map(({ running }) => running)];
  for (const request of context.reopened.left) {
    if (asksAgain.some((running) => waitsFor(running, request))) continue;
    context.reopened.drop(request.id);
    await context.requests.withdraw(request);
  }
  for (const { past: one, running } of members) await resumeTeammate(context, one, running, ports);
}

async function openAgain(
  { options }: SessionContext,
  team: string,
  { displayName, teammates }: SessionPast,
  ports: ResumePorts,
): Promise<void> {
  await ports.open(team, displayName);
  for (const name of [LEAD_NAME, PERSON_NAME, ...teammates.map(({ entry }) => entry.name)])
    await options.store.inboxes.replayOutbox(team, name);
}

async function resumeTeammate(
  context: SessionContext,
  past: MemberPast,
  running: RunningMember,
  ports: ResumePorts,
): Promise<void> {
  ports.joined(running);
  if (hasAgreedToStop(past)) return removeTeammate(context, running, { kind: "shutdown" });
  await catchUp(context, running, past);
  await ports.backend.start(running);
}

/** Whether a member's last reply still holds the call that asked. */
function waitsFor({ member, transcript }: RunningMember, request: PendingRequest): boolean {
  if (member.name !== request.from) return false;
  const open = unfinishedReply(transcript);
  if (request.kind === "permission") return open?.waiting.some(({ id }) => id === request.toolUseId) ?? false;
  return open?.started.some(({ name }) => name === "ExitPlanMode") ?? false;
}
