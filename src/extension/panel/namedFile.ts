import path from "node:path";
import { MusterError } from "../../base/errors.ts";
import { pathIn } from "../../base/pathIn.ts";
import type { ReadOnlyPathFs } from "../../store/pathFs.ts";
import { realFolders, realPath } from "../folderPaths.ts";

/**
 * The file that a text of a member names, absolute and without links. Looked for in `folders` in their order (absolute;
 * those of the workspace and of the member); nothing outside of them is found. Throws `not_allowed`.
 */
export async function namedFile(name: string, folders: readonly string[], fs: ReadOnlyPathFs): Promise<string> {
  const roots = await realFolders(folders, fs);
  for (const root of roots) {
    const real = await realPath(path.isAbsolute(name) ? name : path.join(root, name), fs);
    if (real === null || !roots.some((one) => pathIn(one, real, path))) continue;
    if ((await fs.stat(real)).isFile()) return real;
  }
  throw new MusterError("not_allowed", `There is no file ${name} in the folders that are open here.`);
}
