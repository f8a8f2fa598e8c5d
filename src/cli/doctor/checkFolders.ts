import { join } from "node:path";
import { errorCode } from "../../base/errors.ts";
import { isTemporary } from "../../store/atomicFile.ts";
import type { TeamPaths } from "../../store/paths.ts";
import type { FileStat, StoreFs } from "../../store/storeFs.ts";
import type { Findings, Reporter } from "./findings.ts";

/** A lock or temporary file that nobody has touched for so long belongs to nobody. */
const LEFT_BEHIND_MS = 60_000;

/** Looks through the folders of a team for locks and temporary files that were left behind; counts the files. */
export async function checkFolders(fs: StoreFs, paths: TeamPaths, findings: Findings, report: Reporter): Promise<void> {
  for (const dir of [paths.dir, paths.inboxes, paths.tasks, paths.own, paths.transcripts]) {
    for (const name of await namesIn(fs, dir)) {
      const file = join(dir, name);
      const stat = await statOf(fs, file);
      if (!stat) continue;
      if (stat.kind === "file") findings.checked += 1;
      const ageMs = Date.now() - Number(stat.mtimeNs / 1_000_000n);
      if (ageMs < LEFT_BEHIND_MS) continue;
      const repair = `Remove ${file}.`;
      if (name.endsWith(".lock") && stat.kind === "directory")
        report.fault(
          file,
          "locks are held for milliseconds",
          "A lock was left behind.",
          `It is taken over when it is next needed. ${repair}`,
        );
      if (isTemporary(name)) report.fault(file, "nothing is left behind", "A temporary file was left behind.", repair);
    }
  }
}

async function namesIn(fs: StoreFs, dir: string): Promise<string[]> {
  try {
    return await fs.list(dir);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Undefined for what went while the folder was read. */
async function statOf(fs: StoreFs, file: string): Promise<FileStat | undefined> {
  try {
    return await fs.stat(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
