import { lstat, readlink, realpath, stat } from "node:fs/promises";

/** What the permission engine asks of the file system; it never changes anything. */
export interface ReadOnlyPathFs {
  realpath(path: string): Promise<string>;
  lstat(path: string): Promise<PathEntry>;
  stat(path: string): Promise<PathEntry>;
  readlink(path: string): Promise<string>;
}

export interface PathEntry {
  isSymbolicLink(): boolean;
  isDirectory(): boolean;
  isFile(): boolean;
  nlink: number;
}

/** The machine's file system, to look at. */
export const nodePathFs: ReadOnlyPathFs = {
  realpath: (path) => realpath(path),
  lstat: (path) => lstat(path),
  stat: (path) => stat(path),
  readlink: (path) => readlink(path),
};
