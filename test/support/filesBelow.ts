import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Every file and folder below `dir`: path from there → its bytes as Latin-1, or `folder`; folders of locks too. */
export async function filesBelow(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir, { recursive: true })).sort();
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      const isFolder = (await stat(path)).isDirectory();
      return [name, isFolder ? "folder" : await readFile(path, "latin1")] as const;
    }),
  );
  return Object.fromEntries(entries);
}
