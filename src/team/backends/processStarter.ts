/** A teammate's process as it is to be started. */
export interface ProcessSpec {
  team: string;
  /** The member's file name, and the name to show. */
  name: string;
  displayName: string;
  color: string | null;
  /** Program and arguments, never through a shell. */
  argv: readonly string[];
  /** The whole environment of the process. */
  env: Readonly<Record<string, string>>;
  cwd: string;
}

/** How a process went: what is known of it, and whether the person closed its terminal. */
export interface ProcessEnd {
  reason: string;
  byPerson?: boolean;
}

/** A teammate's process that was started. */
export interface StartedProcess {
  /** Where a person finds it: a pane's id (`%5`), or `terminal`. */
  readonly address: string;
  /** Settles when the process is gone; never rejects. */
  readonly exited: Promise<ProcessEnd>;
  /** Shows it to the person: its terminal, which they go to or not (`preserveFocus`), or its pane in the tmux that it is in. */
  reveal(options: { preserveFocus: boolean }): Promise<void>;
  /** Ends it at once, with what it started. `exited` settles soon after. */
  kill(): Promise<void>;
}

/** A way to run teammates as processes of their own. */
export interface ProcessStarter {
  readonly type: "terminal" | "tmux";
  /** Program and arguments that show a process in another terminal, by its address; without it `reveal` shows it. */
  attachCommand?(address: string): Promise<string[]>;
  /** What a process shows, by its address: its lines, with colours. Rejects with `not_ready` where it is gone. */
  capturePane?(address: string): Promise<string>;
  /** Gets ready what the next start needs, while its files are written. Never rejects. */
  prepare?(): Promise<void>;
  /**
   * Starts the process. Where that fails nothing of it is left. Rejects with MusterError `not_ready` and a sentence; with
   * AbortedError when `signal` aborts.
   */
  start(spec: ProcessSpec, signal: AbortSignal): Promise<StartedProcess>;
}
