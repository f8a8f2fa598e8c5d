import { MusterError } from "../base/errors.ts";
import { agentId, newUuid } from "../protocol/ids.ts";
import { type AcceptedName, foldName, freeName } from "../protocol/names.ts";
import { type Generation, isLead, type Member, memberColor, memberSchema, type TeamConfig } from "../protocol/team.ts";
import type { FileCache } from "./fileCache.ts";
import { listDir } from "./folders.ts";
import { fileFailure, isMissing, withFileErrors } from "./fsErrors.ts";
import { listInboxes, readInbox } from "./inboxReader.ts";
import { capitalised, type JsonChange, type JsonContent, updateJson } from "./jsonFile.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";
import { configFile, isRawMember, type RawObject, teamExists, teamGeneration } from "./teamFile.ts";
import { createTeamFolder, type TeamDraft } from "./teamFolder.ts";
import { finishTeamFolder } from "./teamHistory.ts";
import { unknownTeam } from "./unknown.ts";

/** A team as a list shows it. `fault`: why its configuration cannot be read; all else is then what its folder tells. */
export interface TeamSummary {
  /** The folder's name: what every function here takes as `team`. */
  name: string;
  displayName: string;
  generation: Generation;
  /** Milliseconds. */
  createdAt: number;
  members: number;
  ours: boolean;
  fault: string | null;
}

/** What the spawner knows of a new member; name, colour and incarnation are given by the store. */
export interface MemberDraft {
  agentType: string;
  model: string;
  prompt?: string;
  planModeRequired?: boolean;
  /** Milliseconds. */
  joinedAt: number;
  cwd: string;
  backendType: string;
  tmuxPaneId: string;
  mode?: string;
  muster?: Record<string, unknown>;
}

/** Under which conditions a member may join. */
export interface JoinRules {
  leadSessionId: string;
  /** Teammates at once: the lead does not count. */
  maxMembers: number;
  /** Names that nobody gets, beside those of members; asked while nobody else changes the team. */
  taken?(): Iterable<string>;
}

/** Fields of a member to change; `muster` is merged key by key. */
export type MemberPatch = Partial<Omit<Member, "name" | "agentId" | "muster">> & { muster?: Record<string, unknown> };

/** How a team is ended. `now` is in milliseconds. */
export interface DeleteOptions {
  keepHistory: boolean;
  now: number;
  /** Refuses, and changes nothing, while the team has a teammate. */
  ifEmpty?: boolean;
}

export interface TeamStore {
  /** Every team with a config.json, by name. */
  list(): Promise<TeamSummary[]>;
  /** The folder of a team that a person names: folder, or display name if unique. Throws `unknown_team`. */
  resolve(named: string): Promise<string>;
  /** Throws `unknown_team`, or `corrupt` where the file is damaged beyond use. */
  read(team: string): Promise<TeamConfig>;
  /** Makes a team with its lead. Throws `team_exists`. */
  create(draft: TeamDraft): Promise<TeamConfig>;
  /**
   * Adds a member under the first free form of its name. Throws `lead_elsewhere` where another session leads the team,
   * `not_allowed` where it is full.
   */
  addMember(team: string, draft: MemberDraft, wanted: AcceptedName, rules: JoinRules): Promise<Member>;
  /** Throws `unknown_member` where the member, or this incarnation of it, is gone: a late writer changes nothing. */
  updateMember(team: string, name: string, patch: MemberPatch, incarnation?: string): Promise<Member>;
  /** Removes a member, or only this incarnation of it; null where it is gone already. */
  removeMember(team: string, name: string, incarnation?: string): Promise<Member | null>;
  /** Changes our own data of a team, key by key; a key that is undefined goes. */
  updateTeam(team: string, muster: Record<string, unknown>): Promise<TeamConfig>;
  /** A lead that was started again takes its team: from here on `sessionId` leads it. */
  rebindLead(team: string, sessionId: string): Promise<TeamConfig>;
  /**
   * Ends a team. Resolves to the name of the folder that keeps it under `muster/history`, or null. Throws `not_ready` with
   * `ifEmpty` where a teammate is in it.
   */
  delete(team: string, options: DeleteOptions): Promise<string | null>;
}

/** What teams are kept with. `retireInbox` puts the mail of an earlier member of the same name away. */
export interface TeamParts {
  context: StoreContext;
  cache: FileCache;
  retireInbox(team: string, name: string): Promise<void>;
}

