import { createRequestLimiter } from "../../agent/requestLimiter.ts";
import { createCommandGuard } from "../../agent/tools/commandGuard.ts";
import type { Model } from "../../agent/types.ts";
import type { Clock } from "../../base/clock.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import { errorMessage, MusterError } from "../../base/errors.ts";
import { type Logger, prefixed } from "../../base/logger.ts";
import { SerialQueue } from "../../base/serial.ts";
import type { TeamEvent } from "../../protocol/events.ts";
import { growingTime } from "../../protocol/ids.ts";
import type { PermissionMode } from "../../protocol/mode.ts";
import { inboxFileName, PERSON_NAME } from "../../protocol/names.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import { type Hold, holdIn, isLead, type TeamConfig, type Member as TeamMember } from "../../protocol/team.ts";
import type { TranscriptRecord } from "../../protocol/transcript.ts";
import { hostMark } from "../../store/processIdentity.ts";
import type { Store } from "../../store/store.ts";
import { resolveMember } from "../../store/teamFile.ts";
import type { MemberPatch } from "../../store/teamStore.ts";
import type { WatchScope } from "../../store/watcher.ts";
import { logPrefix } from "../agentContext.ts";
import { WorkRecord } from "../changes/workRecord.ts";
import { gateOf, type MemberContext, type RunningMember } from "../context.ts";
import { createLeadVerifier } from "../lead/leadSignature.ts";
import { gatedModels } from "../limits/hold.ts";
import { clearLiveText, keepLiveTexts } from "../liveText.ts";
import { sendAsPerson } from "../mail/send.ts";
import type { Member } from "../member.ts";
import { beat, writeEnd, writePresence } from "../presence.ts";
import { ensurePlanFile } from "../requests/planFile.ts";
import { Requests } from "../requests/requests.ts";
import { type MemberPast, readMemberPast } from "../resume/past.ts";
import { ReopenedRequests } from "../resume/reopened.ts";
import { catchUp, resumedTeammate } from "../resume/resumedMember.ts";
import { runTeammate, type TeammateEnd } from "../teammate.ts";
import { openTeamWatch } from "../teamWatch.ts";
import { teammateTools } from "../toolbox.ts";
import type { MemberView, TeamSettings } from "../types.ts";
import { type LeadChange, untilAnotherLeads, untilNobodyLeads } from "./leadWatch.ts";
import { openMemberInbox } from "./memberInbox.ts";
import { createMemberJournal } from "./memberJournal.ts";
import type { SpawnFile } from "./spawnFile.ts";
import { type TakenMember, takeMember } from "./takeMember.ts";

/** What a teammate's own process is given: by its flags, its spawn file, or the person who starts it by hand. */
export interface MemberProcessOptions {
  store: Store;
  team: string;
  name: string;
  model: Model;
  settings: TeamSettings;
  /** Names of the only tools that it has; null: all of its type. */
  tools: readonly string[] | null;
  /** What is named at its start, in place of what its entry in config.json says; null: nothing. */
  modelName: string | null;
  mode: PermissionMode | null;
  /** `--plan-mode-required`: it plans first, unless its plan was approved in an earlier process of it. */
  plansFirst: boolean;
  sessionRules: readonly string[];
  sessionDirectories: readonly string[];
  /** `--lead-verify-key`. */
  verifyKey: string | null;
  /** `--parent-session-id`. */
  parentSession: string | null;
  /**
   * Of its spawn file: what it shows to its lead, and who that is; it ends when that one does not lead its session any
   * more. Null: no lead of Muster started it.
   */
  spawned: Pick<SpawnFile, "nonce" | "lead"> | null;
  cwd: string;
  home: string;
  env: Record<string, string>;
  clock: Clock;
  logger: Logger;
}

/** How a teammate's process ended; `person`: somebody at its terminal ended it for good. */
export type MemberEnd = TeammateEnd | LeadChange | "person";

/** A teammate that this process is. */
export interface MemberProcess {
  readonly view: MemberView;
  /** What holds it back. */
  readonly hold: Hold | null;
  readonly transcript: readonly TranscriptRecord[];
  readonly onRecord: Event<{ member: string; record: TranscriptRecord }>;
  readonly onText: Event<{ member: string; text: string | null }>;
  readonly onDidChange: Event<void>;
  /** What it says and does, as a lead tells it; not its states. */
  readonly events: Event<TeamEvent>;
  /** How it ended. */
  readonly ended: Promise<MemberEnd>;
  /** The person's words, typed here. */
  say(text: string): void;
  /** Ends the run that goes on. */
  interrupt(): void;
  /** Ends the process's work at once, and leaves it so that a next process can go on. */
  end(): void;
  /** The same, as the person's will: a lead that started it has it leave the team, and nothing has failed. */
  endForGood(): void;
}

