import { dirname, join } from "node:path";
import { parseJson } from "../base/json.ts";
import { inboxFileName } from "../protocol/names.ts";
import { ownMark, ownMarkBegin, writeFileAtomic } from "./atomicFile.ts";
import { listDir, withDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import type { StoreContext } from "./storeContext.ts";

/**
 * `muster/spawn/{agent}.{pid of the lead}.{8 hex}.json`: what a process teammate is given at its start, its key included.
 * Mode 0600, read once.
 */
export interface SpawnStore {
  /** Resolves to the file's path. */
  write(team: string, agent: string, content: unknown): Promise<string>;
  /**
   * The content of the file at `path`, as `parse` takes it; from here on it is gone, and nobody else got it. `gone` where
   * there is none. `foreign` where `parse` knows nothing of it (null): such a file stays.
   */
  take<T>(path: string, parse: (content: unknown) => T | null): Promise<Taken<T>>;
  /** What is there for this agent; `own`: of what this process has written. */
  remove(team: string, agent: string, whose?: "all" | "own"): Promise<void>;
}

export type Taken<T> = { kind: "taken"; content: T } | { kind: "gone" } | { kind: "foreign" };

/** The spawn files of a store. */
export function createSpawnStore(context: StoreContext): SpawnStore {
  return {
    async write(team, agent, content) {
      const paths = context.paths.team(team);
      const path = paths.spawnFile(agent, await ownMark());
      await withFileErrors(`The start of ${agent} was not prepared`, path, () =>
        withDir(context.fs, dirname(path), paths.dir, () => writeFileAtomic(context.fs, path, JSON.stringify(content))),
      );
      return path;
    },
    take: (path, parse) =>
      withFileErrors("What the teammate is to start with cannot be read", path, async () => {
        try {
          const { bytes } = await context.fs.read(path);
          const content = parse(parseJson(bytes.toString("utf8")));
          if (content === null) return { kind: "foreign" };
          await context.fs.unlink(path); // of two who have read it, one removes it
          return { kind: "taken", content };
        } catch (error) {
          if (isMissing(error)) return { kind: "gone" };
          throw error;
        }
      }),
    remove: (team, agent, whose = "all") => {
      const { spawns } = context.paths.team(team);
      return withFileErrors("What a teammate was to start with was not removed", spawns, async () => {
        const begins = whose === "own" ? `${inboxFileName(agent)}.${await ownMarkBegin()}` : `${inboxFileName(agent)}.`;
        const found = (await listDir(context.fs, spawns)).filter((name) => name.startsWith(begins));
        await Promise.all(found.map((name) => context.fs.removeTree(join(spawns, name))));
      });
    },
  };
}
