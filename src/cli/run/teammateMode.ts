import { usageError } from "../usageError.ts";

/** `--teammate-mode`. `auto`: tmux inside tmux, else this process. */
export const TEAMMATE_MODES = ["auto", "in-process", "terminal", "tmux"] as const;
export type TeammateMode = (typeof TEAMMATE_MODES)[number];

/** Where teammates run, as the command line says. */
export interface TeammatePlace {
  mode: TeammateMode | undefined;
  /** `--teammate-command`: one program, started without a shell. */
  command: string | undefined;
}

/** Whether teammates run in tmux: where the command line says so, with a program of their own, and inside tmux. */
export function runsInTmux({ mode = "auto", command }: TeammatePlace, env: NodeJS.ProcessEnv): boolean {
  return mode === "tmux" || (mode === "auto" && (Boolean(env["TMUX"]) || command !== undefined));
}

/** Throws `usage` where teammates cannot run in this place from a terminal. */
export function requirePlace({ mode, command }: TeammatePlace): void {
  if (mode === "terminal")
    throw usageError("--teammate-mode terminal is for VS Code's own terminals: use tmux or in-process here.");
  if (command !== undefined && mode === "in-process")
    throw usageError("--teammate-command needs --teammate-mode tmux.");
}
