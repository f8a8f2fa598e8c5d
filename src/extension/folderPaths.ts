import { isAbsolute, relative, sep } from "node:path";
import type { ReadOnlyPathFs } from "../store/pathFs.ts";

/** The path from a folder to something in it, empty for the folder itself; null for what is elsewhere. Both absolute. */
export function pathIn(folder: string, path: string): string | null {
  const inside = relative(folder, path);
  return inside.split(sep)[0] === ".." || isAbsolute(inside) ? null : inside;
}

/** How a person is told of a file: from the folder where it lies in it, else absolute. `folder` null: not known. */
export function nameIn(folder: string | null, path: string): string {
  return (folder !== null && pathIn(folder, path)) || path;
}

/** A path without links; null for what is not there, or may not be read. */
export async function realPath(path: string, fs: Pick<ReadOnlyPathFs, "realpath">): Promise<string | null> {
  try {
    return await fs.realpath(path);
  } catch {
    return null;
  }
}

/** Those of these folders that are there, without links. */
export async function realFolders(folders: readonly string[], fs: Pick<ReadOnlyPathFs, "realpath">): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => realPath(folder, fs)));
  return found.flatMap((folder) => folder ?? []);
}

/** Whether a path (absolute, without links) is one of these folders or in one of them. Links of the folders are followed. */
export async function isInFolders(
  path: string,
  folders: readonly string[],
  fs: Pick<ReadOnlyPathFs, "realpath">,
): Promise<boolean> {
  return (await realFolders(folders, fs)).some((folder) => pathIn(folder, path) !== null);
}
