import { dirname } from "node:path";
import { SerialQueue } from "../base/serial.ts";
import { type Presence, presenceSchema } from "../protocol/team.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import type { FileCache } from "./fileCache.ts";
import { listDir, withDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";

/** `muster/presence/{agent}.json`: how a member is, written by its own runtime only, without a lock. */
export interface PresenceStore {
  write(team: string, agent: string, presence: Presence): Promise<void>;
  /** Of one member by its file name; null where there is none, or none that can be read. */
  read(team: string, file: string): Promise<Presence | null>;
  /** By file name without `.json`; files that cannot be read are left out, as the next beat writes them anew. */
  readAll(team: string): Promise<Map<string, Presence>>;
  remove(team: string, agent: string): Promise<void>;
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

/** `muster/live/{agent}.txt`: the end of the reply that a member is writing. */
export interface LiveStore {
  /** Keeps the last 4 KB; at most 10 calls a second. */
  write(team: string, agent: string, text: string): Promise<void>;
  /** Empty where nothing is being written. */
  read(team: string, agent: string): Promise<string>;
  clear(team: string, agent: string): Promise<void>;
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

/** The presence files of a store. */
export function createPresenceStore(context: StoreContext, cache: FileCache): PresenceStore {
  const queue = new SerialQueue();
  return {
    write: (team, agent, presence) => {
      const paths = context.paths.team(team);
      const path = paths.presence(agent);
      return queue.run(path, () => writeOwn(context, paths, path, JSON.stringify(presence)));
    },
    async read(team, file) {
      const path = context.paths.team(team).presence(file);
      const text = await withFileErrors("The state of a member cannot be read", path, () =>
        readOptional(context, path),
      );
      return (text === undefined ? undefined : parsePresence(text)) ?? null;
    },
    readAll: (team) => {
      const paths = context.paths.team(team);
      return withFileErrors("The members' states cannot be read", paths.presences, () =>
        readPresences(context, cache, paths),
      );
    },
    remove: (team, agent) => {
      const path = context.paths.team(team).presence(agent);
      return queue.run(path, () => removeOwn(context, path));
    },
    settled: () => queue.idle(),
  };
}

/** The live texts of a store. */
export function createLiveStore(context: StoreContext): LiveStore {
  const queue = new SerialQueue();
  return {
    write: (team, agent, text) => {
      const paths = context.paths.team(team);
      const path = paths.live(agent);
      return queue.run(path, () => writeOwn(context, paths, path, lastBytes(text, LIVE_BYTES)));
    },
    read: async (team, agent) => {
      const path = context.paths.team(team).live(agent);
      const what = `What ${agent} is writing cannot be read`;
      return (await withFileErrors(what, path, () => readOptional(context, path))) ?? "";
    },
    clear: (team, agent) => {
      const path = context.paths.team(team).live(agent);
      return queue.run(path, () => removeOwn(context, path));
    },
    settled: () => queue.idle(),
  };
}

/** Reads the presence of every member; one whose file did not change is the same object as before. */
export async function readPresences(
  context: StoreContext,
  cache: FileCache,
  paths: TeamPaths,
): Promise<Map<string, Presence>> {
  const names = (await listDir(context.fs, paths.presences)).filter((name) => name.endsWith(".json"));
  const reads = await Promise.all(
    names.sort().map(async (name): Promise<[string, Presence][]> => {
      const agent = name.slice(0, -".json".length);
      const path = paths.presence(agent);
      const presence = await cache.remember(path, async () => {
        const text = await readOptional(context, path);
        return text === undefined ? undefined : parsePresence(text);
      });
      return presence ? [[agent, presence]] : [];
    }),
  );
  return new Map(reads.flat());
}

const LIVE_BYTES = 4 * 1024;

async function writeOwn(context: StoreContext, paths: TeamPaths, path: string, text: string): Promise<void> {
  await withFileErrors("The state of a member was not written", path, () =>
    withDir(context.fs, dirname(path), paths.dir, () => writeFileAtomic(context.fs, path, text)),
  );
}

async function removeOwn(context: StoreContext, path: string): Promise<void> {
  await withFileErrors("The state of a member was not removed", path, async () => {
    try {
      await context.fs.unlink(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  });
}

async function readOptional(context: StoreContext, path: string): Promise<string | undefined> {
  try {
    return (await context.fs.read(path)).bytes.toString("utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function parsePresence(text: string): Presence | undefined {
  try {
    const parsed = presenceSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // written by another program: the next beat replaces it
  }
}

/** The end of a text, whole code points, in at most so many bytes. */
function lastBytes(text: string, bytes: number): string {
  const points = [...text.slice(-bytes)];
  let size = 0;
  let start = points.length;
  while (start > 0) {
    size += Buffer.byteLength(points[start - 1] ?? "");
    if (size > bytes) break;
    start -= 1;
  }
  return points.slice(start).join("");
}
