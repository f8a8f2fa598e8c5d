import { createRequestLimiter } from "../agent/requestLimiter.ts";
import { createCommandGuard } from "../agent/tools/commandGuard.ts";
import type { AgentInput } from "../agent/types.ts";
import { DisposableStore } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { errorMessage, MusterError } from "../base/errors.ts";
import { prefixed } from "../base/logger.ts";
import { SerialQueue } from "../base/serial.ts";
import type { TeamEvent } from "../protocol/events.ts";
import { growingTime, newUuid } from "../protocol/ids.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import { type ImageBlock, lastReplyText, type TranscriptRecord } from "../protocol/transcript.ts";
import { hostMark } from "../store/processIdentity.ts";
import { resolveMember } from "../store/teamFile.ts";
import { logPrefix } from "./agentContext.ts";
import type { Backend, BackendHandle } from "./backends/backend.ts";
import { createInProcessBackend } from "./backends/inProcess.ts";
import { createProcessBackend } from "./backends/process.ts";
import { WorkRecord } from "./changes/workRecord.ts";
import { allMembers, gateOf, isRemote, type RunningMember, type SessionContext, teamOf } from "./context.ts";
import { Crew } from "./crew.ts";
import { endSession, releaseTeam } from "./endSession.ts";
import { interruptMember } from "./interrupt.ts";
import { Lead } from "./lead/lead.ts";
import { finishLeavings, retryLeavings } from "./leaving.ts";
import { Budgets } from "./limits/budgets.ts";
import { gatedModels } from "./limits/hold.ts";
import { modelNotice } from "./limits/modelNotice.ts";
import { resolveModel } from "./limits/models.ts";
import { Pauses } from "./limits/pauses.ts";
import { keepLiveTexts } from "./liveText.ts";
import { openMailroom } from "./mail/openMailroom.ts";
import { queuedWords } from "./mail/queuedWords.ts";
import { sendAsPerson } from "./mail/send.ts";
import { Member } from "./member.ts";
import { changeMode } from "./memberMode.ts";
import { beat, renewLease, writePresence } from "./presence.ts";
import { createJournal } from "./requests/journal.ts";
import { Requests } from "./requests/requests.ts";
import { watchHandover } from "./resume/handover.ts";
import { loseTeam } from "./resume/loseTeam.ts";
import type { SessionPast } from "./resume/past.ts";
import { ReopenedRequests } from "./resume/reopened.ts";
import { type ResumePorts, resumeSession } from "./resume/resume.ts";
import { memberOf, takeUpPast } from "./resume/resumedMember.ts";
import { askToStop } from "./shutdown.ts";
import { newRunning, type SpawnedTeammate, type SpawnRequest, spawnTeammate } from "./spawn.ts";
import { sessionSummary, spentBy } from "./summary.ts";
import { createTaskDesk } from "./taskDesk.ts";
import { closeTeam, openTeam } from "./teamLife.ts";
import { leadTools, teammateTools } from "./toolbox.ts";
import type { PersonsTeammate, Revealed, SessionOptions, SessionSummary, TeamSession } from "./types.ts";

/**
 * Makes a session: a lead that waits for its goal, or with a `past` (of `readPast`) the session that an earlier process
 * led. Nothing is written and nothing runs before `start` or `resume`.
 */
