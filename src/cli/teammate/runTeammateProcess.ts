import path from "node:path";
import { createAnthropicModel, preloadClient } from "../../agent/anthropicModel.ts";
import { systemClock } from "../../base/clock.ts";
import { MusterError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { PermissionMode } from "../../protocol/mode.ts";
import { inboxFileName } from "../../protocol/names.ts";
import type { Store } from "../../store/store.ts";
import { DEFAULT_SETTINGS } from "../../team/defaultSettings.ts";
import { createLeadVerifier } from "../../team/lead/leadSignature.ts";
import { memberEnvironment } from "../../team/memberEnvironment.ts";
import {
  type MemberProcess,
  type MemberProcessOptions,
  requireTeammate,
  startMemberProcess,
} from "../../team/process/memberProcess.ts";
import { leaveReason } from "../../team/process/reasonLeft.ts";
import { type SpawnFile, spawnFileSchema } from "../../team/process/spawnFile.ts";
import { findingText } from "../../team/requests/settingsFinding.ts";
import { hasOwnProcess, runsAlready } from "../../team/resume/earlierProcess.ts";
import { apiAddress } from "../apiAddress.ts";
import { apiKeyOf } from "../apiKey.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exitCodes.ts";
import { requireFolder } from "../requireFolder.ts";
import { tellSentence } from "../tellSentence.ts";
import { showMember } from "./memberTerminal.ts";

/** What the command line says of a teammate. */
export interface GivenTeammate {
  name: string;
  team: string;
  parentSession: string | null;
  model: string | null;
  verifyKey: string | null;
  mode: PermissionMode | null;
  plansFirst: boolean;
  allow: readonly string[];
  deny: readonly string[];
  /** Names of the only tools that it has; null: all of its type. */
  tools: readonly string[] | null;
  spawnFile: string | null;
}

/** Is a teammate until it ends. Throws, before anything runs, what is wrong with the call, the key or the files. */
export async function runTeammateProcess(given: GivenTeammate, context: CliContext): Promise<number> {
  const store = context.store();
  const spawn =
    given.spawnFile === null ? null : await takeSpawnFile(given, store, path.resolve(context.cwd, given.spawnFile));
  const told: { message: string }[] = [];
  const log: { show(message: string): void } = { show: (message) => void told.push({ message }) };
  const warn = (message: string) => log.show(message);
  const logger: Logger = { debug() {}, info() {}, warn, error: warn };
  const { member, team } = await startMember(given, spawn, store, context, logger);
  const ended = showMember(member, team, context, log);
  for (const { message } of told) log.show(message);
  const how = await ended;
  if (how === "lead_gone") tellSentence(context.io, "Nobody leads the team any more: this teammate has ended.");
  if (how === "led")
    tellSentence(context.io, "A window or program leads the team now: this teammate has ended, and goes on there.");
  // nobody asks for the code of one that a lead started, but VS Code would raise a toast with its whole command line
  return how === "shutdown" || spawn !== null ? EXIT.done : EXIT.refused;
}

/** The teammate, and the folder of its team. Throws what keeps it from coming; a lead that started it is told too. */
async function startMember(
  given: GivenTeammate,
  spawn: SpawnFile | null,
  store: Store,
  context: CliContext,
  logger: Logger,
): Promise<{ member: MemberProcess; team: string }> {
  try {
    const options = await memberOptions(given, spawn, store, context, logger);
    const starting = startMemberProcess(options);
    void preloadClient(); // its first request comes as soon as it stands, which is a matter of waiting for files
    return { member: await starting, team: options.team };
  } catch (error) {
    if (spawn) await leaveReason({ store, clock: systemClock }, given, spawn, error);
    throw error;
  }
}

async function memberOptions(
  given: GivenTeammate,
  spawn: SpawnFile | null,
  store: Store,
  context: CliContext,
  logger: Logger,
): Promise<MemberProcessOptions> {
  const { name, verifyKey, mode, plansFirst, parentSession, model: modelName } = given;
  // what is wrong with the call is told before the key is asked for
  if (verifyKey !== null) createLeadVerifier(verifyKey, systemClock.now());
  const team = await store.teams.resolve(given.team);
  const { found } = await requireTeammate(store, team, name);
  if (spawn && spawn.member.incarnation !== found.muster?.incarnation)
    throw notItsOwn(`Its spawn file is of an earlier ${name}`);
  const cwd = await requireFolder(spawn?.cwd ?? context.cwd, store);
  await checkRules([...given.allow, ...given.deny], cwd, context);
  if (spawn === null) await noteSettings(cwd, store, context);
  const settings = spawn?.settings ?? DEFAULT_SETTINGS;
  const { rules } = settings;
  return {
    ...{ store, team, name, modelName, mode, plansFirst, verifyKey, parentSession, cwd, logger, clock: systemClock },
    model: spawn ? apiModel(spawn, context) : await ownModel(found.name, team, store, context),
    settings: {
      ...settings,
      rules: { ...rules, allow: [...rules.allow, ...given.allow], deny: [...rules.deny, ...given.deny] },
    },
    tools: given.tools,
    sessionRules: spawn?.sessionRules ?? [],
    sessionDirectories: spawn?.sessionDirectories ?? [],
    spawned: spawn,
    home: spawn?.home ?? context.home,
    env: spawn?.env ?? memberEnvironment(context.env),
  };
}

/** What reads rules is loaded only where there are some. */
async function checkRules(rules: readonly string[], cwd: string, context: CliContext): Promise<void> {
  if (rules.length === 0) return;
  const { checkFlagRules } = await import("../flagRules.ts");
  checkFlagRules(rules, cwd, context);
}

/** Without a lead nobody has told of settings that stop every call. */
async function noteSettings(cwd: string, store: Store, { notes }: CliContext): Promise<void> {
  const { settingsFindings } = await import("../../team/requests/findInSettings.ts");
  for (const finding of await settingsFindings(store, cwd)) notes.add(findingText(finding));
  notes.show();
}

/** A spawn file is read once, by the teammate that it names: who comes later is not the one that the lead started. */
async function takeSpawnFile({ team, name }: GivenTeammate, store: Store, file: string): Promise<SpawnFile> {
  const taken = await store.spawns.take(file, (content) => {
    const spawn = spawnFileSchema.safeParse(content).data;
    return spawn?.member.team === team && spawn.member.name === name ? spawn : null;
  });
  if (taken.kind === "taken") return taken.content;
  throw notItsOwn(
    taken.kind === "gone"
      ? "Its spawn file is gone or was used"
      : `${file} is no spawn file of ${name} in team ${team}`,
  );
}

function notItsOwn(what: string): MusterError {
  return new MusterError(
    "not_ready",
    `${what}: only the lead can start this teammate again. Without --spawn-file it can be started by hand.`,
  );
}

/** Of one that no lead starts. Where there is no key, it tells before that whether the teammate has a process that runs. */
async function ownModel(name: string, team: string, store: Store, context: CliContext) {
  try {
    return apiModel(null, context);
  } catch (error) {
    const presence = await store.presence.read(team, inboxFileName(name));
    if (presence && (await hasOwnProcess({ store, clock: systemClock }, presence))) throw runsAlready(name, presence);
    throw error;
  }
}

function apiModel(spawn: SpawnFile | null, { env }: CliContext) {
  const key = spawn ? (spawn.apiKey ?? (spawn.baseUrl ? "none" : undefined)) : apiKeyOf(env);
  if (!key) throw new MusterError("no_key", "There is no API key: set $ANTHROPIC_API_KEY.");
  const baseUrl = spawn ? spawn.baseUrl : apiAddress(env);
  return createAnthropicModel({ apiKey: async () => key, ...(baseUrl ? { baseUrl } : {}) });
}
