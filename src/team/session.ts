import { createRequestLimiter } from "../agent/requestLimiter.ts";
import { withRetry } from "../agent/retry.ts";
import { DisposableStore } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { errorMessage, MusterError } from "../base/errors.ts";
import { prefixed } from "../base/logger.ts";
import { SerialQueue } from "../base/serial.ts";
import type { TeamEvent } from "../protocol/events.ts";
import { growingTime, newUuid } from "../protocol/ids.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import { type TranscriptRecord, textOf, ZERO_USAGE } from "../protocol/transcript.ts";
import { resolveMember } from "../store/teamFile.ts";
import { logPrefix } from "./agentContext.ts";
import type { BackendHandle } from "./backends/backend.ts";
import { createInProcessBackend } from "./backends/inProcess.ts";
import { allMembers, type RunningMember, type SessionContext } from "./context.ts";
import { endSession } from "./endSession.ts";
import { createJournal } from "./journal.ts";
import { Lead } from "./lead.ts";
import { keepLiveTexts } from "./liveText.ts";
import { Member } from "./member.ts";
import { resolveModel } from "./models.ts";
import { beat, writePresence } from "./presence.ts";
import { Requests } from "./requests.ts";
import { sendAsPerson, teamOf } from "./send.ts";
import { requestShutdown } from "./shutdown.ts";
import { newRunning, spawnTeammate } from "./spawn.ts";
import { sessionSummary } from "./summary.ts";
import { closeTeam, openMailroom, openTeam, removeTeammate } from "./teamLife.ts";
import { leadTools, teammateTools } from "./toolbox.ts";
import type { Rest, SessionOptions, TeamSession } from "./types.ts";

/** Makes a session: a lead that waits for its goal. Nothing is written and nothing runs before `start`. */
export function createTeamSession(options: SessionOptions): TeamSession {
  return new Session({ ...options, logger: prefixed(options.logger, logPrefix) });
}

class Session implements TeamSession {
  private readonly context: SessionContext;
  private readonly lead: Lead;
  private readonly handles = new Map<string, BackendHandle>();
  private readonly owned = new DisposableStore();
  private readonly stop = new AbortController();
  private leadRun: Promise<void> = Promise.resolve();
  private ending: ReturnType<typeof endSession> | null = null;

  constructor(options: SessionOptions) {
    this.context = newContext(options);
    this.watchMember(this.context.lead);
    const backend = createInProcessBackend({
      context: () => this.context,
      toolsOf: (running) => teammateTools(this.context, running),
      prepare: (running) => openMailroom(this.context, running),
      started: (running, handle) => this.keep(running, handle),
    });
    this.lead = new Lead(
      this.context,
      leadTools(this.context, {
        open: (folder, displayName) => openTeam(this.context, folder, displayName),
        close: (history) => closeTeam(this.context, history),
        spawn: (request) => spawnTeammate(this.context, backend, request, (running) => this.join(running)),
      }),
    );
    this.owned.add(this.context.requests.onDidChange(() => this.context.changes.fire()));
    this.owned.add(keepLiveTexts(this.context));
    this.owned.defer(() => this.stop.abort());
    void beat(this.context, () => allMembers(this.context), this.stop.signal);
  }

  get id(): string {
    return this.context.id;
  }

  get cwd(): string {
    return this.context.options.cwd;
  }

  get team(): string | null {
    return this.context.team?.folder ?? this.context.deleted?.team ?? null;
  }

  get scripted(): boolean {
    return this.context.options.scripted ?? false;
  }

  get events() {
    return this.context.events.event;
  }

  get onText() {
    return this.context.texts.event;
  }

  get onRecord() {
    return this.context.records.event;
  }

  get onDidChange() {
    return this.context.changes.event;
  }

  get requests() {
    return this.context.requests;
  }

  get leadWaits(): boolean {
    return this.lead.rest?.kind === "at_rest" && lastText(this.context.lead.transcript) !== "";
  }

  members() {
    return allMembers(this.context).map((running) => running.member.view());
  }

  start(goal: string): void {
    this.context.goal = goal;
    const { options, lead } = this.context;
    this.context.events.fire({
      type: "run_started",
      session: this.id,
      cwd: options.cwd,
      model: lead.member.spec.model,
    });
    this.leadRun = this.lead
      .run([{ origin: "person", content: [{ type: "text", text: goal }] }], this.stop.signal)
      .catch((error: unknown) => this.leadCrashed(error));
  }

