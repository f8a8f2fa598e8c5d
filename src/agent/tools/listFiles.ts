import type { Dirent } from "node:fs";
import { access, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { callbackify } from "node:util";
import ignore, { type Ignore } from "ignore";
import { throwIfAborted } from "../../base/abort.ts";

export interface ListOptions {
  /** Patterns that leave files out. */
  exclude?: readonly string[];
  isHidden: (path: string) => boolean;
}

/**
 * The files below `root` that match `patterns`, as absolute paths in no order. Left out: what the `.gitignore` files of
 * the repository ignore (unless `root` itself is ignored), `.git`, hidden files and symbolic links.
 */
export async function listFiles(
  root: string,
  patterns: readonly string[],
  { exclude = [], isHidden }: ListOptions,
  signal: AbortSignal,
): Promise<string[]> {
  throwIfAborted(signal);
  const { glob } = await import("tinyglobby");
  const rules = await createIgnoreRules(root);
  const found = await glob([...patterns], {
    cwd: root,
    absolute: true,
    dot: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: [...exclude],
    signal,
    fs: { readdir: readdirThrough((folder) => listFolder(folder, rules, isHidden)) },
  });
  throwIfAborted(signal);
  return found.map((file) => path.normalize(file));
}

/** Whether and how the lines of `.gitignore` files apply; each folder's file is read as the walk comes to it. */
interface IgnoreRules {
  enter(folder: string): Promise<void>;
  ignores(absolute: string, isFolder: boolean): boolean;
}

async function createIgnoreRules(root: string): Promise<IgnoreRules> {
  const byFolder = new Map<string, Ignore>();

  async function enter(folder: string): Promise<void> {
    if (byFolder.has(folder)) return;
    const lines = await readFile(path.join(folder, ".gitignore"), "utf8").catch(() => "");
    byFolder.set(folder, ignore().add(lines));
  }

  /** The rule nearest to the path decides. */
  function ignores(absolute: string, isFolder: boolean): boolean {
    for (let folder = path.dirname(absolute); ; folder = path.dirname(folder)) {
      const relative = path.relative(folder, absolute).split(path.sep).join("/");
      const verdict = byFolder.get(folder)?.test(isFolder ? `${relative}/` : relative);
      if (verdict?.ignored) return true;
      if (verdict?.unignored || folder === path.dirname(folder)) return false;
    }
  }

  const above = await foldersOfRepository(root);
  for (const folder of above) await enter(folder);
  const rootIsIgnored = above.some((folder, index) => index > 0 && ignores(folder, true));
  if (rootIsIgnored) byFolder.clear();
  return { enter, ignores };
}

/** From the top of the repository that holds `root` down to `root`; only `root` where there is no repository. */
async function foldersOfRepository(root: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = root; ; folder = path.dirname(folder)) {
    folders.unshift(folder);
    if (await exists(path.join(folder, ".git"))) return folders;
    if (folder === path.dirname(folder)) return [root];
  }
}

async function listFolder(folder: string, rules: IgnoreRules, isHidden: ListOptions["isHidden"]): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  await rules.enter(folder);
  return entries.filter((entry) => {
    const absolute = path.join(folder, entry.name);
    return entry.name !== ".git" && !isHidden(absolute) && !rules.ignores(absolute, entry.isDirectory());
  });
}

/** The walker calls `readdir` with a callback; a folder that cannot be read counts as empty, as with ripgrep. */
function readdirThrough(list: (folder: string) => Promise<Dirent[]>) {
  const read = callbackify((folder: string, _options: object) => list(path.resolve(folder)));
  return read as unknown as typeof import("node:fs").readdir;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Folders before the files that follow them in the alphabet, part by part, as a walk in order gives them. */
export function byPathParts(a: string, b: string): number {
  const left = a.split(path.sep);
  const right = b.split(path.sep);
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [one = "", two = ""] = [left[index], right[index]];
    if (one !== two) return one < two ? -1 : 1;
  }
  return left.length - right.length;
}

/** Milliseconds of the last change; 0 for a file that has gone meanwhile. */
export async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