/** What wakes a teammate. Heartbeats of others, and what they say, would cost its process more than its own work. */
const ownMatters = (name: string): WatchScope => ({
  without: ["lead", "presence", "transcript", "live"],
  inboxOf: name,
});

/**
 * Starts the teammate that this process is to be: its entry in config.json must be there. It goes on from its transcript
 * where it has one. Throws `unknown_team`, `unknown_member`, `not_allowed` for the lead, `not_ready` where it runs already
 * or is not wanted any more, `usage` for a bad key, and read errors.
 */
export async function startMemberProcess(given: MemberProcessOptions): Promise<MemberProcess> {
  const { store, team, clock } = given;
  const verifier = given.verifyKey === null ? null : createLeadVerifier(given.verifyKey, clock.now());
  const { config, found } = await requireTeammate(store, team, given.name);
  const { name } = found;
  const taken = await takeMember(given, found);
  const options = { ...given, name };
  const entry = options.modelName === null ? found : { ...found, model: options.modelName };
  const asked = given.spawned?.lead.askedToStop ?? (verifier ? [] : null); // one that signs asks anew
  const { past, requests } = await readMemberPast(store, team, entry, asked);
  const owned = new DisposableStore();
  const watch = owned.add(await openTeamWatch(store, team, options.logger, ownMatters(name)));
  const context: MemberContext = newMemberContext(options, requests, () => running);
  owned.add(context.guard);
  const { dir, tasks } = store.paths.team(team);
  context.guard.sweep([dir, tasks], await hostMark());
  context.team = { folder: team, displayName: config.muster?.displayName ?? team, watch };
  const running = await runningOf(context, options, past);
  running.nonce = given.spawned?.nonce ?? taken.nonce;
  if (!given.spawned) await store.teams.updateMember(team, name, namedOf(options, running), found.muster?.incarnation);
  await catchUp(context, running, past);
  // a lead has seen to the person's words
  for (const from of given.spawned ? [name] : [name, PERSON_NAME]) await store.inboxes.replayOutbox(team, from);
  await clearLiveText(context, name);
  owned.add(keepLiveTexts(context));
  const mailroom = owned.add(openMemberInbox(context, running, verifier));
  owned.add(watch.onDidChange(() => context.changes.fire()));
  owned.add(watch.onInbox((file) => file === inboxFileName(name) && void mailroom.check()));
  await mailroom.check();
  return live(context, running, options, owned, taken);
}

/**
 * The team and its teammate that a start names. Throws `unknown_team`, `unknown_member`, and `not_allowed` for the lead.
 */
export async function requireTeammate(
  store: Store,
  team: string,
  named: string,
): Promise<{ config: TeamConfig; found: TeamMember }> {
  const config = await store.teams.read(team);
  const found = resolveMember(team, config, named);
  if (isLead(found))
    throw new MusterError("not_allowed", `${found.name} leads ${team}: only a teammate is started like this.`);
  return { config, found };
}

/** What is named at a start without a lead, as config.json is to say it: as a lead writes it of whom it starts. */
function namedOf({ modelName, mode, plansFirst, cwd }: MemberProcessOptions, { member }: RunningMember): MemberPatch {
  return {
    cwd,
    ...(modelName === null ? {} : { model: modelName }),
    ...(plansFirst ? { planModeRequired: true } : {}),
    ...(mode === null && !plansFirst ? {} : { mode: member.permission.mode }),
  };
}

function live(
  context: MemberContext,
  running: RunningMember,
  options: MemberProcessOptions,
  owned: DisposableStore,
  taken: TakenMember,
): MemberProcess {
  const { member } = running;
  const stop = new AbortController();
  const tools = teammateTools(context, running).filter(({ name }) => options.tools?.includes(name) ?? true);
  const leadChange = options.spawned
    ? untilNobodyLeads(context, options.spawned.lead, stop.signal)
    : untilAnotherLeads(context, taken.lead, stop.signal);
  // whoever ends the process may start the next one: what it was doing stays as it is
  const leave = () => {
    context.suspended = true;
    stop.abort();
  };
  void leadChange.then((change) => change && leave());
  void beat(
    context,
    () => [running],
    async () => {},
    stop.signal,
  );
  const typed = new SerialQueue();
  const work = async () => {
    let end: TeammateEnd | null = null;
    try {
      end = await runTeammate(context, running, tools, stop.signal);
      const change = await Promise.race([leadChange, Promise.resolve(null)]);
      return change ?? (context.ends && end === "ended" ? "person" : end);
    } finally {
      stop.abort();
      running.lifetime.abort();
      await typed.idle();
      if (end !== "shutdown") await keepWords(context, running);
      if (context.ends) await writeEnd(context, running);
      owned.dispose();
    }
  };
  const ended = work();
  return {
    get view() {
      return member.view();
    },
    get hold() {
      return context.holdOf(member.name);
    },
    transcript: running.transcript,
    onRecord: context.records.event,
    onText: context.texts.event,
    onDidChange: context.changes.event,
    events: context.events.event,
    ended,
    say: (text) => void typed.run("say", () => takeTyped(context, running, text)),
    interrupt: () => running.interrupt?.abort(),
    end: leave,
    endForGood() {
      context.ends = true;
      leave();
    },
  };
}

