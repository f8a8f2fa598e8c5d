import { unfinishedReply } from "../../agent/unfinishedRun.ts";
import { errorMessage } from "../../base/errors.ts";
import { LEAD_NAME, PERSON_NAME } from "../../protocol/names.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import { attempt } from "../attempt.ts";
import type { Backend } from "../backends/backend.ts";
import type { RunningMember, SessionContext } from "../context.ts";
import { clearLiveText } from "../liveText.ts";
import { removeTeammate } from "../removeTeammate.ts";
import type { MemberPast, SessionPast } from "./past.ts";
import { catchUp, hasAgreedToStop, resumedTeammate } from "./resumedMember.ts";

/** How a session goes on. */
export interface ResumePorts {
  /** Where teammates run that ran where this host has no place for them. */
  backend: Backend;
  backends: readonly Backend[];
  open(folder: string, displayName: string): Promise<void>;
  joined(running: RunningMember): void;
}

/**
 * Takes a session up that another process led: the lease, the team's files, mail that was written down and not sent,
 * every teammate with its transcript, requests that wait. `begin`: all have joined, and the lead may run. Resolves when
 * every start is over; the team is not at rest before. Throws `lead_elsewhere` while that process lives; then nothing has
 * changed.
 */
export async function resumeSession(
  context: SessionContext,
  past: SessionPast,
  ports: ResumePorts,
  begin: () => void,
): Promise<void> {
  const { team, teammates } = past;
  if (team !== null) await openAgain(context, team, past, ports);
  const members = teammates.map((one) => {
    const backend = ports.backends.find(({ type }) => type === one.entry.backendType) ?? ports.backend;
    const here = { ...one, entry: { ...one.entry, backendType: backend.type } };
    return { past: one, backend, running: resumedTeammate(context, here, team ?? "") };
  });
  const asksAgain = [context.lead, ...members.map(({ running }) => running)];
  await withdraw(context, (request) => !asksAgain.some((running) => waitsFor(running, request)));
  for (const { running } of members) ports.joined(running);
  context.resuming = true;
  // side by side: one that does not come holds up nobody else
  const starts = members.map(({ past: one, running, backend }) =>
    hasAgreedToStop(one)
      ? removeTeammate(context, running, { kind: "shutdown" })
      : resumeTeammate(context, one, running, backend),
  );
  begin(); // what it writes to one that is being started waits in that one's inbox
  const failed = (await Promise.allSettled(starts)).find((start) => start.status === "rejected");
  context.resuming = false;
  context.changes.fire();
  if (failed) throw failed.reason;
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

/** Takes away requests of the past that nobody asks again. */
async function withdraw(
  { reopened, requests }: SessionContext,
  isOver: (request: PendingRequest) => boolean,
): Promise<void> {
  for (const request of reopened.left.filter(isOver)) {
    reopened.drop(request.id);
    await requests.withdraw(request);
  }
}

/** One that cannot be started again has failed: the others go on, and the lead is told. */
async function resumeTeammate(
  context: SessionContext,
  past: MemberPast,
  running: RunningMember,
  backend: Backend,
): Promise<void> {
  const { name } = running.member;
  try {
    await clearLiveText(context, name);
    await catchUp(context, running, past);
    if (past.entry.backendType !== backend.type) await movedTo(context, running, backend);
    await backend.start(running);
  } catch (error) {
    if (context.suspended) throw error;
    const reason = errorMessage(error);
    context.options.logger.warn(`${name} does not go on: ${reason}`);
    await attempt(context.options.logger, `Requests of ${name} were not taken back`, () =>
      withdraw(context, ({ from }) => from === name),
    );
    await removeTeammate(context, running, { kind: "crashed", reason });
  }
}

/** What config.json says of its place is true again: the pane or terminal that it names is gone. */
async function movedTo(
  { options, team }: SessionContext,
  { member, incarnation }: RunningMember,
  { type }: Backend,
): Promise<void> {
  const place = { backendType: type, tmuxPaneId: type };
  if (team) await options.store.teams.updateMember(team.folder, member.name, place, incarnation);
}

/** Whether a member's last reply still holds the call that asked. */
function waitsFor({ member, transcript }: RunningMember, request: PendingRequest): boolean {
  if (member.name !== request.from) return false;
  const open = unfinishedReply(transcript);
  if (request.kind === "permission") return open?.waiting.some(({ id }) => id === request.toolUseId) ?? false;
  return open?.started.some(({ name }) => name === "ExitPlanMode") ?? false;
}
