import { dirname } from "node:path";
import { writeFileAtomic } from "./atomicFile.ts";
import { withDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import type { StoreContext } from "./storeContext.ts";

/** `muster/spawn/{agent}.json`: what a process teammate is given at its start, its key included. Mode 0600, read once. */
export interface SpawnStore {
  /** Resolves to the file's path. */
  write(team: string, agent: string, content: unknown): Promise<string>;
  /** The content of the file at `path`, which is gone from here on; null where it is gone already. */
  take(path: string): Promise<unknown>;
  remove(team: string, agent: string): Promise<void>;
}

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
    take: (path) =>
      withFileErrors("What the teammate is to start with cannot be read", path, async () => {
        try {
          const { bytes } = await context.fs.read(path);
          await remove(path);
          return JSON.parse(bytes.toString("utf8")) as unknown;
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      }),
    remove: (team, agent) => {
      const path = context.paths.team(team).spawnFile(agent);
      return withFileErrors("What a teammate was to start with was not removed", path, () => remove(path));
    },
  };
}
