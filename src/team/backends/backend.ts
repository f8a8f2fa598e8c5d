import { MusterError } from "../../base/errors.ts";
import type { BackendType } from "../../protocol/team.ts";
import type { RunningMember } from "../context.ts";

/** Why a teammate is gone. */
export type ExitReason = { kind: "shutdown" } | { kind: "ended"; reason: string } | { kind: "crashed"; reason: string };

/** A teammate that was started. */
export interface BackendHandle {
  /** Settles when nothing of the teammate runs any more; never rejects. */
  readonly exited: Promise<ExitReason>;
  /** Shows where it runs, where that is a place of its own; `preserveFocus`: without going there. */
  reveal?(options: { preserveFocus: boolean }): Promise<void>;
  /** Program and arguments that show it in another terminal. */
  attach?(): Promise<string[]>;
  /** What its terminal shows now, as plain text. */
  screen?(): Promise<string>;
  /** Ends it at once. `exited` settles soon after. */
  kill(reason: string): void;
}

/** Where teammates run. */
export interface Backend {
  readonly type: BackendType;
  /**
   * Starts a teammate whose entry is in config.json. Rejects with `not_ready` where it does not come, or an earlier
   * process of it stays, with AbortedError where its lifetime or the session ends meanwhile, and with errors of the
   * store: then nothing that it began is left.
   */
  start(running: RunningMember): Promise<BackendHandle>;
}

/** Why the start of a member fails that was ended meanwhile. */
export function endedBefore({ member }: RunningMember): MusterError {
  return new MusterError("not_ready", `${member.name} was ended while it was started.`);
}
