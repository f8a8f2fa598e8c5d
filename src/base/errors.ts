/** The closed set of reasons that the command line's contract names (`docs/command-line.md`). */
export const ERROR_REASONS = [
  "usage",
  "unknown_team",
  "unknown_member",
  "unknown_task",
  "team_exists",
  "bad_name",
  "blocked",
  "already_claimed",
  "already_resolved",
  "agent_busy",
  "cycle",
  "backlog_full",
  "not_allowed",
  "lead_elsewhere",
  "no_key",
  "api_unreachable",
  "api_refused",
  "root_unreadable",
  "lock_timeout",
  "disk_full",
  "corrupt",
  "not_ready",
] as const;

export type ErrorReason = (typeof ERROR_REASONS)[number];

/** An expected failure: `message` is one sentence for a person that says what happened and what to do. */
export class MusterError extends Error {
  readonly reason: ErrorReason;

  constructor(reason: ErrorReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "MusterError";
    this.reason = reason;
  }
}

/**
 * Whether `error` is an expected failure, of the given reason where one is named. Told by name: the extension is two
 * bundles, each with its own copy of the class.
 */
export function isMusterError(error: unknown, reason?: ErrorReason): error is MusterError {
  if (!(error instanceof Error) || error.name !== "MusterError" || !("reason" in error)) return false;
  return reason === undefined || error.reason === reason;
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error (`ENOENT`, …), or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** For a `switch` that must be exhaustive: a compile error where a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`Not reachable: ${JSON.stringify(value)}`);
}