/** Teams and their members. */
export function createTeamStore(parts: TeamParts): TeamStore {
  return {
    list: () => listTeams(parts),
    resolve: (named) => resolveTeam(parts, named),
    read: (team) => readTeam(parts, team),
    create: (draft) => createTeam(parts, draft),
    async addMember(team, draft, wanted, rules) {
      const what = `The member ${wanted.displayName ?? wanted.name} was not added`;
      return await changeTeam(parts, team, what, async (content) => {
        const joined = joinTeam(team, content, draft, wanted, rules);
        await parts.retireInbox(team, joined.result.name);
        return joined;
      });
    },
    updateMember: (team, name, patch, incarnation) =>
      changeTeam(parts, team, `The member ${name} was not changed`, (content) =>
        patchMember(team, content, name, patch, incarnation),
      ),
    removeMember: (team, name, incarnation) =>
      changeTeam(parts, team, `The member ${name} was not removed`, (content) =>
        withoutMember(content, name, incarnation),
      ),
    updateTeam: (team, muster) =>
      changeTeam(parts, team, `Team ${team} was not changed`, ({ raw, value }) => ({
        next: { ...(raw as RawObject), muster: { ...(raw as { muster?: object }).muster, ...muster } },
        result: value,
      })),
    rebindLead: (team, sessionId) =>
      changeTeam(parts, team, `Team ${team} was not taken over`, ({ raw, value }) => ({
        next: { ...(raw as RawObject), leadSessionId: sessionId },
        result: { ...value, leadSessionId: sessionId },
      })),
    delete: (team, options) => deleteTeam(parts, team, options),
  };
}

/** What teams are looked for with. */
type TeamReading = Pick<TeamParts, "context" | "cache">;

async function noTeam(parts: TeamReading, named: string): Promise<MusterError> {
  const names = (await listTeams(parts)).map((team) => team.name);
  return unknownTeam(named, { names, root: parts.context.paths.root });
}

/** As `TeamStore.list`. */
export async function listTeams(parts: TeamReading): Promise<TeamSummary[]> {
  const { fs, paths } = parts.context;
  const folders = await withFileErrors("The teams cannot be listed", paths.teams, () => listDir(fs, paths.teams));
  const names = folders.filter((name) => !name.startsWith(".")).sort();
  const all = await Promise.all(names.map((name) => summaryOf(parts.context, parts.cache, name)));
  return all.flatMap((summary) => summary ?? []);
}

/** As `TeamStore.resolve`. */
export async function resolveTeam(parts: TeamReading, named: string): Promise<string> {
  const all = await listTeams(parts);
  const byFolder = all.find((team) => team.name === named);
  if (byFolder) return byFolder.name;
  const alike = all.filter((team) => foldName(team.displayName) === foldName(named));
  if (alike.length === 1 && alike[0]) return alike[0].name;
  throw await noTeam(parts, named);
}

async function readTeam(parts: TeamParts, team: string): Promise<TeamConfig> {
  const file = configFile(parts.context.paths.team(team));
  const read = await withFileErrors(`Team ${team} cannot be read`, file.path, () => parts.cache.read(file));
  if (read.kind === "absent") throw await noTeam(parts, team);
  if (read.kind === "corrupt") throw new MusterError("corrupt", `Team ${team} cannot be used: ${read.message}`);
  return read.value;
}

async function createTeam(parts: TeamParts, draft: TeamDraft): Promise<TeamConfig> {
  const { context } = parts;
  const wanted = [draft.name, draft.displayName].flatMap((name) => (name === undefined ? [] : foldName(name)));
  for (const { name, displayName } of await listTeams(parts)) {
    if (wanted.includes(foldName(name)) || wanted.includes(foldName(displayName))) throw teamExists(displayName);
  }
  return await withFileErrors(`Team ${draft.name} was not created`, context.paths.team(draft.name).dir, () =>
    createTeamFolder(context, draft),
  );
}

async function deleteTeam(parts: TeamParts, team: string, options: DeleteOptions): Promise<string | null> {
  const { dir } = parts.context.paths.team(team);
  return await withFileErrors(`Team ${team} was not deleted`, dir, async () => {
    try {
      return await finishTeamFolder(parts.context, team, options);
    } catch (error) {
      throw isMissing(error) ? await noTeam(parts, team) : error;
    }
  });
}

async function changeTeam<R>(
  parts: TeamParts,
  team: string,
  what: string,
  change: (content: JsonContent<TeamConfig>) => JsonChange<R> | Promise<JsonChange<R>>,
): Promise<R> {
  const file = configFile(parts.context.paths.team(team));
  return await withFileErrors(what, file.path, async () => {
    try {
      return await updateJson(parts.context, file, async (content) => {
        if (!content) throw await noTeam(parts, team);
        return await change(content);
      });
    } catch (error) {
      throw isMissing(error) ? await noTeam(parts, team) : error;
    }
  });
}

async function summaryOf(context: StoreContext, cache: FileCache, name: string): Promise<TeamSummary | undefined> {
  const base = { name, displayName: name, generation: "G1" as const, createdAt: 0, members: 0, ours: false };
  try {
    const read = await cache.read(configFile(context.paths.team(name)));
    if (read.kind === "absent") return undefined;
    if (read.kind === "corrupt") return { ...base, fault: capitalised(read.message) };
    const generation = await generationOf(context, cache, context.paths.team(name), read.value);
    return { ...summaryOfConfig(name, read.value), generation, fault: null };
  } catch (error) {
    if (isMissing(error)) return undefined; // a file among the folders
    const { config } = context.paths.team(name);
    return { ...base, fault: fileFailure(error, `Team ${name} cannot be read`, config).message };
  }
}

