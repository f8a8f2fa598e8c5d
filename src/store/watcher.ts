import type { Logger } from "../base/logger.ts";
import { inboxFileName } from "../protocol/names.ts";
import { type WatchedDir, watchDirectories } from "./directoryWatch.ts";
import { isMissing } from "./fsErrors.ts";
import type { StatePaths, TeamPaths } from "./paths.ts";
import type { StoreFs } from "./storeFs.ts";

/** What may have changed in a team. `name`: file name without extension (agent, task id). `gone`: the team was deleted. */
export interface TeamChange {
  kind: "config" | "inbox" | "task" | "presence" | "transcript" | "live" | "lead" | "gone";
  name?: string;
}

/** What a watcher needs of a store. */
export interface WatchedStore {
  paths: StatePaths;
  fs: StoreFs;
  logger: Logger;
}

/**
 * Tells of changes in a team's files within a few milliseconds, until `signal` aborts or the team is gone. Events are
 * hints: a change may be told twice, and what events miss is found within 2 s.
 */
export function watchTeam(
  store: WatchedStore,
  team: string,
  onChange: (change: TeamChange) => void,
  signal: AbortSignal,
): void {
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const paths = store.paths.team(team);
  const kinds = watchedKinds(paths);
  const lookForEnd = async () => {
    if (ended.aborted || !(await isGone(store.fs, paths)) || ended.aborted) return;
    stop.abort();
    onChange({ kind: "gone" });
  };
  const trees = [
    { root: paths.dir, depth: 2 },
    { root: paths.tasks, depth: 0 },
  ];
  const listener = {
    onFile(dir: WatchedDir, name: string) {
      const kind = kinds.get(dir);
      if (!kind || ended.aborted) return;
      onChange(kind === "config" || kind === "lead" ? { kind } : { kind, name: name.slice(0, name.lastIndexOf(".")) });
    },
    onFolder: () => void lookForEnd(),
    onLook: () => void lookForEnd(),
  };
  watchDirectories(store, trees, [...kinds.keys()], listener, ended);
}

/** Tells, within a few milliseconds of the write, that one member's inbox may have changed. */
export function watchInbox(
  store: WatchedStore,
  team: string,
  agent: string,
  onChange: () => void,
  signal: AbortSignal,
): void {
  const file = `${inboxFileName(agent)}.json`;
  const { inboxes } = store.paths.team(team);
  const dir = { path: inboxes, polled: true, wants: (name: string) => name === file };
  watchDirectories(
    store,
    [{ root: inboxes, depth: 0 }],
    [dir],
    { onFile: onChange, onFolder: onChange, onLook() {} },
    signal,
  );
}

/** Tells that teams, or finished teams, may have appeared or gone. */
export function watchRoot(store: WatchedStore, onChange: () => void, signal: AbortSignal): void {
  const folders = (path: string) => ({ path, polled: true, wants: (name: string) => !name.startsWith(".") });
  const dirs = [folders(store.paths.teams), folders(store.paths.histories)];
  const trees = dirs.map(({ path }) => ({ root: path, depth: 0 }));
  watchDirectories(store, trees, dirs, { onFile: onChange, onFolder: onChange, onLook() {} }, signal);
}

function watchedKinds(paths: TeamPaths): Map<WatchedDir, Exclude<TeamChange["kind"], "gone">> {
  const named = (path: string, pattern: RegExp, polled = true) => ({
    path,
    polled,
    wants: (name: string) => pattern.test(name),
  });
  return new Map([
    [named(paths.dir, /^config\.json$/), "config"],
    [named(paths.own, /^lead\.json$/), "lead"],
    [named(paths.tasks, /^[1-9]\d*\.json$/), "task"],
    [named(paths.inboxes, /\.json$/), "inbox"],
    [named(paths.presences, /\.json$/), "presence"],
    [named(paths.transcripts, /\.jsonl$/, false), "transcript"],
    [named(paths.lives, /\.txt$/, false), "live"],
  ]);
}

async function isGone(fs: StoreFs, { config, dir }: TeamPaths): Promise<boolean> {
  return (await isAbsent(fs, config)) && (await isAbsent(fs, dir));
}

async function isAbsent(fs: StoreFs, path: string): Promise<boolean> {
  try {
    await fs.stat(path);
    return false;
  } catch (error) {
    return isMissing(error);
  }
}
