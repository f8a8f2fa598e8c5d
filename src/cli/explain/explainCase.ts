import path from "node:path";
import { decide } from "../../permission/decide.ts";
import { brokenRule, type CollectedRules, collectRules, tightened } from "../../permission/ruleFiles.ts";
import type { Decision, DecisionContext, PathFs } from "../../permission/types.ts";
import { createScratchFolder, type ScratchFolder } from "../../store/scratchFolder.ts";
import { SPAWN_TOOLS, TEAM_TOOLS } from "../../team/agentTypes.ts";
import { type PermissionCase, permissionCaseSchema } from "./permissionCase.ts";

/** Decides one case in a temporary folder that holds what it describes. */
export async function explainCase(given: PermissionCase, fs: PathFs): Promise<Decision> {
  const scratch = await createScratchFolder();
  try {
    const places = placesIn(scratch.dir);
    const filled = permissionCaseSchema.parse(fillIn(given, places));
    await setUp(scratch, places, filled);
    const broken = brokenRule(rulesOf(filled, places));
    if (broken !== null) return refusal(broken);
    const input = filled.fixture?.updatedInput ?? filled.input;
    const decision = await decide({ tool: filled.tool, input }, contextOf(filled, places, fs));
    const hook = filled.fixture?.preToolUseHook;
    return hook
      ? tightened(decision, { behavior: hook.permissionDecision, reason: `A hook says ${hook.permissionDecision}.` })
      : decision;
  } finally {
    await scratch.remove();
  }
}

/** What the placeholders of cases stand for: absolute paths. `PLAN` is a file, the others are folders. */
export type Places = Readonly<Record<"PROJ" | "HOME" | "OUT" | "TEAMS" | "TASKS" | "PLAN", string>>;

/** The places in a folder; nothing is made. */
export function placesIn(dir: string): Places {
  const home = path.join(dir, "home", "person");
  const state = path.join(home, ".claude");
  return {
    PROJ: path.join(home, "work", "proj"),
    HOME: home,
    OUT: path.join(dir, "elsewhere"),
    TEAMS: path.join(state, "teams"),
    TASKS: path.join(state, "tasks"),
    PLAN: path.join(state, "plans", "plan.md"),
  };
}

/** A value with the placeholders of all its texts, names of fields included, replaced. */
export function fillIn(value: unknown, places: Places): unknown {
  if (typeof value === "string")
    return value.replace(/\{([A-Z]+)\}/g, (all, name: string) => (name in places ? places[name as keyof Places] : all));
  if (Array.isArray(value)) return value.map((item) => fillIn(item, places));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [fillIn(key, places), fillIn(item, places)]));
}

async function setUp(scratch: ScratchFolder, places: Places, { fixture }: PermissionCase): Promise<void> {
  for (const folder of foldersOf(places)) await scratch.makeDir(folder);
  for (const file of fixture?.files ?? []) await scratch.makeFile(file, "x");
  for (const [link, target] of Object.entries(fixture?.hardlinks ?? {})) {
    await scratch.makeFile(target, "x");
    await scratch.makeHardlink(link, target);
  }
  // last, so that nothing is made through them
  for (const [link, target] of Object.entries(fixture?.symlinks ?? {})) await scratch.makeSymlink(link, target);
}

/** The folders that are there in every case. */
export function foldersOf({ PLAN, ...folders }: Places): string[] {
  return [...Object.values(folders), path.dirname(PLAN)];
}

/** A call that is not judged at all, since a rule is none. */
function refusal(reason: string): Decision {
  return { behavior: "deny", rule: null, reason, suggestions: [], parts: null, guarded: false };
}

/** The rules of a case: its own, and those of the workspace's file. */
function rulesOf(
  { rules, mode, fixture }: Pick<PermissionCase, "rules" | "mode" | "fixture">,
  places: Places,
): CollectedRules {
  const root = places.PROJ;
  const workspace = withoutUndefined(fixture?.repoSettings?.permissions ?? {});
  return collectRules(
    [
      { source: "session", root, accepted: true, permissions: rules },
      { source: "workspace", root, accepted: fixture?.trusted ?? false, permissions: workspace },
    ],
    mode,
  );
}

/** What the engine decides a case by; its placeholders are filled in. Rules that are none are left out. */
export function contextOf(
  given: Pick<PermissionCase, "rules" | "mode" | "cwd" | "platform" | "fixture">,
  places: Places,
  fs: PathFs,
): DecisionContext {
  const { rules, mode, additionalDirectories } = rulesOf(given, places);
  const { cwd, platform } = given;
  return {
    mode,
    rules,
    cwd,
    projectRoot: places.PROJ,
    additionalDirectories,
    home: places.HOME,
    outOfReach: [places.TEAMS, places.TASKS],
    planFile: places.PLAN,
    platform: platform ?? "posix",
    fs,
    teamTools: TEAM_TOOLS,
    spawnTools: new Set([...SPAWN_TOOLS, "SpawnTeammate"]),
  };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as never;
}
