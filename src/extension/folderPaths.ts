import path from "node:path";
import { nameIn as nameByRules, pathIn } from "../base/pathIn.ts";
import type { ReadOnlyPathFs } from "../store/pathFs.ts";

/** `nameIn` by this machine's rules of paths. */
export function nameIn(folder: string | null, file: string): string {
  return nameByRules(folder, file, path);
}

/** A path without links; null for what is not there, or may not be read. */
export async function realPath(file: string, fs: Pick<ReadOnlyPathFs, "realpath">): Promise<string | null> {
  try {
    return await fs.realpath(file);
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
  file: string,
  folders: readonly string[],
  fs: Pick<ReadOnlyPathFs, "realpath">,
): Promise<boolean> {
  return (await realFolders(folders, fs)).some((folder) => pathIn(folder, file, path) !== null);
}
