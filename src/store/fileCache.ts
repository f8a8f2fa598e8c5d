import { errorCode } from "../base/errors.ts";
import { type JsonFile, type JsonRead, readJson } from "./jsonFile.ts";
import type { StoreContext } from "./storeContext.ts";
import type { FileStat } from "./storeFs.ts";

/** Keeps what was read of files, so that reading an unchanged one costs one look at its date. */
export interface FileCache {
  /** As `readJson`; the value is shared between callers and must not be changed. */
  read<T>(file: JsonFile<T>): Promise<JsonRead<T>>;
  /** The last read of a file, without a look at it; undefined where none is kept, or where a change may hide behind the same date. */
  known<T>(file: JsonFile<T>): JsonRead<T> | undefined;
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
  const entries = new Map<string, { mark: string; settled: boolean; read: JsonRead<unknown> }>();
  const derived = new WeakMap<JsonRead<unknown>, unknown>();
  const remembered = new Map<string, { mark: string; made: unknown }>();
  return {
    async read<T>(file: JsonFile<T>) {
      const found = await markOf(context, file.path);
      const known = entries.get(file.path);
      if (found !== null && known?.mark === found.mark) return known.read as JsonRead<T>; // a path has one kind of file
      const read = await readJson(context, file);
      if (found === null || read.kind === "absent") entries.delete(file.path);
      else entries.set(file.path, { ...(read.kind === "ok" ? fileMark(read.stat) : found), read });
      return read;
    },
    known<T>(file: JsonFile<T>) {
      const known = entries.get(file.path);
      return known?.settled && known.read.kind === "ok" ? (known.read as JsonRead<T>) : undefined;
    },
    async derive<T, D>(read: JsonRead<T>, make: () => Promise<D>) {
      if (derived.has(read)) return derived.get(read) as D; // one maker for one kind of file
      const made = await make();
      derived.set(read, made);
      return made;
    },
    async remember<D>(path: string, make: () => Promise<D>) {
      const found = await markOf(context, path);
      if (found === null) {
        remembered.delete(path);
        return undefined;
      }
      const { mark } = found;
      const known = remembered.get(path);
      if (known?.mark === mark) return known.made as D; // one maker for one file
      const made = await make();
      remembered.set(path, { mark, made });
      return made;
    },
  };
}

/** What changes when a file changes; of a file that is not `settled` it is another one each time. */
interface FileMark {
  mark: string;
  settled: boolean;
}

function fileMark(stat: FileStat): FileMark {
  const settled = Date.now() - Number(stat.mtimeNs / 1_000_000n) > SETTLED_MS;
  return { mark: `${stat.ino}.${stat.size}.${stat.mtimeNs}${settled ? "" : `.${Math.random()}`}`, settled };
}

async function markOf(context: StoreContext, path: string): Promise<FileMark | null> {
  try {
    return fileMark(await context.fs.stat(path));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
