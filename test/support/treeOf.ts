import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";

/** Every file of a project: kind, permissions and bytes, by name. */
export async function treeOf(folder: string, below = ""): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const entry of await readdir(path.join(folder, below), { withFileTypes: true })) {
    const name = path.join(below, entry.name);
    const file = path.join(folder, name);
    if (entry.name === ".git") continue;
    if (entry.isDirectory()) for (const [key, value] of await treeOf(folder, name)) all.set(key, value);
    else if (entry.isSymbolicLink()) all.set(name, `link ${await readlink(file)}`);
    else
      all.set(name, `${((await lstat(file)).mode & 0o777).toString(8)} ${(await readFile(file)).toString("base64")}`);
  }
  return all;
}

/** Names of files that are not the same in both trees. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

/** Numbers from 0 to below 1, the same for one seed. */
export function random(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
