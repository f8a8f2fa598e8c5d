import { MusterError } from "../base/errors.ts";
import { sha256Hex } from "./digest.ts";

/** The lead's name in every team. */
export const LEAD_NAME = "team-lead";

/** The sender of what the person says. */
export const PERSON_NAME = "user";

/** The sender of what only the runtime says, never in a file. */
export const SYSTEM_NAME = "system";

/** A name that was accepted: `name` is what files and protocol fields carry, `displayName` what was typed if it differs. */
export interface AcceptedName {
  name: string;
  displayName?: string;
}

const OWN_FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const OWN_TEAM_FOLDER = /^[a-z0-9][a-z0-9-]{0,63}$/;
const TYPED = /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd} _-]*$/u;
const RESERVED = new Set([LEAD_NAME, PERSON_NAME, SYSTEM_NAME, "default"]);
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * Checks a typed member name (`docs/architecture.md`, Names). Throws `bad_name` with a sentence where it is refused.
 */
export function acceptMemberName(typed: string): AcceptedName {
  const name = checked(typed, "member");
  return OWN_FILE_NAME.test(name) ? { name } : { name: slug(name), displayName: name };
}

/** Checks a typed team name; `name` is the folder. Throws `bad_name`. */
export function acceptTeamName(typed: string): AcceptedName {
  const name = checked(typed, "team");
  return OWN_TEAM_FOLDER.test(name) ? { name } : { name: slug(name).toLowerCase(), displayName: name };
}

/** The form on which names are compared: two names with the same fold are one name. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** `name`, or the first of `name-2`, `name-3`… that no name in `taken` folds to. */
export function freeName(name: string, taken: Iterable<string>): string {
  const folds = new Set([...taken].map(foldName));
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? name : withSuffix(name, `-${n}`);
    if (!folds.has(foldName(candidate))) return candidate;
  }
}

/**
 * The file name (without `.json`) of a member's inbox. Accepted names are their own; names that a foreign config.json
 * holds are mapped as 2.1.41 does: every character outside `[a-zA-Z0-9_-]` becomes `-`, case kept.
 */
export function inboxFileName(name: string): string {
  return OWN_FILE_NAME.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/gu, (char) => "-".repeat(char.length)) || "-";
}

/** The same mapping for the folder of a team's inboxes and tasks, as 2.1.41 looks it up. */
export function taskFolderName(team: string): string {
  return inboxFileName(team);
}

function checked(typed: string, what: "member" | "team"): string {
  const name = typed.normalize("NFKC");
  if ([...name].length > 64) throw badName(typed, what, "it is longer than 64 characters");
  if (!TYPED.test(name))
    throw badName(typed, what, "a name begins with a letter or digit and holds letters, digits, blanks, _ and - only");
  const fold = foldName(name).trimEnd();
  if (fold !== foldName(name)) throw badName(typed, what, "it ends with a blank");
  if (RESERVED.has(fold)) throw badName(typed, what, "it is reserved");
  if (WINDOWS_DEVICE.test(fold)) throw badName(typed, what, "it is a device name on Windows");
  return name;
}

function badName(typed: string, what: "member" | "team", why: string): MusterError {
  const shown = JSON.stringify([...typed].slice(0, 80).join(""));
  return new MusterError(
    "bad_name",
    what === "team"
      ? `${shown} cannot be a team name: ${why}. Choose another name.`
      : `${shown} cannot be a member name: ${why}. Choose another name.`,
  );
}

function slug(name: string): string {
  const ascii = name
    .normalize("NFKC")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 50)
    .replace(/-+$/, "");
  return `${ascii || "m"}-${sha256Hex(name).slice(0, 6)}`;
}

function withSuffix(name: string, suffix: string): string {
  return `${name.slice(0, 64 - suffix.length)}${suffix}`;
}
