import { errorCode, MusterError } from "../base/errors.ts";
import { isMissing } from "../store/fsErrors.ts";
import type { Store } from "../store/store.ts";
import { usageError } from "./usageError.ts";

/** The real path of a folder that must exist. Throws `usage`, and `root_unreadable` where it may not be looked at. */
export async function requireFolder(folder: string, { pathFs }: Pick<Store, "pathFs">): Promise<string> {
  try {
    const real = await pathFs.realpath(folder);
    if ((await pathFs.lstat(real)).isDirectory()) return real;
  } catch (error) {
    if (isMissing(error)) throw usageError(`There is no folder ${folder}: make it, or name another.`);
    const why = `(${errorCode(error) ?? "no reason given"})`;
    const sentence = `The folder ${folder} cannot be opened ${why}: check its owner and permissions, or name another.`;
    throw new MusterError("root_unreadable", sentence, { cause: error });
  }
  throw usageError(`${folder} is not a folder: name a folder.`);
}
