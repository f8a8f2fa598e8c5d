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
    return {
      past: one,
      backend,
      running: resumedTeammate(context, here, team ?? "", context.lead.member.permission.mode),
    };
  });
  const asksAgain = [context.lead, ...members.map(({ running }) => running)];
  await withdraw(context, (request) => !asksAgain.some((running) => waitsFor(running, request)));
  for (const { running } of members) ports.joined(running);
  context.resuming = true;
  const ready = await Promise.all(members.map((member) => makeReady(context, member)));
  await context.lead.mailroom?.check(); // what they came to before is news to it
  begin(); // what it writes to one that is being started waits in that one's inbox
  // side by side: one that does not come holds up nobody else
  const starts = members.flatMap((member, index) => (ready[index] ? startAgain(context, member) : []));
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

interface ResumedMember {
  past: MemberPast;
  running: RunningMember;
  backend: Backend;
}

/** What its last process did not come to. Whether it is to be started: not one that had agreed to stop, or has failed here. */
async function makeReady(context: SessionContext, { past, running, backend }: ResumedMember): Promise<boolean> {
  if (hasAgreedToStop(past)) {
    await removeTeammate(context, running, { kind: "shutdown" });
    return false;
  }
  try {
    await clearLiveText(context, running.member.name);
    await catchUp(context, running, past);
    if (past.entry.backendType !== backend.type) await movedTo(context, running, backend);
    return true;
  } catch (error) {
    await goesOnNoMore(context, running, error);
    return false;
  }
}

async function startAgain(context: SessionContext, { running, backend }: ResumedMember): Promise<void> {
  try {
    await backend.start(running);
  } catch (error) {
    await goesOnNoMore(context, running, error);
  }
}

/** One that cannot be started again has failed, unless it was ended meanwhile: the others go on, and the lead is told. */
async function goesOnNoMore(context: SessionContext, running: RunningMember, error: unknown): Promise<void> {
  if (context.suspended) throw error;
  const { name } = running.member;
  const reason = errorMessage(error);
  context.options.logger.warn(`${name} does not go on: ${reason}`);
  await attempt(context.options.logger, `Requests of ${name} were not taken back`, () =>
    withdraw(context, ({ from }) => from === name),
  );
  const isEnded = running.lifetime.signal.aborted;
  await removeTeammate(
    context,
    running,
    isEnded ? { kind: "ended", reason: "while it was started" } : { kind: "crashed", reason },
  );
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
