import { type ErrorReason, errorCode, errorMessage, isMusterError, MusterError } from "../base/errors.ts";

/** Whether a path is missing. A name in a path that is a file counts as missing too. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "");
}

/** Whether something is in the way of a creation. */
export function isTaken(error: unknown): boolean {
  return ["EEXIST", "ENOTEMPTY"].includes(errorCode(error) ?? "");
}

/**
 * A system error as the one that a person gets: `root_unreadable` (no permission, read-only, too many open files, other
 * failures of the file system) or `disk_full`. `what` says what was not done ("The message was not sent"). Named is the
 * file at which it failed, `path` where the error names none: a folder that is named is not one to move away or to give
 * other permissions because of one file in it. Expected failures pass as they are.
 */
export function fileFailure(error: unknown, what: string, path: string): MusterError {
  if (isMusterError(error)) return error;
  const place = failedAt(error) ?? path;
  const [reason, why] = CAUSES[errorCode(error) ?? ""] ?? ["root_unreadable", `${errorMessage(error)} (${place})`];
  return new MusterError(reason, `${what}: ${why.replaceAll("{path}", () => place)}.`, { cause: error });
}

/** The file that a system error names, undefined where it names none; what the store makes beside a file (temporary files, locks) tells a person nothing. */
export function failedAt(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("path" in error)) return undefined;
  return typeof error.path === "string" && !/\.(tmp|lock)$/.test(error.path) ? error.path : undefined;
}

/** Runs `job`; what the file system refuses becomes `fileFailure`. */
export async function withFileErrors<T>(what: string, path: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    throw fileFailure(error, what, path);
  }
}

const NO_PERMISSION = "{path} may not be read or changed by this user; check its owner and permissions";
const FULL = "the disk is full; free some space and try again";
const TOO_MANY_FILES = "too many files are open; close some programs and try again";

const CAUSES: Readonly<Record<string, readonly [ErrorReason, string]>> = {
  EACCES: ["root_unreadable", NO_PERMISSION],
  EPERM: ["root_unreadable", NO_PERMISSION],
  EROFS: ["root_unreadable", "{path} is on a read-only file system; choose another state root"],
  ENOSPC: ["disk_full", FULL],
  EDQUOT: ["disk_full", FULL],
  EMFILE: ["root_unreadable", TOO_MANY_FILES],
  ENFILE: ["root_unreadable", TOO_MANY_FILES],
  ENOENT: ["root_unreadable", "{path} is not there any more; try again"],
  ENOTDIR: [
    "root_unreadable",
    "a part of {path} is a file, or a link that leads nowhere, where a folder should be; choose another state root, or move that away",
  ],
  EISDIR: ["root_unreadable", "{path} is a folder where a file should be; move it away"],
  ELOOP: ["root_unreadable", "{path} is a link, which the state folder may not hold; remove it"],
};
