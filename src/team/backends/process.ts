import { stripVTControlCharacters } from "node:util";
import { AbortedError, raceAbort } from "../../base/abort.ts";
import { isoTime } from "../../base/clock.ts";
import { MusterError } from "../../base/errors.ts";
import { newUuid } from "../../protocol/ids.ts";
import { messageId } from "../../protocol/message.ts";
import { parseBody, requestIdOf } from "../../protocol/messageBody.ts";
import { inboxFileName, LEAD_NAME } from "../../protocol/names.ts";
import type { Presence } from "../../protocol/team.ts";
import { attempt } from "../attempt.ts";
import { authorityOf, type RunningMember, type SessionContext, teamOf } from "../context.ts";
import { createLeadKey, type LeadKey } from "../lead/leadSignature.ts";
import { memberFlags } from "../process/memberFlags.ts";
import { reasonLeft } from "../process/reasonLeft.ts";
import type { SpawnFile } from "../process/spawnFile.ts";
import { followRemote, takeUnfollowed } from "../remoteMember.ts";
import { untilEarlierEnds } from "../resume/earlierProcess.ts";
import { shutdownsAsked } from "../resume/past.ts";
import { waitUntil } from "../waitUntil.ts";
import { type Backend, type BackendHandle, type ExitReason, endedBefore } from "./backend.ts";
import type { ProcessStarter, StartedProcess } from "./processStarter.ts";
import type { TeammateProgram } from "./teammateProgram.ts";

/** How a host runs teammates as processes. */
export interface ProcessHost {
  starter: ProcessStarter;
  program: TeammateProgram;
  /** The key that its teammates use, and where the API is. */
  api(): Promise<{ apiKey: string | null; baseUrl: string | null }>;
}

/** What a host is asked with for the processes of a team: the state root, the project's folder, and the API. */
export interface ProcessNeeds extends Pick<ProcessHost, "api"> {
  root: string;
  project: string;
}

/** What the process backend needs of its host and of the session. */
export interface ProcessPorts extends ProcessHost {
  context(): SessionContext;
  /** Called once the teammate runs; the session keeps the handle. */
  started(running: RunningMember, handle: BackendHandle): void;
}

/** How long a teammate may take to say that it is ready, in ms. */
const READY_MS = 30_000;

/** Teammates as processes of their own. A start that fails leaves nothing: no process, no pane, no file. */
export function createProcessBackend(ports: ProcessPorts): Backend {
  return {
    type: ports.starter.type,
    async start(running) {
      const context = ports.context();
      await untilEarlierEnds(context, running);
      running.nonce = newUuid();
      let started: StartedProcess | undefined;
      let handle: BackendHandle;
      try {
        started = await launch(ports, running);
        if (ports.program.isOwn) await untilReady(context, running, started);
        handle = { ...handleOf(context, running, started), ...shownElsewhere(ports.starter, started) };
      } catch (error) {
        if (started) await endProcess(context, started);
        if (started && context.team) await takeUnfollowed(context, running);
        await forget(context, running);
        if (running.lifetime.signal.aborted && !context.suspended) throw endedBefore(running);
        throw error;
      }
      ports.started(running, handle);
      return handle;
    },
  };
}

async function launch(ports: ProcessPorts, running: RunningMember): Promise<StartedProcess> {
  const context = ports.context();
  requireLeading(context);
  void ports.starter.prepare?.();
  const { folder } = teamOf(context);
  const { store, clock, cwd } = context.options;
  const { name, spec } = running.member;
  const { program, starter } = ports;
  const key = program.isOwn || program.isSigned ? await createLeadKey(clock.now()) : null;
  if (key) context.keys.set(name, key);
  const muster = { spawnNonce: running.nonce };
  const [spawnFile] = await allWritten([
    program.isOwn ? writeSpawnFile(ports, running) : null,
    store.teams.updateMember(folder, name, { backendType: starter.type, muster }, running.incarnation),
    key && signAnew(context, running, key),
  ]);
  requireLeading(context);
  const flags = memberFlags(running.member, {
    team: folder,
    session: context.id,
    verifyKey: key?.flag ?? null,
    spawnFile,
  });
  const { displayName, color } = spec;
  const started = await starter.start(
    { team: folder, name, displayName, color, argv: [...program.argv, ...flags], env: program.env, cwd },
    running.lifetime.signal,
  );
  try {
    requireLeading(context);
    await store.teams.updateMember(folder, name, { tmuxPaneId: started.address }, running.incarnation);
  } catch (error) {
    await endProcess(context, started);
    throw error;
  }
  return started;
}