  async say(to: string, text: string): Promise<void> {
    if (!this.context.team) {
      if (to !== LEAD_NAME) throw new MusterError("unknown_member", `There is no member ${JSON.stringify(to)} yet.`);
      this.context.words.push(text);
      this.context.changes.fire();
      return;
    }
    await sendAsPerson(this.context, this.nameOf(to), text);
  }

  interrupt(member: string): void {
    this.find(member)?.interrupt?.abort();
  }

  async askToStop(member: string, reason: string): Promise<void> {
    await requestShutdown(this.context, this.nameOf(member), reason);
  }

  async endMember(member: string, reason: string): Promise<void> {
    const handle = this.handles.get(this.nameOf(member));
    if (!handle) throw new MusterError("unknown_member", `${member} does not run here.`);
    handle.kill(reason);
    await handle.exited;
  }

  async failMember(member: string, reason: string): Promise<void> {
    this.context.failures.set(this.nameOf(member), reason);
    this.find(member)?.member.setState("failed", reason);
    await this.endMember(member, reason);
  }

  async waitForRest(signal: AbortSignal): Promise<Rest> {
    return this.lead.waitForRest(signal);
  }

  end(how: { graceMs: number; interrupted: boolean }) {
    this.ending ??= endSession(this.context, how, {
      stopLead: async () => {
        this.stop.abort();
        await this.leadRun;
      },
      handles: this.handles,
    }).finally(() => this.owned.dispose());
    return this.ending;
  }

  summary(interrupted: boolean) {
    return sessionSummary(this.context, { interrupted, failure: null });
  }

  private join(running: RunningMember): void {
    const { member } = running;
    const { agentType, model, backend, color, planModeRequired } = member.spec;
    this.context.teammates.set(member.name, running);
    this.watchMember(running);
    this.context.events.fire({
      type: "member_joined",
      member: member.name,
      agentType,
      model,
      backend,
      color,
      planModeRequired,
    });
  }

  private keep(running: RunningMember, handle: BackendHandle): void {
    const { name } = running.member;
    const gone = handle.exited.then(async (reason) => {
      await removeTeammate(this.context, running, reason).catch((error: unknown) =>
        this.context.options.logger.error(`${name} could not be removed: ${errorMessage(error)}`),
      );
      this.handles.delete(name);
      return reason;
    });
    this.handles.set(name, { ...handle, exited: gone });
  }

  private watchMember(running: RunningMember): void {
    const { member } = running;
    let told = "";
    this.owned.add(
      member.onDidChange((what) => {
        const { state, reason } = member.view();
        if (what === "state" && told !== `${state} ${reason}`) {
          told = `${state} ${reason}`;
          this.context.events.fire({
            type: "member_state",
            member: member.name,
            state,
            ...(reason === null ? {} : { reason }),
          });
          writePresence(this.context, running);
        }
        this.context.changes.fire();
      }),
    );
  }

  private leadCrashed(error: unknown): void {
    this.context.options.logger.error(`The lead stopped: ${errorMessage(error)}`, error);
    this.lead.fail(error);
  }

  private find(given: string): RunningMember | undefined {
    return given === LEAD_NAME ? this.context.lead : this.context.teammates.get(this.nameOf(given));
  }

  private nameOf(given: string): string {
    const { folder, watch } = teamOf(this.context);
    return resolveMember(folder, watch.snapshot.config, given).name;
  }
}

function newContext(options: SessionOptions): SessionContext {
  const { clock, settings } = options;
  const id = newUuid();
  const limiter = createRequestLimiter(settings.requestLimit);
  const model = withRetry(options.model, { clock, random: Math.random, limiter });
  const lead = newRunning(newLead(options, id), { leadSession: id }, model);
  const context: SessionContext = {
    id,
    options,
    model,
    growing: growingTime(),
    lead,
    teammates: new Map(),
    requests: new Requests(createJournal(() => context)),
    sessionRules: [],
    written: new Set(),
    notices: [],
    words: [],
    failures: new Map(),
    goneUsage: ZERO_USAGE,
    goal: null,
    team: null,
    deleted: null,
    events: new Emitter<TeamEvent>(),
    texts: new Emitter<{ member: string; text: string | null }>(),
    records: new Emitter<{ member: string; record: TranscriptRecord }>(),
    changes: new Emitter<void>(),
    fileQueue: new SerialQueue(),
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

/** The last text that a member wrote, or an empty one. */
function lastText(transcript: readonly TranscriptRecord[]): string {
  const reply = transcript.findLast((record) => record.kind === "reply");
  return reply?.kind === "reply" ? textOf(reply.content).trim() : "";
}