export function createTeamSession(given: SessionOptions, past: SessionPast | null = null): TeamSession {
  const context = newContext({ ...given, logger: prefixed(given.logger, logPrefix) }, past);
  const owned = new DisposableStore();
  owned.add(context.guard);
  const crew = new Crew(context, owned);
  const parts = createLead(context, crew);
  const course = startCourse(context, past, { crew, owned, ...parts });
  const { lead } = parts;
  const handover = owned.add(watchHandover(context));
  const kill = async (member: string, reason: string) => crew.kill(memberName(context, member), reason); // rejects, never throws
  return {
    id: context.id,
    cwd: context.options.cwd,
    scripted: context.options.scripted ?? false,
    get team() {
      return context.team?.folder ?? context.deleted?.team ?? null;
    },
    get leadWaits() {
      return lead.waitsForPerson && lastReplyText(context.lead.transcript) !== "";
    },
    get leadNeeds() {
      return (lead.rest?.kind === "failed" && lead.rest.needs) || null;
    },
    events: context.events.event,
    onText: context.texts.event,
    onRecord: context.records.event,
    onDidChange: context.changes.event,
    onHandover: handover.event,
    requests: context.requests,
    pauses: context.pauses,
    budgets: context.budgets,
    tasks: createTaskDesk(context),
    spent: () => spentBy(context),
    members: () => allMembers(context).map((running) => running.member.view()),
    start: course.start,
    resume: course.resume,
    suspend: course.suspend,
    say: (to, text, images = []) => say(context, to, text, images),
    queued: (member) => queuedWords(context, member),
    interrupt: async (member) => interruptMember(context, runningOf(context, member)),
    reveal: (member, options) => reveal(context, crew, member, options),
    screen: async (member) => screenOf(await crew.handleOf(memberName(context, member)), member),
    setMode: async (member, mode) => changeMode(context, runningOf(context, member), mode),
    get delegates() {
      return context.delegates;
    },
    setDelegates(on) {
      context.delegates = on;
      writePresence(context, context.lead);
      context.changes.fire();
    },
    backends: parts.backends.map(({ type }) => type),
    spawn: (teammate) => spawnForPerson(context, parts, teammate),
    askToStop: async (member, reason) => askToStop(context, memberName(context, member), reason),
    endMember: kill,
    failMember: async (member, reason) => {
      context.failures.set(memberName(context, member), reason);
      findRunning(context, member)?.member.setState("failed", reason);
      await kill(member, reason);
    },
    waitForRest: (signal) => lead.waitForRest(signal),
    end: course.end,
    summary: (interrupted) => sessionSummary(context, { interrupted, failure: null }),
  };
}

async function screenOf(handle: BackendHandle | undefined, member: string): Promise<string> {
  const screen = await handle?.screen?.();
  if (screen !== undefined) return screen;
  throw new MusterError("not_ready", `${member} does not run in a tmux pane: open its terminal.`);
}

/** A teammate that the person wants runs where they say, by default where the lead's own do. */
async function spawnForPerson(
  context: SessionContext,
  { backend, backends, spawn }: LeadParts,
  { name, prompt, mode, backend: place }: PersonsTeammate,
): Promise<string> {
  if (!context.team) throw new MusterError("not_ready", "There is no team yet: the lead makes it first.");
  const chosen = backends.find(({ type }) => type === place) ?? backend;
  const request = {
    wanted: name,
    prompt,
    agentType: "general-purpose" as const,
    ...(mode === undefined ? {} : { mode }),
  };
  const spawned = await spawn(request, chosen);
  const text = `The person has added the teammate ${spawned.name}. It was told:\n\n${prompt}`;
  context.notices.push({ text, urgent: false });
  return spawned.name;
}

interface LeadParts extends ResumePorts {
  lead: Lead;
  spawn(request: SpawnRequest, where?: Backend): Promise<SpawnedTeammate>;
}

function createLead(context: SessionContext, crew: Crew): LeadParts {
  const started = (running: RunningMember, handle: BackendHandle) => crew.keep(running, handle);
  const { processes } = context.options;
  const here = createInProcessBackend({
    context: () => context,
    toolsOf: (running) => teammateTools(context, running),
    prepare: (running) => openMailroom(context, running),
    started,
  });
  const others = processes ? [createProcessBackend({ ...processes, context: () => context, started })] : [];
  const backends = [...others, here].map((one) => crew.following(one));
  const [backend = here] = backends;
  const open = (folder: string, displayName: string) =>
    openTeam(context, folder, displayName, () => void loseTeam(context, crew, lead));
  const joined = (running: RunningMember) => crew.join(running);
  const spawn = (request: SpawnRequest, where = backend) =>
    crew.spawn((signal) => spawnTeammate(context, where, request, { started: joined, signal }));
  const tools = leadTools(context, {
    open,
    close: (history) => closeTeam(context, history),
    spawn: (request) => spawn(request),
  });
  const lead = new Lead(context, tools); // nothing of it is used before its first run
  return { lead, backend, backends, open, joined, spawn };
}

