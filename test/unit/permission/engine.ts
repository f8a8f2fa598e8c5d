import { decide } from "../../../src/permission/decide.ts";
import type { Decision, DecisionContext } from "../../../src/permission/types.ts";
import type { PermissionMode } from "../../../src/protocol/mode.ts";
import type { CaseWorld } from "./caseWorld.ts";
import { caseWorld, contextOf } from "./caseWorld.ts";

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
  world: CaseWorld;
  decide(tool: string, input: Record<string, unknown>, settings?: Settings): Promise<Decision>;
  /** What becomes of a shell command. */
  bash(command: string, settings?: Settings): Promise<Decision>;
  [Symbol.dispose](): void;
}

export function openEngine(): Engine {
  const world = caseWorld();
  const judge: Engine["decide"] = (
    tool,
    input,
    { mode = "default", allow = [], ask = [], deny = [], context } = {},
  ) => {
    const given = world.fill({ mode, rules: { allow, ask, deny }, cwd: "{PROJ}", input });
    return decide({ tool, input: given.input }, { ...contextOf(given, world), ...context });
  };
  return {
    world,
    decide: judge,
    bash: (command, settings) => judge("Bash", { command }, settings),
    [Symbol.dispose]: () => world.dispose(),
  };
}
