import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { decide } from "../../../src/permission/decide.ts";
import { collectRules, tightened } from "../../../src/permission/ruleFiles.ts";
import type { Behavior, Decision, DecisionContext } from "../../../src/permission/types.ts";
import type { PermissionMode } from "../../../src/protocol/mode.ts";

/** A case of `test/fixtures/permission/*.json`. */
export interface PermissionCase {
  id: string;
  group: string;
  mode: PermissionMode;
  rules: { allow: string[]; ask: string[]; deny: string[]; additionalDirectories?: string[] };
  cwd: string;
  tool: string;
  input: Record<string, unknown>;
  expect: Behavior;
  why: string;
  platform?: "win32";
  fixture?: {
    symlinks?: Record<string, string>;
    hardlinks?: Record<string, string>;
    files?: string[];
    repoSettings?: { permissions: Record<string, never> };
    trusted?: boolean;
    preToolUseHook?: { permissionDecision: Behavior };
    updatedInput?: Record<string, unknown>;
  };
}

/** A temporary folder that holds what the placeholders of a case stand for. */
export interface CaseWorld {
  places: Record<string, string>;
  fill<T>(value: T): T;
  dispose(): void;
}

export function caseWorld(): CaseWorld {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "muster-cases-")));
  const home = path.join(root, "home", "ada");
  const places: Record<string, string> = {
    PROJ: path.join(home, "work", "proj"),
    HOME: home,
    OUT: path.join(root, "out"),
    TEAMS: path.join(home, ".claude", "teams"),
    TASKS: path.join(home, ".claude", "tasks"),
    PLAN: path.join(home, ".claude", "plans", "plan.md"),
  };
  for (const [name, place] of Object.entries(places))
    mkdirSync(name === "PLAN" ? path.dirname(place) : place, { recursive: true });
  const replace = (text: string): string => text.replace(/\{([A-Z]+)\}/g, (all, name: string) => places[name] ?? all);
  const fill = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, item) => (typeof item === "string" ? replace(item) : item));
  return { places, fill, dispose: () => rmSync(root, { recursive: true, force: true }) };
}

/** Sets the case's fixture up and decides it. */
export async function decideCase(given: PermissionCase, world: CaseWorld): Promise<Decision> {
  const links = Object.entries(given.fixture?.symlinks ?? {}).map((pair) => world.fill(pair));
  const hardlinks = Object.entries(given.fixture?.hardlinks ?? {}).map((pair) => world.fill(pair));
  const filled = world.fill(given);
  const { fixture } = filled;
  for (const file of fixture?.files ?? []) write(file);
  for (const [link, target] of links) {
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
  for (const [link, target] of hardlinks) {
    write(target);
    mkdirSync(path.dirname(link), { recursive: true });
    linkSync(target, link);
  }
  const decision = await decide(
    { tool: filled.tool, input: fixture?.updatedInput ?? filled.input },
    contextOf(filled, world),
  );
  const hook = fixture?.preToolUseHook;
  return hook ? tightened(decision, { behavior: hook.permissionDecision, reason: "A hook says so." }) : decision;
}

/** The context of a case whose placeholders are filled in. */
export function contextOf(
  given: Pick<PermissionCase, "mode" | "rules" | "cwd" | "fixture" | "platform">,
  world: CaseWorld,
): DecisionContext {
  const proj = world.places.PROJ ?? "";
  const { additionalDirectories = [], ...rules } = given.rules;
  const collected = collectRules(
    [
      { source: "session", root: proj, accepted: true, permissions: rules },
      {
        source: "workspace",
        root: proj,
        accepted: given.fixture?.trusted ?? false,
        permissions: given.fixture?.repoSettings?.permissions ?? {},
      },
    ],
    given.mode,
  );
  return {
    mode: collected.mode,
    rules: collected.rules,
    cwd: given.cwd,
    projectRoot: proj,
    additionalDirectories,
    home: world.places.HOME ?? "",
    outOfReach: [world.places.TEAMS ?? "", world.places.TASKS ?? ""],
    planFile: world.places.PLAN,
    platform: given.platform ?? "posix",
    fs,
    teamTools: new Set(["SendMessage", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"]),
    spawnTools: new Set(["SpawnTeammate", "Task"]),
  };
}

function write(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "x");
}
