import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { errorCode, MusterError } from "../../base/errors.ts";
import { pathIn } from "../../base/pathIn.ts";
import type { ToolEnvironment } from "./toolEnvironment.ts";

/** A path that a tool may work on. */
export interface ToolPath {
  /** Absolute, as it was named. */
  named: string;
  /** Where it leads: symbolic links are followed, also one whose target does not exist yet. */
  real: string;
  /** For messages: relative to the working folder where it lies inside. */
  shown: string;
}

const MAX_LINKS = 20;

/** Throws MusterError with the sentence that the model gets. */
export function failTool(sentence: string): never {
  throw new MusterError("usage", sentence);
}

/** Resolves a path of a tool's input. Rejects with a sentence where no tool may touch it. */
export async function resolveToolPath(input: string, { cwd, isHidden }: ToolEnvironment): Promise<ToolPath> {
  if (input === "" || input.includes("\0")) failTool("The path is empty or holds a NUL character.");
  const named = path.resolve(cwd, input);
  const shown = shownPath(named, cwd);
  const real = await realTarget(named, MAX_LINKS).catch((error: unknown) => failTool(explainFileError(error, shown)));
  if (isHidden?.(named) || isHidden?.(real))
    throw new MusterError("not_allowed", `${named} belongs to the team's own files, which no tool may touch.`);
  return { named, real, shown };
}

/** Relative to `cwd` where it lies inside, with `/` between on every platform. */
export function shownPath(absolute: string, cwd: string): string {
  const inside = pathIn(cwd, absolute, path);
  return inside ? inside.split(path.sep).join("/") : absolute;
}

/** `isHidden` for paths below `folder.real`, which are asked for under both names of the folder. */
export function hiddenBelow(folder: ToolPath, { isHidden }: ToolEnvironment): (real: string) => boolean {
  if (!isHidden) return () => false;
  return (real) => isHidden(real) || isHidden(rebase(real, folder));
}

/** A path below `folder.real` as the tool's input named the folder. */
export function rebase(real: string, folder: ToolPath): string {
  return path.join(folder.named, path.relative(folder.real, real));
}

/** A sentence for what the file system refused. */
export function explainFileError(error: unknown, shown: string): string {
  const sentences: Record<string, string> = {
    ENOENT: `${shown} does not exist.`,
    ENOTDIR: `A part of ${shown} is a file, not a folder.`,
    EISDIR: `${shown} is a folder.`,
    EACCES: `There is no permission to touch ${shown}.`,
    EPERM: `There is no permission to touch ${shown}.`,
    EROFS: `${shown} is on a read-only file system.`,
    ENOSPC: `The disk is full: ${shown} was not written.`,
    ENAMETOOLONG: `The path ${shown} is too long.`,
    ELOOP: `The symbolic links of ${shown} lead in a circle.`,
  };
  const code = errorCode(error) ?? "unknown error";
  return sentences[code] ?? `${shown} cannot be used (${code}).`;
}

/** `realpath` for paths of which the last parts do not exist yet, dangling links included. */
async function realTarget(absolute: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || linksLeft === 0) throw error;
  }
  const link = await linkTarget(absolute);
  if (link !== undefined) return realTarget(path.resolve(path.dirname(absolute), link), linksLeft - 1);
  const parent = path.dirname(absolute);
  return parent === absolute ? absolute : path.join(await realTarget(parent, linksLeft), path.basename(absolute));
}

async function linkTarget(absolute: string): Promise<string | undefined> {
  try {
    return (await lstat(absolute)).isSymbolicLink() ? await readlink(absolute) : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
