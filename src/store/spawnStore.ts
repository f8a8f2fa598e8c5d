import { dirname } from "node:path";
import { parseJson } from "../base/json.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import { withDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import type { StoreContext } from "./storeContext.ts";

/** `muster/spawn/{agent}.json`: what a process teammate is given at its start, its key included. Mode 0600, read once. */
export interface SpawnStore {
  /** Resolves to the file's path. */
  write(team: string, agent: string, content: unknown): Promise<string>;
  /**
   * The content of the file at `path`, as `parse` takes it; from here on it is gone, and nobody else got it. `gone` where
   * there is none. `foreign` where `parse` knows nothing of it (null): such a file stays.
   */
  take<T>(path: string, parse: (content: unknown) => T | null): Promise<Taken<T>>;
  remove(team: string, agent: string): Promise<void>;
}

export type Taken<T> = { kind: "taken"; content: T } | { kind: "gone" } | { kind: "foreign" };

/** The spawn files of a store. */
export function createSpawnStore(context: StoreContext): SpawnStore {
  const remove = async (path: string) => {
    try {
      await context.fs.unlink(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  };
  return {
    async write(team, agent, content) {
      const paths = context.paths.team(team);
      const path = paths.spawnFile(agent);
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
    remove: (team, agent) => {
      const path = context.paths.team(team).spawnFile(agent);
      return withFileErrors("What a teammate was to start with was not removed", path, () => remove(path));
    },
  };
}
