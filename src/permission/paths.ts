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

/**
 * Resolves absolute paths, each only once: one decision asks for the same folders again and again. Rejects with
 * `not_allowed` where links go in circles or a folder cannot be looked into.
 */
export interface PathResolver {
  /** The real form alone. */
  real(absolute: string): Promise<string>;
  resolve(absolute: string): Promise<ResolvedPath>;
}

/** A resolver for one decision; what it has found is forgotten with it. */
export function pathResolver(
  context: Pick<DecisionContext, "platform" | "fs">,
  signal: AbortSignal | undefined,
): PathResolver {
  const api = pathApi(context);
  const reals = new Map<string, Promise<string>>();
  const stats = new Map<string, Promise<PathStat | undefined>>();
  const statOf = (path: string): Promise<PathStat | undefined> => {
    const found = stats.get(path) ?? readStat(path, context.fs);
    stats.set(path, found);
    return found;
  };
  const real = (absolute: string): Promise<string> => {
    signal?.throwIfAborted();
    const known = reals.get(absolute);
    if (known) return known;
    const found = realForm(absolute, { api, fs: context.fs, real, statOf });
    reals.set(absolute, found);
    return found;
  };
  return {
    real,
    async resolve(absolute) {
      const lexical = lexicalForm(absolute, api);
      void statOf(lexical).catch(() => undefined); // looked at meanwhile: but for links it is the real one
      const path = await real(absolute);
      const stat = await statOf(path);
      signal?.throwIfAborted();
      return { lexical, real: path, stat };
    },
  };
}

/** `..` removed by text, no slash at the end. */
export function lexicalForm(absolute: string, api: nodePath.PlatformPath): string {
  const path = api.normalize(absolute);
  return path.length > api.parse(path).root.length && path.endsWith(api.sep) ? path.slice(0, -1) : path;
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

/** What one decision's look at the disk shares. */
interface Look {
  api: nodePath.PlatformPath;
  fs: PathFs;
  real(absolute: string): Promise<string>;
  /** Undefined: there is no such file. */
  statOf(path: string): Promise<PathStat | undefined>;
}

async function realForm(absolute: string, look: Look): Promise<string> {
  const { api, fs, real, statOf } = look;
  try {
    return await fs.realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw unresolvable(absolute, error);
  }
  const plain = lexicalForm(absolute, api);
  const parent = api.dirname(plain);
  const climbs = absolute.split(/[/\\]/).includes("..");
  if (climbs || parent === plain || (await statOf(plain))) return walk(absolute, look);
  return api.join(await real(parent), api.basename(plain));
}

/** Follows the path step by step, so that a link to nothing counts as what it points to. */
async function walk(absolute: string, { api, fs, statOf }: Look): Promise<string> {
  const { root } = api.parse(absolute);
  const separator = api.sep === "\\" ? /[/\\]/ : "/";
  const queue = absolute.slice(root.length).split(separator);
  let current = root;
  let missing = 0;
  let links = 0;
  for (let segment = queue.shift(); segment !== undefined; segment = queue.shift()) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      current = api.dirname(current);
      missing = Math.max(0, missing - 1);
      continue;
    }
    const next = api.join(current, segment);
    const stat = missing > 0 ? undefined : await statOf(next);
    if (!stat) missing += 1;
    if (!stat?.isSymbolicLink()) {
      current = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw unresolvable(absolute, undefined);
    const target = await fs.readlink(next);
    const targetRoot = api.parse(target).root;
    if (targetRoot) current = targetRoot;
    queue.unshift(...target.slice(targetRoot.length).split(separator));
  }
  return current;
}

async function readStat(path: string, fs: PathFs): Promise<PathStat | undefined> {
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
