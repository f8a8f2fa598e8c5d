/** `--teammate-mode`. `auto`: tmux inside tmux, else this process. */
export const TEAMMATE_MODES = ["auto", "in-process", "terminal", "tmux"] as const;
export type TeammateMode = (typeof TEAMMATE_MODES)[number];

/** Where teammates run, as the command line says. */
export interface TeammatePlace {
  mode: TeammateMode | undefined;
  /** `--teammate-command`: one program, started without a shell. */
  command: string | undefined;
}
