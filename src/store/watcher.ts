import { systemClock } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import { inboxFileName } from "../protocol/names.ts";
import { type WatchedDir, watchDirectories } from "./directoryWatch.ts";
import { isMissing } from "./fsErrors.ts";
import type { StatePaths, TeamPaths } from "./paths.ts";
import type { StoreFs } from "./storeFs.ts";

/**
 * What may have changed in a team. `name`: file name without extension (agent, task id). `gone`: the team was deleted: its
 * folder is not there, or its config.json has not been for a second (a team is a folder with that file).
 */
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

/** What of a team is watched: all of it, or not these. Each watcher of what changes all the time costs something. */
export interface WatchScope {
  without: readonly Exclude<TeamChange["kind"], "gone">[];
  /** Whose inbox is watched; every one by default. */
  inboxOf?: string;
}

/**
 * Tells of changes in a team's files within a few milliseconds, until `signal` aborts or the team is gone. Events are
 * hints: a change may be told twice, and what events miss is found within 5 s.
 */
export function watchTeam(
  store: WatchedStore,
  team: string,
  onChange: (change: TeamChange) => void,
  signal: AbortSignal,
  scope: WatchScope = { without: [] },
): void {
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const paths = store.paths.team(team);
  const kinds = watchedKinds(paths, scope);
  const isGone = goneCheck(store.fs, paths);
  const lookForEnd = async (): Promise<void> => {
    const gone = !ended.aborted && (await isGone());
    if (ended.aborted || gone === false) return;
    if (gone === "perhaps") return void lookLater();
    stop.abort();
    onChange({ kind: "gone" });
  };
  const lookLater = () => systemClock.sleep(MISSING_MS + 10, ended).then(lookForEnd, () => {});
  const trees = [
    { root: paths.dir, depth: 2 },
    { root: paths.tasks, depth: 0 },
  ];
  const listener = {
    onFile(dir: WatchedDir, name: string) {
      const kind = kinds.get(dir);
      if (!kind || ended.aborted) return;
      if (kind === "config") void lookForEnd();
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
  const dir = oneFile(inboxes, file);
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

function watchedKinds(
  paths: TeamPaths,
  { without, inboxOf }: WatchScope,
): Map<WatchedDir, Exclude<TeamChange["kind"], "gone">> {
  const named = (path: string, pattern: RegExp, polled = true) => ({
    path,
    polled,
    wants: (name: string) => pattern.test(name),
  });
  const inboxes =
    inboxOf === undefined ? named(paths.inboxes, /\.json$/) : oneFile(paths.inboxes, `${inboxFileName(inboxOf)}.json`);
  const kinds = [
    [oneFile(paths.dir, "config.json"), "config"],
    [oneFile(paths.own, "lead.json"), "lead"],
    [named(paths.tasks, /^[1-9]\d*\.json$/), "task"],
    [inboxes, "inbox"],
    [named(paths.presences, /\.json$/), "presence"],
    [named(paths.transcripts, /\.jsonl$/, false), "transcript"],
    [named(paths.lives, /\.txt$/, false), "live"],
  ] as const;
  return new Map(kinds.filter(([, kind]) => !without.includes(kind)));
}

function oneFile(path: string, file: string): WatchedDir {
  return { path, polled: true, wants: (name) => name === file, only: [file] };
}

/** A program may write config.json by removing it first: it must be missing for so long. */
const MISSING_MS = 1_000;

/** Looks whether a team is gone; `perhaps`: its folder is there without config.json, but not for long. */
function goneCheck(fs: StoreFs, { config, dir }: TeamPaths): () => Promise<boolean | "perhaps"> {
  let missingSince: number | undefined;
  return async () => {
    if (!(await isAbsent(fs, config))) {
      missingSince = undefined;
      return false;
    }
    if (await isAbsent(fs, dir)) return true;
    if (missingSince !== undefined) return performance.now() - missingSince >= MISSING_MS;
    missingSince = performance.now();
    return "perhaps";
  };
}

async function isAbsent(fs: StoreFs, path: string): Promise<boolean> {
  try {
    await fs.stat(path);
    return false;
  } catch (error) {
    return isMissing(error);
  }
}
