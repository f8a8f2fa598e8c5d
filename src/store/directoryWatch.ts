import nodePath, { basename, dirname, join } from "node:path";
import { watch as watchPaths } from "chokidar";
import { untilNext } from "../base/clock.ts";
import { errorMessage } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { pathIn } from "../base/pathIn.ts";
import { isTemporary } from "./atomicFile.ts";
import { listDir } from "./folders.ts";
import type { StoreFs } from "./storeFs.ts";

/** Files of one folder that are watched. `wants` chooses them by name. */
export interface WatchedDir {
  path: string;
  wants(name: string): boolean;
  /** Whether the slow look goes through its files; false where only hints matter. */
  polled: boolean;
  /** The only files that are wanted, where their names are known: the slow look needs no list of the folder. */
  only?: readonly string[];
}

/** A tree that the platform watches, so many levels deep; only folders that hold watched ones are gone into. */
export interface WatchedTree {
  root: string;
  depth: number;
}

export interface WatchPorts {
  fs: StoreFs;
  logger: Logger;
  /** How often what events missed is looked for, ms: as long as they missed nothing, and for a while after they did. */
  pollMs?: { trusting: number; doubting: number };
}

export interface WatchListener {
  onFile(dir: WatchedDir, name: string): void;
  /** A watched folder came or went. */
  onFolder(): void;
  /** After every slow look. */
  onLook(): void;
}

/**
 * Tells of files that may have changed: at once by events, which are hints only (their source is the platform's watch of
 * the folder, before chokidar's own bookkeeping, which takes 25 ms), and by a look at all dates every 5 s, or every 2 s
 * where events have missed something lately: a look wakes the process for each file. A change may be told twice. Folders
 * may be missing; they are picked up when they appear.
 */
export function watchDirectories(
  ports: WatchPorts,
  trees: readonly WatchedTree[],
  dirs: readonly WatchedDir[],
  listener: WatchListener,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  const byPath = new Map(dirs.map((dir) => [dir.path, dir]));
  const hinted = new Set<string>();
  const hint = (path: string) => {
    const dir = byPath.get(dirname(path));
    const name = basename(path);
    if (dir && !isTemporary(name) && dir.wants(name)) {
      hinted.add(path);
      listener.onFile(dir, name);
    }
    if (trees.some((tree) => tree.root === path) || byPath.has(path)) listener.onFolder();
  };
  for (const tree of trees) watchTree(ports, tree, dirs, hint, signal);
  void lookRepeatedly(ports, dirs, hinted, listener, signal);
}

const POLL_MS = { trusting: 5_000, doubting: 2_000 };
/** Looks in a row after a change that no event had told of. */
const DOUBTING_LOOKS = 15;

function watchTree(
  { logger }: WatchPorts,
  { root, depth }: WatchedTree,
  dirs: readonly WatchedDir[],
  hint: (path: string) => void,
  signal: AbortSignal,
): void {
  const isOfInterest = (path: string) => dirs.some((dir) => pathIn(path, dir.path, nodePath) !== null);
  const watcher = watchPaths(root, {
    depth,
    ignoreInitial: true,
    atomic: false,
    followSymlinks: false,
    ignored: (path, stats) => stats?.isDirectory() === true && path !== root && !isOfInterest(path),
  });
  watcher.on("raw", (_event, name, details) => {
    const { watchedPath } = details as { watchedPath?: string };
    if (watchedPath === undefined) return;
    if (name !== null) hint(join(watchedPath, name));
    if (name === null || name === basename(watchedPath)) hint(watchedPath); // the folder itself was moved away
  });
  // files that were there before their new folder was watched, and folders themselves
  for (const event of ["add", "addDir", "unlinkDir"] as const) watcher.on(event, (path: string) => hint(path));
  watcher.on("error", (error) => {
    logger.warn(`Changes of files are seen late, as the platform cannot watch them: ${errorMessage(error)}`);
  });
  const close = () => {
    watcher.close().catch((error: unknown) => logger.debug(`A watcher did not close: ${errorMessage(error)}`));
  };
  signal.addEventListener("abort", close, { once: true });
}

async function lookRepeatedly(
  ports: WatchPorts,
  dirs: readonly WatchedDir[],
  hinted: Set<string>,
  { onFile, onLook }: WatchListener,
  signal: AbortSignal,
): Promise<void> {
  const polled = dirs.filter((dir) => dir.polled);
  const known = new Map<string, string>();
  const { trusting, doubting } = ports.pollMs ?? POLL_MS;
  let first = true;
  let doubts = 0;
  const onChange = (dir: WatchedDir, name: string) => {
    if (!hinted.has(join(dir.path, name))) doubts = DOUBTING_LOOKS;
    onFile(dir, name);
  };
  while (!signal.aborted) {
    try {
      for (const dir of polled) await look(ports.fs, dir, known, first ? () => {} : onChange);
      if (!first) onLook();
    } catch (error) {
      ports.logger.debug(`The slow look at the files failed: ${errorMessage(error)}`);
    }
    first = false;
    hinted.clear();
    await pause(untilNext(doubts > 0 ? doubting : trusting, Date.now()), signal);
    doubts = Math.max(0, doubts - 1);
  }
}

async function look(
  fs: StoreFs,
  dir: WatchedDir,
  known: Map<string, string>,
  onFile: (dir: WatchedDir, name: string) => void,
): Promise<void> {
  const names = new Set(
    dir.only ?? (await listDir(fs, dir.path)).filter((name) => !isTemporary(name) && dir.wants(name)),
  );
  const gone = [...known.keys()].filter((path) => dirname(path) === dir.path && !names.has(basename(path)));
  for (const path of gone) {
    known.delete(path);
    onFile(dir, basename(path));
  }
  await Promise.all(
    [...names].map(async (name) => {
      const path = join(dir.path, name);
      const mark = await markOf(fs, path);
      if (known.get(path) === mark) return;
      known.set(path, mark);
      onFile(dir, name);
    }),
  );
}

async function markOf(fs: StoreFs, path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await fs.stat(path);
    return `${ino}.${size}.${mtimeNs}`;
  } catch {
    return "gone"; // or unreadable: the reader of the file says why
  }
}

/** A wait that does not keep the process alive and ends early when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    signal.addEventListener("abort", end, { once: true });
  });
}
