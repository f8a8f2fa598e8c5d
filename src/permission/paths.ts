import nodePath from "node:path";
import { errorCode, MusterError } from "../base/errors.ts";
import type { DecisionContext, PathFs, PathStat } from "./types.ts";

/**
 * A path in the two forms in which it is judged. `lexical`: `..` removed by text; `real`: as the kernel would walk it,
 * symbolic links followed, for the deepest part that exists. `stat`: of the real path, undefined where it is missing.
 */
export interface ResolvedPath {
  lexical: string;
  real: string;
  stat: PathStat | undefined;
}

const MAX_LINKS = 40;

/** The path functions of the context's platform. */
export function pathApi(context: Pick<DecisionContext, "platform">): nodePath.PlatformPath {
  return context.platform === "win32" ? nodePath.win32 : nodePath.posix;
}

/** `target` as an absolute path, not yet normalised: `..` behind a symbolic link means something else than by text. */
export function absolutePath(
  target: string,
  base: string,
  context: Pick<DecisionContext, "platform" | "home">,
): string {
  const api = pathApi(context);
  const expanded = /^~(?=$|[/\\])/.test(target) ? context.home + target.slice(1) : target;
  return api.isAbsolute(expanded) ? expanded : `${base}${api.sep}${expanded}`;
}

/** Resolves an absolute path. Throws `not_allowed` where links go in circles or a folder cannot be looked into. */
export async function resolvePath(
  absolute: string,
  context: Pick<DecisionContext, "platform" | "fs">,
  signal?: AbortSignal,
): Promise<ResolvedPath> {
  const api = pathApi(context);
  signal?.throwIfAborted();
  const real = await realForm(absolute, api, context.fs);
  signal?.throwIfAborted();
  return { lexical: withoutTrailingSlash(api.normalize(absolute), api), real, stat: await statOf(real, context.fs) };
}

/** The components of an absolute path below its root; on Windows the drive comes first. */
export function pathSegments(absolute: string, api: nodePath.PlatformPath): string[] {
  const { root } = api.parse(absolute);
  const drive = root.replace(/[/\\]/g, "");
  const below = absolute.slice(root.length).split(api === nodePath.win32 ? /[/\\]/ : "/");
  return [...(drive ? [drive] : []), ...below.filter((segment) => segment !== "" && segment !== ".")];
}

/** The form in which names are compared where a miss would be dangerous: most file systems ignore case somewhere. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Whether `inner` is `outer` or lies below it. Both absolute and normalised. */
export function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.length <= inner.length && outer.every((segment, index) => inner[index] === segment);
}

async function realForm(absolute: string, api: nodePath.PlatformPath, fs: PathFs): Promise<string> {
  try {
    return await fs.realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw unresolvable(absolute, error);
  }
  return walk(absolute, api, fs);
}

/** Follows the path step by step, so that a link to nothing counts as what it points to. */
async function walk(absolute: string, api: nodePath.PlatformPath, fs: PathFs): Promise<string> {
  const { root } = api.parse(absolute);
  let current = root;
  let missing = 0;
  let links = 0;
  const separator = api.sep === "\\" ? /[/\\]/ : "/";
  const queue = absolute.slice(root.length).split(separator);
  for (let segment = queue.shift(); segment !== undefined; segment = queue.shift()) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      current = api.dirname(current);
      missing = Math.max(0, missing - 1);
      continue;
    }
    const next = api.join(current, segment);
    const target = missing > 0 ? undefined : await linkTarget(next, fs);
    if (target === undefined) {
      missing += missing > 0 || (await statOf(next, fs)) === undefined ? 1 : 0;
      current = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw unresolvable(absolute, undefined);
    const targetRoot = api.parse(target).root;
    if (targetRoot) current = targetRoot;
    queue.unshift(...target.slice(targetRoot.length).split(separator));
  }
  return current;
}

async function linkTarget(path: string, fs: PathFs): Promise<string | undefined> {
  const stat = await statOf(path, fs);
  return stat?.isSymbolicLink() ? fs.readlink(path) : undefined;
}

async function statOf(path: string, fs: PathFs): Promise<PathStat | undefined> {
  try {
    return await fs.lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unresolvable(path, error);
  }
}

function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}

function unresolvable(path: string, cause: unknown): MusterError {
  return new MusterError("not_allowed", `${path} cannot be followed to a real file. Check the path and its links.`, {
    cause,
  });
}

function withoutTrailingSlash(path: string, api: nodePath.PlatformPath): string {
  return path.length > api.parse(path).root.length && path.endsWith(api.sep) ? path.slice(0, -1) : path;
}
