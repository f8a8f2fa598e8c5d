import { randomUUID } from "node:crypto";
import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../base/errors.ts";

/** A file of the project as it lies there. `bytes`: of a link its target. */
export interface WorkFile {
  bytes: Buffer;
  mode: number;
  link: boolean;
}

/** What tells, without reading it, whether a file is still what it was. `changedMs`: by the file system's clock. */
export interface WorkStamp {
  stamp: string;
  size: number;
  mode: number;
  link: boolean;
  changedMs: number;
}

/**
 * The project's files, byte for byte. Paths are absolute; links are not followed. All reject with the platform's errors,
 * but for `isReadable`, `folderMade` and `removeEmptyFolder`, which never reject.
 */
export interface WorkTree {
  /** Null: there is no file or link. */
  stamp(path: string): Promise<WorkStamp | null>;
  /** Null: there is no file or link, or one of more than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<WorkFile | null>;
  /** Whether a file is there that this user may read, or a link to one; another program may hold it closed even so. */
  isReadable(path: string): Promise<boolean>;
  /** Makes the file what it is to be; null removes it. Nobody sees a half of it. */
  write(path: string, file: WorkFile | null): Promise<void>;
  /** Makes a folder where there is none. */
  makeFolder(path: string): Promise<void>;
  /** When a folder was made, in ms, by the file system's clock; null: it is none, or nobody can tell. */
  folderMade(path: string): Promise<number | null>;
  /** Removes a folder that holds nothing. One that holds something, or cannot be removed, stays; so does a link. */
  removeEmptyFolder(path: string): Promise<void>;
  /** What is below a folder, but not in folders that are passed over; null: there are more than `maxFiles` files. */
  list(folder: string, isPassedOver: (folder: string) => boolean, maxFiles: number): Promise<ListedFolder | null>;
}

/** `closed`: folders whose files this user may not list. */
export interface ListedFolder {
  files: string[];
  closed: string[];
}

/** The machine's files. */
export const nodeWorkTree: WorkTree = {
  async stamp(path) {
    const stat = await statOf(path);
    if (!stat || !(stat.isFile() || stat.isSymbolicLink())) return null;
    const { ino, size, mtimeNs, ctimeNs, mode } = stat;
    const changedMs = Math.max(Number(ctimeNs / 1_000_000n), Number(mtimeNs / 1_000_000n));
    const bits = Number(mode) & 0o7777;
    return {
      stamp: [ino, size, mtimeNs, ctimeNs, mode].join(" "),
      ...{ size: Number(size), mode: bits, link: stat.isSymbolicLink(), changedMs },
    };
  },
  async read(path, maxBytes) {
    const stat = await statOf(path);
    if (!stat || stat.size > maxBytes) return null;
    const mode = Number(stat.mode) & 0o7777;
    if (stat.isSymbolicLink()) return { bytes: Buffer.from(await readlink(path)), mode, link: true };
    return stat.isFile() ? { bytes: await readFile(path), mode, link: false } : null;
  },
  isReadable: (path) =>
    access(path, constants.R_OK).then(
      () => true,
      () => false,
    ),
  async write(path, file) {
    if (file === null) {
      await unlink(path);
      return;
    }
    await mkdir(dirname(path), { recursive: true });
    const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
    try {
      if (file.link) await symlink(file.bytes.toString(), temporary);
      else await writeNew(temporary, file);
      if ((await statOf(path))?.isDirectory()) await rmdir(path); // an empty one may stand in its place
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  },
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  async folderMade(path) {
    const stat = await statOf(path).catch(() => null);
    if (!stat?.isDirectory()) return null;
    const { birthtimeNs, ctimeNs } = stat;
    // a file system that does not keep it tells none, or the time of the last change
    return birthtimeNs <= 0n || birthtimeNs >= ctimeNs ? null : Number(birthtimeNs / 1_000_000n);
  },
  async removeEmptyFolder(path) {
    try {
      if ((await statOf(path))?.isDirectory()) await rmdir(path); // Windows would remove a link
    } catch {
      // it holds something, or is in use: nothing is lost by a folder that stays
    }
  },
  async list(folder, isPassedOver, maxFiles) {
    const files: string[] = [];
    const closed: string[] = [];
    for (const folders = [folder]; folders.length > 0; ) {
      const next = folders.pop() ?? folder;
      const entries = await entriesOf(next);
      if (entries === null) closed.push(next);
      for (const entry of entries ?? []) {
        const path = join(next, entry.name);
        if (entry.isDirectory() && !isPassedOver(path)) folders.push(path);
        if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
      }
      if (files.length > maxFiles) return null;
    }
    return { files, closed };
  },
};

async function writeNew(path: string, { bytes, mode }: WorkFile): Promise<void> {
  const handle = await open(path, "wx");
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
  await chmod(path, mode); // whatever the umask says
}

async function statOf(path: string) {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return null;
    throw error;
  }
}

/** A folder that is gone has no files; null: it is closed to this user. */
async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (["ENOENT", "ENOTDIR"].includes(code)) return [];
    if (["EACCES", "EPERM"].includes(code)) return null;
    throw error;
  }
}
