import { basename, join } from "node:path";
import { watch as watchPaths } from "chokidar";
import { errorMessage } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { isTemporary } from "./atomicFile.ts";
import { listDir } from "./folders.ts";
import type { StoreFs } from "./storeFs.ts";

/** A folder to watch, its files only. `wants` chooses them by name. */
export interface WatchedDir {
  path: string;
  wants(name: string): boolean;
  /** Whether the slow look goes through its files; false where only hints matter. */
  polled: boolean;
}

export interface WatchPorts {
  fs: StoreFs;
  logger: Logger;
  /** How often what events missed is looked for, ms. */
  pollMs?: number;
}

/**
 * Tells of files that may have changed: at once by events, which are hints only (their source is the platform's watch of
 * the folder, before chokidar's own bookkeeping, which takes 25 ms), and by a look at all dates every 2 s. A change may
 * be told twice. Folders may be missing; they are picked up when they appear. `onLook` runs after every slow look.
 */
export function watchDirectories(
  ports: WatchPorts,
  dirs: readonly WatchedDir[],
  onFile: (dir: WatchedDir, name: string) => void,
  onLook: () => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  const byPath = new Map(dirs.map((dir) => [dir.path, dir]));
  const hint = (path: string, name: string) => {
    const dir = byPath.get(path);
    if (dir && !isTemporary(name) && dir.wants(name)) onFile(dir, name);
  };
  const stopEvents = watchEvents(ports, dirs, hint);
  signal.addEventListener("abort", stopEvents, { once: true });
  void lookRepeatedly(ports, dirs, onFile, onLook, signal);
}

const POLL_MS = 2_000;

function watchEvents(
  { logger }: WatchPorts,
  dirs: readonly WatchedDir[],
  hint: (path: string, name: string) => void,
): () => void {
  const paths = dirs.map((dir) => dir.path);
  const watcher = watchPaths(paths, { depth: 0, ignoreInitial: true, atomic: false, followSymlinks: false });
  watcher.on("raw", (_event, name, details) => {
    const { watchedPath } = details as { watchedPath?: string };
    if (name !== null && watchedPath !== undefined) hint(watchedPath, basename(name));
  });
  watcher.on("addDir", (path) => hint(path, ".")); // a folder that appeared late
  watcher.on("error", (error) => {
    logger.warn(`Changes of files are seen late, as the platform cannot watch them: ${errorMessage(error)}`);
  });
  return () => {
    watcher.close().catch((error: unknown) => logger.debug(`A watcher did not close: ${errorMessage(error)}`));
  };
}

async function lookRepeatedly(
  ports: WatchPorts,
  dirs: readonly WatchedDir[],
  onFile: (dir: WatchedDir, name: string) => void,
  onLook: () => void,
  signal: AbortSignal,
): Promise<void> {
  const polled = dirs.filter((dir) => dir.polled);
  const known = new Map<string, string>();
  let first = true;
  while (!signal.aborted) {
    try {
      for (const dir of polled) await look(ports.fs, dir, known, first ? () => {} : onFile);
      if (!first) onLook();
    } catch (error) {
      ports.logger.debug(`The slow look at the files failed: ${errorMessage(error)}`);
    }
    first = false;
    await pause(ports.pollMs ?? POLL_MS, signal);
  }
}

async function look(
  fs: StoreFs,
  dir: WatchedDir,
  known: Map<string, string>,
  onFile: (dir: WatchedDir, name: string) => void,
): Promise<void> {
  const names = new Set((await listDir(fs, dir.path)).filter((name) => !isTemporary(name) && dir.wants(name)));
  const gone = [...known.keys()].filter((path) => path.startsWith(join(dir.path, "/")) && !names.has(basename(path)));
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
