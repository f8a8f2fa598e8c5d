import type { Logger } from "../base/logger.ts";
import { inboxFileName } from "../protocol/names.ts";
import { type WatchedDir, watchDirectories } from "./directoryWatch.ts";
import { isMissing } from "./fsErrors.ts";
import { isTaskId, type StatePaths } from "./paths.ts";
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
  const kinds = new Map<WatchedDir, (name: string) => TeamChange>();
  const watched = (path: string, kind: TeamChange["kind"], extension: string, polled: boolean) => {
    const dir = { path, polled, wants: (name: string) => name.endsWith(extension) || name === "." };
    kinds.set(dir, (name) => (name === "." ? { kind } : { kind, name: name.slice(0, -extension.length) }));
    return dir;
  };
  const config: WatchedDir = {
    path: paths.dir,
    polled: true,
    wants: (name) => name === "config.json" || name === team,
  };
  kinds.set(config, () => ({ kind: "config" }));
  const lead: WatchedDir = { path: paths.own, polled: true, wants: (name) => name === "lead.json" };
  kinds.set(lead, () => ({ kind: "lead" }));
  const tasks = { ...watched(paths.tasks, "task", ".json", true), wants: isTaskName };
  kinds.set(tasks, (name) =>
    name === "." ? { kind: "task" } : { kind: "task", name: name.slice(0, -".json".length) },
  );
  const dirs = [
    config,
    lead,
    tasks,
    watched(paths.inboxes, "inbox", ".json", true),
    watched(paths.presences, "presence", ".json", true),
    watched(paths.transcripts, "transcript", ".jsonl", false),
    watched(paths.lives, "live", ".txt", false),
  ];
  const lookForEnd = async () => {
    if (ended.aborted || !(await isGone(store.fs, paths.config, paths.dir)) || ended.aborted) return;
    stop.abort();
    onChange({ kind: "gone" });
  };
  watchDirectories(
    store,
    dirs,
    (dir, name) => {
      const change = kinds.get(dir)?.(name);
      if (!change || ended.aborted) return;
      onChange(change);
      if (change.kind === "config") void lookForEnd();
    },
    () => void lookForEnd(),
    ended,
  );
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
  const dir = {
    path: store.paths.team(team).inboxes,
    polled: true,
    wants: (name: string) => name === file || name === ".",
  };
  watchDirectories(store, [dir], onChange, () => {}, signal);
}

/** Tells that teams, or finished teams, may have appeared or gone. */
export function watchRoot(store: WatchedStore, onChange: () => void, signal: AbortSignal): void {
  const folders = (path: string) => ({ path, polled: true, wants: (name: string) => !name.startsWith(".") });
  watchDirectories(store, [folders(store.paths.teams), folders(store.paths.histories)], onChange, () => {}, signal);
}

function isTaskName(name: string): boolean {
  return name === "." || (name.endsWith(".json") && isTaskId(name.slice(0, -".json".length)));
}

async function isGone(fs: StoreFs, config: string, dir: string): Promise<boolean> {
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
