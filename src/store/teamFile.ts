import { MusterError } from "../base/errors.ts";
import type { Entry } from "../protocol/message.ts";
import { foldName, PERSON_NAME } from "../protocol/names.ts";
import {
  type Generation,
  isLead,
  type Member,
  memberSchema,
  type TeamConfig,
  teamConfigSchema,
} from "../protocol/team.ts";
import type { JsonFile } from "./jsonFile.ts";
import { lockOf, type TeamPaths } from "./paths.ts";
import { salvageJson } from "./salvageJson.ts";

/** A raw object of config.json, with fields that only other writers know. */
export type RawObject = Record<string, unknown>;

/** config.json of a team. */
export function configFile(paths: TeamPaths): JsonFile<TeamConfig> {
  return {
    path: paths.config,
    lock: lockOf(paths.config),
    home: paths,
    what: `the configuration of team ${paths.folder}`,
    parse: (raw) => {
      const parsed = teamConfigSchema.safeParse(raw);
      return parsed.success ? parsed.data : undefined;
    },
    salvage: salvageJson,
    // a teammate of 2.1.41 that exits may leave the file empty; teams of others change without us, so only ours
    backup: { path: paths.configBackup, wants: (raw) => teamConfigSchema.safeParse(raw).data?.muster !== undefined },
  };
}

/** Whether an element of the raw `members` is the member of this name. */
export function isRawMember(raw: unknown, name: string): raw is RawObject {
  const parsed = memberSchema.safeParse(raw);
  return parsed.success && parsed.data.name === name;
}

/**
 * The member that a person or a model names: by name, display name or `name@team`; letter case counts only where two
 * would match without it. Throws `unknown_member` with the names that exist.
 */
export function resolveMember(team: string, config: TeamConfig, named: string): Member {
  const found = findMember(config, named);
  if (found) return found;
  const names = config.members.map((member) => member.muster?.displayName ?? member.name).join(", ");
  throw new MusterError(
    "unknown_member",
    `${JSON.stringify(named.slice(0, 80))} is not a member of team ${team}. Its members are: ${names || "none"}.`,
  );
}

/** As `resolveMember`, or undefined. */
export function findMember(config: TeamConfig, named: string): Member | undefined {
  const forms = (member: Member) => [member.name, member.agentId, member.muster?.displayName];
  const exact = config.members.find((member) => forms(member).includes(named));
  if (exact || named === PERSON_NAME) return exact;
  const fold = foldName(named);
  const alike = config.members.filter((member) => forms(member).some((form) => form && foldName(form) === fold));
  return alike.length === 1 ? alike[0] : undefined;
}

/**
 * The generation of the reference that wrote a team, by its configuration and by the keys of entries that others wrote:
 * G2 added `type`, G3 `msgV`. Ours count as G1.
 */
export function teamGeneration(config: TeamConfig, inboxes: Iterable<{ entries: readonly Entry[] }>): Generation {
  const generation = configGeneration(config);
  if (generation === "G3" || config.muster) return generation;
  const theirs = [...inboxes].flatMap((inbox) => inbox.entries).filter((entry) => entry.muster === undefined);
  if (theirs.some((entry) => entry.msgV !== undefined)) return "G3";
  return theirs.some((entry) => entry.type === "message") ? "G2" : "G1";
}

/** The generation as far as a configuration shows it: G3, or an earlier one. */
export function configGeneration(config: TeamConfig): Generation {
  if (config.muster) return "G1";
  const lead = config.members.find((member) => member.name === "team-lead");
  return config.leadProcess || lead?.tmuxPaneId === "leader" || /^session-[0-9a-f]{8}$/.test(config.name) ? "G3" : "G1";
}

/** The error of a name that a team has already. */
export function teamExists(name: string): MusterError {
  return new MusterError("team_exists", `There is a team ${JSON.stringify(name)} already. Choose another name.`);
}

/** Throws `not_ready`, which names them, where teammates are in a team that is to be deleted. */
export function requireNoTeammates({ members }: TeamConfig): void {
  const living = members.filter((member) => !isLead(member)).map(({ name }) => name);
  if (living.length === 0) return;
  throw new MusterError(
    "not_ready",
    `The team was not deleted: ${living.join(", ")} still live. Ask them to shut down first.`,
  );
}