/** Only foreign teams need a look at their inboxes. */
async function generationOf(context: StoreContext, cache: FileCache, paths: TeamPaths, config: TeamConfig) {
  if (config.muster) return teamGeneration(config, []);
  const agents = await listInboxes(context, paths);
  return teamGeneration(config, await Promise.all(agents.map((agent) => readInbox(context, cache, paths, agent))));
}

function summaryOfConfig(name: string, config: TeamConfig): Omit<TeamSummary, "fault" | "generation"> {
  return {
    name,
    displayName: config.muster?.displayName ?? config.name,
    createdAt: config.createdAt ?? 0,
    members: config.members.length,
    ours: config.muster !== undefined,
  };
}

function joinTeam(
  team: string,
  content: JsonContent<TeamConfig>,
  draft: MemberDraft,
  wanted: AcceptedName,
  rules: JoinRules,
): JsonChange<Member> {
  const { value: config } = content;
  if (config.leadSessionId !== rules.leadSessionId) {
    throw new MusterError("lead_elsewhere", `Team ${team} is led by another session now, which alone may add members.`);
  }
  const teammates = config.members.filter((member) => !isLead(member));
  if (teammates.length >= rules.maxMembers) {
    throw new MusterError(
      "not_allowed",
      `Team ${team} has as many teammates as are allowed beside its lead: ${teammates.length}. Shut one down first.`,
    );
  }
  const raw = content.raw as RawObject & { muster?: RawObject };
  const spawned = config.muster?.spawned ?? config.members.length - 1;
  const member = newMember(config, draft, freeMemberName(config, wanted, rules.taken?.() ?? []), spawned);
  const muster = raw.muster === undefined ? {} : { muster: { ...raw.muster, spawned: spawned + 1 } };
  const next = { ...raw, members: [...rawMembers(raw), member], ...muster };
  return { next, result: member };
}

/** The keys in the order in which 2.1.41 writes them. */
function newMember(
  config: TeamConfig,
  draft: MemberDraft,
  { name, displayName }: AcceptedName,
  spawned: number,
): Member {
  return {
    agentId: agentId(name, config.name),
    name,
    agentType: draft.agentType,
    model: draft.model,
    ...(draft.prompt === undefined ? {} : { prompt: draft.prompt }),
    color: memberColor(spawned),
    planModeRequired: draft.planModeRequired ?? false,
    joinedAt: draft.joinedAt,
    tmuxPaneId: draft.tmuxPaneId,
    cwd: draft.cwd,
    subscriptions: [],
    backendType: draft.backendType,
    ...(draft.mode === undefined ? {} : { mode: draft.mode }),
    muster: { ...(displayName === undefined ? {} : { displayName }), incarnation: newUuid(), ...draft.muster },
  };
}

/** The first `-n` under which neither the name nor the display name is in use. */
function freeMemberName(config: TeamConfig, wanted: AcceptedName, others: Iterable<string>): AcceptedName {
  const names = config.members.flatMap((member) => [member.name, member.muster?.displayName ?? member.name]);
  const taken = [...names, ...others];
  const name = freeName(wanted.name, taken);
  if (wanted.displayName === undefined) return { name };
  return { name, displayName: freeName(wanted.displayName, taken) };
}

function patchMember(
  team: string,
  { raw, value }: JsonContent<TeamConfig>,
  name: string,
  patch: MemberPatch,
  incarnation: string | undefined,
): JsonChange<Member> {
  const member = value.members.find((one) => one.name === name);
  if (!member || (incarnation !== undefined && member.muster?.incarnation !== incarnation)) {
    throw new MusterError("unknown_member", `The member ${name} has left team ${team}.`);
  }
  const members = rawMembers(raw).map((one) => (isRawMember(one, name) ? patched(one, patch) : one));
  const result = memberSchema.parse(members.find((one) => isRawMember(one, name)));
  return { next: { ...(raw as RawObject), members }, result };
}

function withoutMember(
  { raw, value }: JsonContent<TeamConfig>,
  name: string,
  incarnation: string | undefined,
): JsonChange<Member | null> {
  const member = value.members.find((one) => one.name === name);
  if (!member || (incarnation !== undefined && member.muster?.incarnation !== incarnation)) return { result: null };
  const members = rawMembers(raw).filter((one) => !isRawMember(one, name));
  return { next: { ...(raw as RawObject), members }, result: member };
}

function rawMembers(raw: unknown): unknown[] {
  return (raw as { members: unknown[] }).members; // the schema was checked
}

function patched(raw: RawObject, patch: MemberPatch): RawObject {
  const { muster, ...fields } = patch;
  const own = muster === undefined ? {} : { muster: { ...(raw["muster"] as RawObject | undefined), ...muster } };
  return { ...raw, ...fields, ...own };
}
