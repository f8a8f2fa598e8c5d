import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { pathIn } from "../../base/pathIn.ts";

/**
 * The first runnable file of these candidates, then of `name` in the absolute folders of `searchPath`. What lies inside
 * `except` or leads there is passed over: a program that a project brings along is not one that the person installed.
 */
export async function findProgram(
  name: string,
  candidates: readonly string[],
  searchPath: string | undefined,
  except: string,
): Promise<string | undefined> {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const folders = (searchPath ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const places = [except, await realpath(except).catch(() => except)];
  for (const candidate of [...candidates, ...folders.map((folder) => path.join(folder, file))]) {
    if (!(await isRunnable(candidate))) continue;
    const names = [candidate, await realpath(candidate)];
    if (!names.some((one) => places.some((place) => pathIn(place, one, path) !== null))) return candidate;
  }
  return undefined;
}

/** Whether `file` is a file that this user may run. */
export async function isRunnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