interface CourseParts extends ResumePorts {
  lead: Lead;
  crew: Crew;
  owned: DisposableStore;
}

/** The course of a session: its start, what goes on beside the members, and its end. */
function startCourse(
  context: SessionContext,
  past: SessionPast | null,
  { lead, crew, owned, ...ports }: CourseParts,
): Pick<TeamSession, "start" | "resume" | "suspend" | "end"> {
  const stop = new AbortController();
  let leadRun: Promise<void> = Promise.resolve();
  let ending: Promise<SessionSummary> | null = null;
  owned.add(context.requests.onDidChange(() => context.changes.fire()));
  owned.add(context.changes.event(() => context.budgets.look()));
  owned.add(context.changes.event(() => void context.pauses.publish()));
  const { settings, logger, scripted } = context.options;
  if (!scripted) owned.add(context.events.event(modelNotice(settings.models, logger)));
  owned.add(keepLiveTexts(context, (name) => isRemote(context.teammates.get(name))));
  owned.defer(() => stop.abort());
  void beat(
    context,
    () => allMembers(context).filter((running) => !isRemote(running)),
    () => {
      void retryLeavings(context); // however long it takes, the beat goes on
      return renewLease(context);
    },
    stop.signal,
  );
  const stopLead = async () => {
    stop.abort();
    await leadRun;
  };
  const begin = () => {
    const { outOfReach } = context.options.store.paths;
    void hostMark().then((mark) => context.guard.sweep(outOfReach, mark));
    const { model } = context.lead.member.spec;
    context.events.fire({ type: "run_started", session: context.id, cwd: context.options.cwd, model });
  };
  const runLead = (first: readonly AgentInput[] | null) => {
    leadRun = lead.run(first, stop.signal).catch((error: unknown) => {
      context.options.logger.error(`The lead stopped: ${errorMessage(error)}`, error);
      lead.fail(error);
    });
  };
  const suspendOnce = async () => {
    context.suspended = true;
    try {
      await stopLead();
      crew.close();
      await crew.endAll("its host goes away");
      await finishLeavings(context);
      for (const running of allMembers(context)) running.lifetime.abort();
    } finally {
      await releaseTeam(context);
      owned.dispose();
    }
  };
  let suspending: Promise<void> | null = null;
  const suspend = () => {
    suspending ??= suspendOnce(); // a second one could give back a lease that was taken since
    return suspending;
  };
  return {
    suspend,
    start(goal) {
      context.goal = goal;
      begin();
      runLead([{ origin: "person", content: [{ type: "text", text: goal }] }]);
    },
    async resume() {
      if (!past) throw new Error("There is nothing to resume.");
      begin();
      await resumeSession(context, past, ports, () => runLead(context.lead.takesUp)).catch(async (error: unknown) => {
        await suspend(); // who was started already ends, and the next host may try again
        throw error;
      });
    },
    end(how) {
      ending ??= endSession(context, how, { stopLead, crew }).finally(() => owned.dispose());
      return ending;
    },
  };
}

/** Shows a process member where it runs. */
async function reveal(
  context: SessionContext,
  crew: Crew,
  member: string,
  options: { preserveFocus: boolean },
): Promise<Revealed> {
  const handle = await crew.handleOf(memberName(context, member));
  runningOf(context, member); // it may have gone meanwhile
  if (handle?.attach) return { attach: { argv: await handle.attach(), exited: handle.exited } };
  if (!handle?.reveal) return "in-process";
  await handle.reveal(options);
  return "shown";
}

async function say(context: SessionContext, to: string, text: string, images: readonly ImageBlock[]): Promise<void> {
  if (context.team) {
    const name = memberName(context, to);
    if (images.length > 0) requireEyes(context, name);
    return sendAsPerson(context, name, text, images);
  }
  if (to !== LEAD_NAME) throw new MusterError("unknown_member", `There is no member ${JSON.stringify(to)} yet.`);
  context.lead.words.push({ text, images, at: context.options.clock.now() });
  context.changes.fire();
}

