import { errorCode } from "../base/errors.ts";
import { type JsonFile, type JsonRead, readJson } from "./jsonFile.ts";
import type { StoreContext } from "./storeContext.ts";
import type { FileStat } from "./storeFs.ts";

/** Keeps what was read of files, so that reading an unchanged one costs one look at its date. */
export interface FileCache {
  /** As `readJson`; the value is shared between callers and must not be changed. */
  read<T>(file: JsonFile<T>): Promise<JsonRead<T>>;
  /** What `make` makes of a read: made once as long as the file stays the same. */
  derive<T, D>(read: JsonRead<T>, make: () => Promise<D>): Promise<D>;
  /** What `make` reads of a file that is no JSON: made again only when the file has changed; undefined where it is missing. */
  remember<D>(path: string, make: () => Promise<D>): Promise<D | undefined>;
}

/**
 * A file that changed less than this before it was read is read again next time: two writes within one tick of the file
 * system's clock may leave the same date and size.
 */
const SETTLED_MS = 50;

/** Makes the cache of a store. */
export function createFileCache(context: StoreContext): FileCache {
  const entries = new Map<string, { mark: string; read: JsonRead<unknown> }>();
  const derived = new WeakMap<JsonRead<unknown>, unknown>();
  const remembered = new Map<string, { mark: string; made: unknown }>();
  return {
    async read<T>(file: JsonFile<T>) {
      const mark = await markOf(context, file.path);
      const known = entries.get(file.path);
      if (mark !== null && known?.mark === mark) return known.read as JsonRead<T>; // a path has one kind of file
      const read = await readJson(context, file);
      if (mark === null || read.kind === "absent") entries.delete(file.path);
      else entries.set(file.path, { mark: read.kind === "ok" ? fileMark(read.stat) : mark, read });
      return read;
    },
    async derive<T, D>(read: JsonRead<T>, make: () => Promise<D>) {
      if (derived.has(read)) return derived.get(read) as D; // one maker for one kind of file
      const made = await make();
      derived.set(read, made);
      return made;
    },
    async remember<D>(path: string, make: () => Promise<D>) {
      const mark = await markOf(context, path);
      if (mark === null) {
        remembered.delete(path);
        return undefined;
      }
      const known = remembered.get(path);
      if (known?.mark === mark) return known.made as D; // one maker for one file
      const made = await make();
      remembered.set(path, { mark, made });
      return made;
    },
  };
}

/** What changes when a file changes. */
function fileMark(stat: FileStat): string {
  const age = Date.now() - Number(stat.mtimeNs / 1_000_000n);
  const settled = age > SETTLED_MS ? "" : `.${Math.random()}`;
  return `${stat.ino}.${stat.size}.${stat.mtimeNs}${settled}`;
}

async function markOf(context: StoreContext, path: string): Promise<string | null> {
  try {
    return fileMark(await context.fs.stat(path));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