/** Files that do not need each other, side by side. Rejects as the first of them does, once none is being written any more. */
async function allWritten<T extends readonly unknown[]>(
  writes: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(writes);
  return Promise.all(writes);
}

/** Throws AbortedError where another process may lead the team by now: what this one writes of a start would be false. */
function requireLeading({ suspended }: SessionContext): void {
  if (suspended) throw new AbortedError();
}

/** Its place may not close, as in a tmux that hangs: that is logged, and holds up nothing. */
async function endProcess({ options }: SessionContext, started: StartedProcess): Promise<boolean> {
  const closed = await attempt(options.logger, `${started.address} was not closed`, async () => {
    await started.kill();
    return true;
  });
  return closed === true;
}

/** What the process is given beside its flags. Resolves to the file's path. */
async function writeSpawnFile({ api, context: contextOf }: ProcessPorts, running: RunningMember): Promise<string> {
  const context = contextOf();
  const { options, id, sessionRules, sessionDirectories } = context;
  const { cwd, home, env, settings, store } = options;
  const { folder } = teamOf(context);
  const content: SpawnFile = {
    member: { team: folder, name: running.member.name, incarnation: running.incarnation },
    nonce: running.nonce ?? "",
    ...(await raceAbort(api(), running.lifetime.signal)), // a window that lost its connection gives no key
    lead: { session: id, process: await store.processes.self(), askedToStop: [...running.shutdownRequests] },
    ...{ cwd, home, env, settings },
    sessionRules: [...sessionRules],
    sessionDirectories: [...sessionDirectories],
  };
  requireLeading(context);
  return store.spawns.write(folder, running.member.name, content);
}

/** The unread entries that this host wrote get a signature of the process's own key. */
async function signAnew(context: SessionContext, running: RunningMember, key: LeadKey): Promise<void> {
  const { store, clock } = context.options;
  const { name } = running.member;
  const signedAt = isoTime(clock.now());
  await store.inboxes.patchEntries(teamOf(context).folder, name, (entry) => {
    const authority = authorityOf(context, name, entry, messageId(entry));
    if (entry.read || entry.msg_id === undefined || (authority !== "lead" && authority !== "person")) return null;
    const setsMode = parseBody(entry.text).kind === "mode_set_request";
    if (setsMode && context.modesSet.get(name) !== entry.msg_id) return null; // the person has chosen another since
    const lead_sig = key.sign({ ...entry, msg_id: entry.msg_id });
    return { lead_sig, muster: { ...entry.muster, signedAt } };
  });
}

/** Waits until the process shows what it was given. Rejects with `not_ready` where it ends or says nothing. */
async function untilReady(context: SessionContext, running: RunningMember, started: StartedProcess): Promise<void> {
  const { name } = running.member;
  const requireNoReason = (presence: Presence | null | undefined) => {
    const reason = reasonLeft(presence, running.nonce);
    if (reason !== null) throw new MusterError("not_ready", `${name} was not started: ${reason}`);
  };
  const waiting = new AbortController();
  let isLate = false;
  const tooLate = () => {
    isLate = true;
    waiting.abort();
  };
  const stop = () => waiting.abort();
  const over = running.lifetime.signal;
  over.addEventListener("abort", stop, { once: true });
  if (over.aborted) stop();
  context.options.clock.sleep(READY_MS, waiting.signal).then(tooLate, () => {}); // it was ready, or has ended, before
  const ended = started.exited.then(async ({ reason }) => {
    requireNoReason(await readPresence(context, running));
    throw new MusterError("not_ready", `${name} was not started: its process ended at once (${reason}).`);
  });
  try {
    const ready = async () => {
      const presence = presenceOf(context, name);
      requireNoReason(presence);
      return presence?.nonce === running.nonce ? true : undefined;
    };
    await Promise.race([waitUntil(ready, [context.changes.event], waiting.signal), ended]);
  } catch (error) {
    if (!isLate) throw error;
    throw new MusterError("not_ready", `${name} was not started: it did not say within 30 s that it is ready.`);
  } finally {
    over.removeEventListener("abort", stop);
    stop();
    ended.catch(() => {}); // its end has a reader of its own
  }
}