/** Another program reads the text of its inbox, and nothing else. */
function requireEyes(context: SessionContext, name: string): void {
  const isForeign = isRemote(context.teammates.get(name)) && context.options.processes?.program.isOwn === false;
  if (!isForeign) return;
  throw new MusterError("not_allowed", `${name} runs another program and cannot be shown images: send the text alone.`);
}

function findRunning(context: SessionContext, given: string): RunningMember | undefined {
  return given === LEAD_NAME ? context.lead : context.teammates.get(memberName(context, given));
}

function runningOf(context: SessionContext, given: string): RunningMember {
  const running = findRunning(context, given);
  if (running) return running;
  throw new MusterError("unknown_member", `${given} does not run here.`);
}

/** The name behind a name or display name. Throws `unknown_member` with the names that exist. */
function memberName(context: SessionContext, given: string): string {
  const { folder, watch } = teamOf(context);
  return resolveMember(folder, watch.snapshot.config, given).name;
}

function newContext(options: SessionOptions, past: SessionPast | null): SessionContext {
  const { clock, settings } = options;
  const id = past?.sessionId ?? newUuid();
  const limiter = createRequestLimiter(settings.requestLimit);
  const gate = gateOf(() => context);
  const modelOf = gatedModels(options.model, { clock, limiter }, gate);
  const model = modelOf(LEAD_NAME);
  const lead =
    past === null || past.team === null
      ? newRunning(newLead(options, id), { leadSession: id }, model)
      : newRunning(memberOf(options, past.lead), { team: past.team, agent: LEAD_NAME }, model);
  if (past) takeUpPast(lead, past.lead);
  const context: SessionContext = {
    id,
    options,
    modelOf,
    holdOf: (name) => context.pauses.member(name),
    pauses: new Pauses(() => context, past?.pausedSince ?? null),
    budgets: new Budgets(() => context, past?.budgets ?? []),
    growing: growingTime(),
    lead,
    teammates: new Map(),
    leaving: new Map(),
    requests: new Requests(createJournal(() => context)),
    reopened: new ReopenedRequests(past?.requests ?? []),
    suspended: false,
    resuming: false,
    ends: false,
    delegates: past?.lead.presence?.delegates ?? false,
    sessionRules: [...(past?.rules ?? [])],
    sessionDirectories: [...(past?.directories ?? [])],
    written: new Map(past?.letters ?? []),
    modesSet: new Map(past?.modesSet ?? []),
    keys: new Map(),
    notices: [...(past?.notices ?? [])],
    failures: new Map(),
    gone: [...(past?.gone ?? [])],
    goal: past?.goal ?? null,
    team: null,
    deleting: false,
    deleted: null,
    events: new Emitter<TeamEvent>(),
    texts: new Emitter<{ member: string; text: string | null }>(),
    records: new Emitter<{ member: string; record: TranscriptRecord }>(),
    changes: new Emitter<void>(),
    fileQueue: new SerialQueue(),
    work: new WorkRecord(options),
    guard: createCommandGuard(),
    incarnationOf(name) {
      const joining = context.team?.watch.snapshot.config?.members.find((member) => member.name === name);
      return context.teammates.get(name)?.incarnation || (name !== LEAD_NAME && joining?.muster?.incarnation) || null;
    },
    stateOf(name) {
      const running = name === LEAD_NAME ? lead : context.teammates.get(name);
      return running ? running.member.state : "not run by this window";
    },
  };
  return context;
}

function newLead({ settings, clock }: SessionOptions, incarnation: string): Member {
  const spec = {
    name: LEAD_NAME,
    displayName: LEAD_NAME,
    agentType: LEAD_NAME,
    model: resolveModel(settings.model, settings.models).id,
    color: null,
    backend: "in-process" as const,
    mode: settings.permissionMode,
    planModeRequired: false,
    modeIsFixed: settings.permissionMode === "plan",
    incarnation,
  };
  return new Member(spec, clock);
}
