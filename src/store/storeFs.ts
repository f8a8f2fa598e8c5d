import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { errorCode } from "../base/errors.ts";

/** What the store needs to know of a file. Times are of the file system's clock. */
export interface FileStat {
  kind: "file" | "directory" | "link" | "other";
  size: number;
  ino: bigint;
  mtimeNs: bigint;
  birthtimeNs: bigint;
}

/** One read of a whole file. `steady`: nobody wrote into it between the first and the last byte. */
export interface FileRead {
  bytes: Buffer;
  stat: FileStat;
  steady: boolean;
}

/**
 * Every call that the store makes to the file system, so that a test can fail, delay, cut or kill at any one of them.
 * All reject with the platform's errors (`ENOENT`, …), which name the path. New files are private (0600), new folders too (0700).
 */
export interface StoreFs {
  read(path: string): Promise<FileRead>;
  /** At most `length` bytes from `start`; fewer at the end of the file. */
  readRange(path: string, start: number, length: number): Promise<Buffer>;
  /** Of the entry itself: links are not followed. */
  stat(path: string): Promise<FileStat>;
  list(path: string): Promise<string[]>;
  makeDir(path: string): Promise<void>;
  removeDir(path: string): Promise<void>;
  /** Creates a file that must not exist; never through a link. `sync`: on the disk when it resolves. */
  writeNew(path: string, data: string | Uint8Array, sync: boolean): Promise<void>;
  /** Creates or truncates; only for files that a reader may see half written. */
  overwrite(path: string, data: string | Uint8Array): Promise<void>;
  /**
   * Appends in one write. Where the file does not end with a newline nothing is written and `torn` is true, unless
   * `force` says otherwise. On a short write it rejects.
   */
  append(path: string, data: string | Uint8Array, options: AppendOptions): Promise<Appended>;
  /** Replaces bytes in place. */
  patch(path: string, start: number, text: string): Promise<void>;
  truncate(path: string, size: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes a folder and all in it. */
  removeTree(path: string): Promise<void>;
  touch(path: string, time: Date): Promise<void>;
  /** Puts a folder's entries on the disk. */
  syncDir(path: string): Promise<void>;
}

export interface AppendOptions {
  /** On the disk when it resolves. */
  sync: boolean;
  force?: boolean;
}

/** `size`: of the file before. */
export interface Appended {
  size: number;
  torn: boolean;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0; // not on Windows
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0); // a pipe's other end is not waited for
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
const OVERWRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_FOLLOW;

/** The machine's file system. */
export const nodeStoreFs: StoreFs = {
  read: (path) =>
    withFile(path, READ, async (file) => {
      const before = await file.stat({ bigint: true });
      // a pipe or a device may have no end
      if (!before.isFile() && !before.isDirectory())
        throw Object.assign(new Error("it is no regular file"), { code: "ENXIO" });
      const bytes = await file.readFile();
      const after = await file.stat({ bigint: true });
      const steady =
        before.mtimeNs === after.mtimeNs && before.size === after.size && BigInt(bytes.length) === after.size;
      return { bytes, stat: toFileStat(after), steady };
    }),
  readRange: (path, start, length) =>
    withFile(path, constants.O_RDONLY, async (file) => {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, start);
      return buffer.subarray(0, bytesRead);
    }),
  stat: async (path) => toFileStat(await fs.lstat(path, { bigint: true })),
  list: (path) => fs.readdir(path),
  makeDir: (path) => fs.mkdir(path, { mode: 0o700 }),
  removeDir: (path) => fs.rmdir(path),
  writeNew: (path, data, sync) => withFile(path, CREATE, (file) => writeAll(file, data, sync)),
  overwrite: (path, data) => withFile(path, OVERWRITE, (file) => writeAll(file, data, false)),
  append: (path, data, { sync, force }) =>
    withFile(path, APPEND, async (file) => {
      const { size } = await file.stat();
      const torn = !force && size > 0 && !(await endsWithNewline(file, size));
      if (!torn) await writeAll(file, data, sync);
      return { size, torn };
    }),
  patch: (path, start, text) =>
    withFile(path, constants.O_WRONLY | NO_FOLLOW, async (file) => {
      await file.write(text, start);
    }),
  truncate: (path, size) => fs.truncate(path, size),
  rename: (from, to) => fs.rename(from, to),
  unlink: (path) => fs.unlink(path),
  removeTree: (path) => fs.rm(path, { recursive: true, force: true }),
  touch: (path, time) => fs.utimes(path, time, time),
  syncDir: async (path) => {
    try {
      await withFile(path, constants.O_RDONLY, (file) => file.sync());
    } catch (error) {
      // Windows has no such thing as syncing a folder
      if (process.platform !== "win32" || errorCode(error) === "ENOENT") throw error;
    }
  },
};

async function withFile<T>(path: string, flags: number, use: (file: fs.FileHandle) => Promise<T>): Promise<T> {
  const file = await fs.open(path, flags, 0o600);
  try {
    return await use(file);
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error; // calls of an open file name none
  } finally {
    await file.close();
  }
}

async function endsWithNewline(file: fs.FileHandle, size: number): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] === 10;
}

async function writeAll(file: fs.FileHandle, data: string | Uint8Array, sync: boolean): Promise<void> {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten < bytes.length) {
    throw Object.assign(new Error("The disk took only a part."), { code: "ENOSPC", bytesWritten });
  }
  if (sync) await file.datasync();
}

interface RawStat {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  size: bigint;
  ino: bigint;
  mtimeNs: bigint;
  birthtimeNs: bigint;
}

function toFileStat(stat: RawStat): FileStat {
  const kind = stat.isFile() ? "file" : stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "link" : "other";
  return {
    kind,
    size: Number(stat.size),
    ino: stat.ino,
    mtimeNs: stat.mtimeNs,
    birthtimeNs: stat.birthtimeNs,
  };
}