function presenceOf({ team }: SessionContext, name: string): Presence | undefined {
  return team?.watch.snapshot.presence.get(inboxFileName(name));
}

function handleOf(context: SessionContext, running: RunningMember, started: StartedProcess): BackendHandle {
  const following = followRemote(context, running);
  const { name } = running.member;
  const { logger } = context.options;
  let killed: string | null = null;
  let ending = false;
  const exited = started.exited.then(async ({ reason, byPerson }): Promise<ExitReason> => {
    await following.catchUp();
    following.dispose();
    await forget(context, running);
    for (const { id, from } of context.requests.pending)
      if (from === name)
        await attempt(logger, `A request of ${name} was not taken back`, () => context.requests.drop(id));
    if (await hasAgreedToStop(context, running)) return { kind: "shutdown" };
    if (killed !== null) return { kind: "ended", reason: killed };
    if (await wasEndedThere(context, running)) return { kind: "ended", reason: "ended by the person" };
    return { kind: byPerson ? "ended" : "crashed", reason };
  });
  return {
    exited,
    reveal: (options) => started.reveal(options),
    kill(reason) {
      killed ??= reason;
      if (ending) return;
      ending = true;
      void endProcess(context, started).then((isClosed) => {
        ending = isClosed; // else the next one tries again
      });
    },
  };
}

/** What another program shows of the process. */
function shownElsewhere(
  starter: ProcessStarter,
  { address }: StartedProcess,
): Pick<BackendHandle, "attach" | "screen"> {
  return {
    ...(starter.attachCommand ? { attach: async () => (await starter.attachCommand?.(address)) ?? [] } : {}),
    ...(starter.capturePane ? { screen: async () => plainScreen((await starter.capturePane?.(address)) ?? "") } : {}),
  };
}

function plainScreen(captured: string): string {
  return stripVTControlCharacters(captured)
    .replace(/[^\S\n]+$/gm, "")
    .trimEnd();
}

/**
 * Its key, and a spawn file that nobody took; once another process may lead the team, only one of this process. Never
 * rejects: such a file lets nobody in once its process is gone.
 */
async function forget({ keys, team, options, suspended }: SessionContext, { member }: RunningMember): Promise<void> {
  keys.delete(member.name);
  if (!team) return;
  const whose = suspended ? "own" : "all";
  await attempt(options.logger, `What ${member.name} was to start with is still there`, () =>
    options.store.spawns.remove(team.folder, member.name, whose),
  );
}

/** Whether the person ended it in its own terminal: the last that its process wrote. Where that cannot be read: no. */
async function wasEndedThere(context: SessionContext, running: RunningMember): Promise<boolean> {
  const presence = await readPresence(context, running);
  return presence !== null && presence.nonce === running.nonce && presence.ended === true;
}

/** The last that the process wrote of itself; null where that cannot be read. */
async function readPresence({ team, options }: SessionContext, { member }: RunningMember): Promise<Presence | null> {
  if (!team) return null;
  const read = await attempt(options.logger, `How ${member.name} ended cannot be read`, () =>
    options.store.presence.read(team.folder, inboxFileName(member.name)),
  );
  return read ?? null;
}

/**
 * Only an answer to what the lead asked of this very member counts, whatever the times in it. Where that cannot be read it
 * has not agreed.
 */
async function hasAgreedToStop(
  { team, options }: SessionContext,
  { member: { name }, incarnation }: RunningMember,
): Promise<boolean> {
  if (!team) return false;
  const { inboxes } = options.store;
  const agreed = await attempt(options.logger, `Whether ${name} agreed to stop cannot be read`, async () => {
    const { entries } = await inboxes.readAll(team.folder, LEAD_NAME);
    const answers = entries.flatMap(({ from, text }) => {
      const content = parseBody(text);
      return from === name && content.kind === "shutdown_approved" ? (requestIdOf(content.body) ?? []) : [];
    });
    if (answers.length === 0) return false;
    const asked = shutdownsAsked(await inboxes.letters(team.folder, LEAD_NAME), name, incarnation);
    return answers.some((id) => asked.includes(id));
  });
  return agreed === true;
}
