import { errorCode } from "../../base/errors.ts";
import type { Store } from "../../store/store.ts";
import { usageError } from "../usageError.ts";

/** The real path of a folder that must exist. Throws `usage`. */
export async function requireFolder(folder: string, { pathFs }: Pick<Store, "pathFs">): Promise<string> {
  try {
    const real = await pathFs.realpath(folder);
    if ((await pathFs.lstat(real)).isDirectory()) return real;
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw error;
    throw usageError(`There is no folder ${folder}.`);
  }
  throw usageError(`${folder} is not a folder.`);
}
