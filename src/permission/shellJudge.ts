import type { ShellCommand } from "./shell/shellItems.ts";
import type { Surroundings } from "./surroundings.ts";
import { deny, type Verdict } from "./verdict.ts";

/**
 * How much of a script is judged: `all` of it, or only what `rules` for commands deny or ask about (for what may be a
 * command, and for texts too long for more).
 */
export type Scope = "all" | "rules";

/** What judging a part of a script needs. `judgeScript` judges shell text that a command was given as an argument. */
export interface ShellJudge {
  around: Surroundings;
  scope: Scope;
  /** Judges a command that stands inside another one. */
  judgeCommand(command: ShellCommand, judge: ShellJudge): Promise<Verdict>;
  judgeScript(source: string, folders: readonly string[] | undefined, scope: Scope): Promise<Verdict>;
}

/** In plan mode there are no questions about what does more than read: it does not run. */
export function inPlan(verdict: Verdict, { context }: Surroundings): Verdict {
  if (context.mode !== "plan" || verdict.behavior !== "ask" || verdict.kind === "rule") return verdict;
  return deny(`In plan mode only commands that read may run. ${verdict.reason}`);
}
