import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";

/**
 * The first runnable file of these candidates, then of `name` in the absolute folders of `searchPath`. Folders inside
 * `except` are passed over: a program that a project brings along is not one that the person installed.
 */
export async function findProgram(
  name: string,
  candidates: readonly string[],
  searchPath: string | undefined,
  except: string,
): Promise<string | undefined> {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const folders = (searchPath ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const outside = folders.filter((folder) => path.relative(except, folder).startsWith(".."));
  for (const candidate of [...candidates, ...outside.map((folder) => path.join(folder, file))])
    if (await isRunnable(candidate)) return candidate;
  return undefined;
}

async function isRunnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
