import type { PermissionMode } from "../protocol/mode.ts";
import type { CommandPart, PermissionSuggestion } from "../protocol/request.ts";
import type { Rule } from "./rules.ts";

/** What the engine needs of a file system; `node:fs/promises` has this shape. Missing files reject with `ENOENT`. */
export interface PathFs {
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  lstat(path: string): Promise<PathStat>;
}

/** `nlink`: number of names that the file has. */
export interface PathStat {
  nlink: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** A tool call that waits for a decision. */
export interface PermissionCall {
  tool: string;
  input: Record<string, unknown>;
}

/** Rules by what they do; the first of deny, ask, allow that matches wins, however specific another one is. */
export interface RuleSet {
  allow: readonly Rule[];
  ask: readonly Rule[];
  deny: readonly Rule[];
}

/** Everything besides the call that a decision depends on. All paths are absolute. */
export interface DecisionContext {
  mode: PermissionMode;
  rules: RuleSet;
  /** Where the call runs; relative paths and `./` rules start here. */
  cwd: string;
  /** The project folder: the border of what may be read without a question. */
  projectRoot: string;
  /** Further folders inside the border. */
  additionalDirectories: readonly string[];
  home: string;
  /** Folders and files that only the store may touch (teams, tasks, muster, …): denied in every mode. */
  outOfReach: readonly string[];
  /** The agent's own plan file: it may be read always, and written in plan mode. */
  planFile: string | undefined;
  platform: "posix" | "win32";
  fs: PathFs;
  /** Tools without side effects outside the team's own state: always allowed unless a deny rule names them. */
  teamTools: ReadonlySet<string>;
  /** Tools whose `name` makes a new member: a name that the team would refuse is denied. */
  spawnTools: ReadonlySet<string>;
}

export type Behavior = "allow" | "ask" | "deny";

/**
 * What becomes of a call. `rule`: text of the rule that decided, or null. `reason`: one sentence for a person.
 * `suggestions`: changes that would make the question unnecessary (only with `ask`). `parts`: of a shell command.
 */
export interface Decision {
  behavior: Behavior;
  rule: string | null;
  reason: string;
  suggestions: PermissionSuggestion[];
  parts: DecisionPart[] | null;
  /** It asks for a reason that no policy of allowing everything takes away: protected files, critical removals. */
  guarded: boolean;
}

/** One simple command or redirection of a shell command. */
export interface DecisionPart extends CommandPart {
  behavior: Behavior;
  rule: string | null;
  reason: string;
}
