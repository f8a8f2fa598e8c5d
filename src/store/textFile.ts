import nodePath, { dirname, join, resolve } from "node:path";
import { errorCode, MusterError } from "../base/errors.ts";
import { pathIn } from "../base/pathIn.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import { ensureDir, listDir, withDir } from "./folders.ts";
import { withFileErrors } from "./fsErrors.ts";
import type { StoreContext } from "./storeContext.ts";

/** Small text files of hosts: instructions to read, sample projects to lay out. Texts are UTF-8. */
export interface TextStore {
  read(path: string): Promise<string>;
  /** Null where there is no such file. */
  readOptional(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  /** Lays out files (relative path → text) in a folder that is absent or empty; else throws `not_allowed`. */
  writeProject(dir: string, files: Readonly<Record<string, string>>): Promise<void>;
}

/** Text files through a store's file system. */
export function createTextStore(context: StoreContext): TextStore {
  const { fs } = context;
  const read = async (path: string) => (await fs.read(path)).bytes.toString("utf8").replace(/^\uFEFF/, "");
  return {
    read: (path) => withFileErrors("The file cannot be read", path, () => read(path)),
    readOptional: (path) =>
      withFileErrors("The file cannot be read", path, async () => {
        try {
          return await read(path);
        } catch (error) {
          if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return null;
          throw error;
        }
      }),
    write: (path, text) =>
      withFileErrors("The file was not written", path, () =>
        withDir(fs, dirname(path), null, () => writeFileAtomic(fs, path, text)),
      ),
    writeProject: (dir, files) =>
      withFileErrors("The project was not written", dir, () => writeProject(context, dir, files)),
  };
}

async function writeProject(
  context: StoreContext,
  dir: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  if ((await listDir(context.fs, dir)).length > 0) {
    throw new MusterError("not_allowed", `The folder ${dir} is not empty. Choose an empty or a new one.`);
  }
  try {
    await ensureDir(context.fs, dir, null);
  } catch (error) {
    if (errorCode(error) !== "ENOTDIR") throw error;
    throw new MusterError("root_unreadable", `No folder can be made at ${dir}: name another place.`, { cause: error });
  }
  for (const [name, text] of Object.entries(files)) {
    const path = resolve(dir, name);
    if (pathIn(dir, path, nodePath) === null) throw new Error(`${name} is outside of the project.`);
    await withDir(context.fs, dirname(path), dir, () => writeFileAtomic(context.fs, join(path), text));
  }
}