/**
 * What is typed waits in the inbox, as all that the person says: however this process ends, the next one finds it. There
 * only a lead that comes can sign it.
 */
async function takeTyped(context: MemberContext, running: RunningMember, text: string): Promise<void> {
  try {
    await sendAsPerson(context, running.member.name, text);
    await running.mailroom?.check();
  } catch (error) {
    context.options.logger.debug(`What was typed waits in this process alone: ${errorMessage(error)}`);
    running.words.push({ text, images: [], at: context.options.clock.now() });
    context.changes.fire();
  }
}

/** What could not be written when it was typed, and was not taken, is written now. */
async function keepWords({ team, options }: MemberContext, { member, words }: RunningMember): Promise<void> {
  for (let word = words.shift(); word && team; word = words.shift()) {
    try {
      const letter = { from: PERSON_NAME, to: [member.name], text: word.text, authority: true };
      await options.store.inboxes.send(team.folder, letter);
    } catch (error) {
      options.logger.warn(`What you typed was not kept for the next start of ${member.name}: ${errorMessage(error)}`);
    }
  }
}

function newMemberContext(
  options: MemberProcessOptions,
  requests: readonly PendingRequest[],
  running: () => RunningMember,
): MemberContext {
  const { store, settings, clock, cwd, home, env } = options;
  const logger = prefixed(options.logger, logPrefix);
  const limiter = createRequestLimiter(settings.requestLimit);
  const context: MemberContext = {
    options: { store, model: options.model, settings, cwd, home, env, clock, logger },
    modelOf: gatedModels(
      options.model,
      { clock, limiter },
      gateOf(() => context),
    ),
    holdOf: (member) => (context.team ? holdIn(context.team.watch.snapshot.config, member) : null),
    growing: growingTime(),
    requests: new Requests(createMemberJournal(() => context, running)),
    reopened: new ReopenedRequests(requests),
    sessionRules: [...options.sessionRules],
    sessionDirectories: [...options.sessionDirectories],
    written: new Map(),
    modesSet: new Map(),
    keys: new Map(),
    team: null,
    suspended: false,
    ends: false,
    delegates: false,
    events: new Emitter<TeamEvent>(),
    texts: new Emitter<{ member: string; text: string | null }>(),
    records: new Emitter<{ member: string; record: TranscriptRecord }>(),
    changes: new Emitter<void>(),
    fileQueue: new SerialQueue(),
    work: new WorkRecord({ store, cwd, env, clock, logger }),
    guard: createCommandGuard(),
    incarnationOf: () => null,
    stateOf: (member) => context.team?.watch.snapshot.presence.get(inboxFileName(member))?.state ?? "unknown",
  };
  return context;
}

async function runningOf(
  context: MemberContext,
  options: MemberProcessOptions,
  past: MemberPast,
): Promise<RunningMember> {
  const running = resumedTeammate(context, past, options.team);
  const { member } = running;
  member.permission = permissionOf(options, past, member.permission);
  if (member.permission.mode === "plan") await ensurePlanFile(context, running);
  member.onDidChange((what) => {
    if (what === "state") writePresence(context, running);
    context.changes.fire();
  });
  return running;
}

/** A plan that waits for its decision is left by that alone; else the mode that is named at the start counts. */
function permissionOf(
  { mode, plansFirst }: MemberProcessOptions,
  { presence }: MemberPast,
  known: Member["permission"],
): Member["permission"] {
  const isNew = presence?.mode === undefined;
  if (plansFirst && isNew) return { mode: "plan", fixed: true };
  if (mode === null || (plansFirst && known.mode === "plan") || (!isNew && mode === known.mode)) return known;
  return { mode, fixed: mode === "plan" };
}
