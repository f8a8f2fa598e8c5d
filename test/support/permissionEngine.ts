import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { contextOf, fillIn, foldersOf, type Places, placesIn } from "../../src/cli/explain/explainCase.ts";
import { decide } from "../../src/permission/decide.ts";
import type { Decision, DecisionContext } from "../../src/permission/types.ts";
import type { PermissionMode } from "../../src/protocol/mode.ts";
import { nodePathFs } from "../../src/store/pathFs.ts";

/** What a test changes about an engine that has no rules and the default mode. */
export interface Settings {
  mode?: PermissionMode;
  allow?: string[];
  ask?: string[];
  deny?: string[];
  context?: Partial<DecisionContext>;
}

/** The engine over a temporary project; placeholders such as `{PROJ}` are filled in. */
export interface Engine {
  readonly places: Places;
  fill<T>(value: T): T;
  /** What it decides by. */
  context(settings?: Settings): DecisionContext;
  decide(tool: string, input: Record<string, unknown>, settings?: Settings): Promise<Decision>;
  /** What becomes of a shell command. */
  bash(command: string, settings?: Settings): Promise<Decision>;
  [Symbol.dispose](): void;
}

/** The engine over a new folder, which holds what cases have as their places. */
export function openEngine(): Engine {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "muster-engine-")));
  const places = placesIn(dir);
  for (const folder of foldersOf(places)) mkdirSync(folder, { recursive: true });
  const fill = <T>(value: T) => fillIn(value, places) as T;
  const contextFor: Engine["context"] = ({ mode = "default", allow = [], ask = [], deny = [], context } = {}) => {
    const rules = { allow, ask, deny, additionalDirectories: [] };
    return { ...contextOf(fill({ mode, rules, cwd: "{PROJ}" }), places, nodePathFs), ...context };
  };
  const judge: Engine["decide"] = (tool, input, settings) => decide({ tool, input: fill(input) }, contextFor(settings));
  return {
    ...{ places, fill, context: contextFor, decide: judge },
    bash: (command, settings) => judge("Bash", { command }, settings),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Decides every command and compares with what is expected of all of them. */
export async function expectAll(
  engine: Engine,
  expected: string,
  commands: readonly string[],
  settings: Settings = {},
): Promise<void> {
  for (const command of commands) {
    const { behavior, reason } = await engine.bash(command, settings);
    expect(behavior, `${command}\n${reason}`).toBe(expected);
  }
}
