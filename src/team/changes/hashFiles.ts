import { createHash } from "node:crypto";
import type { WorkStamp, WorkTree } from "../../store/workTree.ts";
import type { Git } from "./git.ts";

/** A file that is not what it was when it was last looked at. */
export interface ChangedFile {
  path: string;
  stamp: WorkStamp;
}

/** `maxBytes`: a larger file counts as one that went. */
export interface HashPorts {
  files: Pick<WorkTree, "read" | "isReadable">;
  maxBytes: number;
}

/**
 * Object ids of files, by path, whose bytes are in the repository from here on. Null: the file went meanwhile; none: it
 * cannot be read. Rejects where git keeps nothing.
 */
export async function hashFiles(
  git: Git,
  ports: HashPorts,
  changed: readonly ChangedFile[],
): Promise<Map<string, string | null>> {
  const plain = changed.filter(({ path, stamp }) => !stamp.link && !/[\r\n]/.test(path)).map(({ path }) => path);
  const ids = await hashPaths(git, ports, plain);
  const hashed = new Set(plain);
  for (const { path } of changed) if (!hashed.has(path)) await hashOne(git, ports, path, ids);
  return ids;
}

/** Git ends at the first file that it cannot read, and tells no id then: those are taken out, and it tries again. */
async function hashPaths(git: Git, ports: HashPorts, paths: readonly string[]): Promise<Map<string, string | null>> {
  const ids = new Map<string, string | null>();
  if (paths.length === 0) return ids;
  try {
    const out = await git(["hash-object", "-w", "--no-filters", "--stdin-paths"], { input: `${paths.join("\n")}\n` });
    for (const [index, id] of out.toString().trimEnd().split("\n").entries()) ids.set(paths[index] ?? "", id);
    return ids;
  } catch {
    const readable: string[] = [];
    for (const path of paths) {
      if (paths.length > 1 && (await ports.files.isReadable(path))) readable.push(path);
      else await hashOne(git, ports, path, ids);
    }
    // where all seem to be readable, whichever is not is found by halves
    const cut = readable.length < paths.length ? readable.length : Math.ceil(readable.length / 2);
    for (const part of [readable.slice(0, cut), readable.slice(cut)])
      for (const [path, id] of await hashPaths(git, ports, part)) ids.set(path, id);
    return ids;
  }
}

async function hashOne(git: Git, { files, maxBytes }: HashPorts, path: string, ids: Map<string, string | null>) {
  const file = await files.read(path, maxBytes).catch(() => undefined);
  if (file === undefined) return;
  ids.set(path, file && (await git(["hash-object", "-w", "--stdin"], { input: file.bytes })).toString().trim());
}

/** Whether git calls these bytes by this id (hex), be it of SHA-1 or of SHA-256. */
export function hasObjectId(bytes: Buffer, id: string): boolean {
  const hash = createHash(id.length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === id;
}
