import { isAbsolute, join, relative } from "node:path";
import { MusterError } from "../../base/errors.ts";
import type { ReadOnlyPathFs } from "../../store/pathFs.ts";

/**
 * The file that a text of a member names, absolute and without links. Looked for in `folders` in their order (absolute;
 * those of the workspace and of the member); nothing outside of them is found. Throws `not_allowed`.
 */
export async function namedFile(path: string, folders: readonly string[], fs: ReadOnlyPathFs): Promise<string> {
  const roots = (await Promise.all(folders.map((folder) => realOf(folder, fs)))).flatMap((root) => root ?? []);
  for (const root of roots) {
    const real = await realOf(isAbsolute(path) ? path : join(root, path), fs);
    if (real === null || !roots.some((one) => isInside(real, one))) continue;
    if ((await fs.stat(real)).isFile()) return real;
  }
  throw new MusterError("not_allowed", `There is no file ${path} in the folders that are open here.`);
}

async function realOf(path: string, fs: ReadOnlyPathFs): Promise<string | null> {
  try {
    return await fs.realpath(path);
  } catch {
    return null; // not there, or not to be read: it cannot be opened either
  }
}

function isInside(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== "" && inside.split(/[\\/]/)[0] !== ".." && !isAbsolute(inside);
}
