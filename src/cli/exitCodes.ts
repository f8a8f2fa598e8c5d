import { type ErrorReason, errorCode, errorMessage, isMusterError, MusterError } from "../base/errors.ts";

/** Exit codes of the command line (docs/command-line.md). */
export const EXIT = { done: 0, refused: 1, usage: 2, api: 3, files: 4, interrupted: 130 } as const;

/** The exit code of an error with this reason. */
export function exitCodeOf(reason: ErrorReason): number {
  return EXIT_OF_REASON[reason] ?? EXIT.refused;
}

/** Anything that was thrown as an expected failure: system errors by their code, everything else as `not_ready`. */
export function asMusterError(error: unknown): MusterError {
  if (isMusterError(error)) return error;
  const system = SYSTEM_ERRORS[errorCode(error) ?? ""];
  const message = oneLine(errorMessage(error));
  if (system) return new MusterError(system.reason, `${message}. ${system.advice}`, { cause: error });
  return new MusterError("not_ready", `This should not have happened: ${message}. Set MUSTER_DEBUG=1 to see where.`, {
    cause: error,
  });
}

const EXIT_OF_REASON: Partial<Record<ErrorReason, number>> = {
  usage: EXIT.usage,
  no_key: EXIT.api,
  api_unreachable: EXIT.api,
  api_refused: EXIT.api,
  root_unreadable: EXIT.files,
  lock_timeout: EXIT.files,
  disk_full: EXIT.files,
  corrupt: EXIT.files,
};

interface SystemError {
  reason: ErrorReason;
  advice: string;
}

const UNREADABLE: SystemError = { reason: "root_unreadable", advice: "Check the path and its permissions." };
const FULL: SystemError = { reason: "disk_full", advice: "Free some space and try again." };

const SYSTEM_ERRORS: Readonly<Record<string, SystemError | undefined>> = {
  EACCES: UNREADABLE,
  EPERM: UNREADABLE,
  EROFS: UNREADABLE,
  ENOTDIR: UNREADABLE,
  EISDIR: UNREADABLE,
  ELOOP: UNREADABLE,
  EIO: UNREADABLE,
  EMFILE: { reason: "root_unreadable", advice: "Too many files are open: close some programs and try again." },
  ENOSPC: FULL,
  EDQUOT: FULL,
};

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replace(/\.$/, "");
}
