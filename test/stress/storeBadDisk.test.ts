import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { finished, startChild } from "./storeProcesses.ts";

interface Said {
  write?: string;
  reason?: string;
  unchanged?: boolean;
  readable?: string[];
  again?: string;
  faults?: unknown[];
  texts?: string[];
}

/** A mount of one's own, for a small disk: as root, or as a user who may be root in a space of its own. */
const NAMESPACE = ["unshare", "--mount", ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"])];
const hasMounts =
  spawnSync(NAMESPACE[0] ?? "", [...NAMESPACE.slice(1), "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
/** Root may write anywhere: permissions are tried as somebody else. */
const AS_NOBODY = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
const WRITES = ["send", "mark", "task", "update", "transcript", "member", "team"];

describe("every write", () => {
  test.skipIf(!hasMounts)(
    "says that the disk is full, changes nothing, and works when there is room again (row 6)",
    async () => {
      await expectRecovery(await run("full", NAMESPACE), ["disk_full", "done"]);
    },
  );

  test.skipIf(!hasMounts)(
    "says that the file system is read-only, changes nothing, and works when it is not (row 6)",
    async () => {
      await expectRecovery(await run("readOnly", NAMESPACE), ["root_unreadable"]);
    },
  );

  test("says that it may not write, changes nothing, and works when it may (row 6)", async () => {
    await expectRecovery(await run("noPermission", AS_NOBODY), ["root_unreadable"]);
  });

  test("says that too many files are open, changes nothing, and works when there are fewer", async () => {
    await expectRecovery(await run("noFiles", ["sh", "-c", 'ulimit -n 60; exec "$0" "$@"']), [
      "root_unreadable",
      "done",
    ]);
  });
});

async function run(trouble: string, wrapper: string[]): Promise<Said[]> {
  const dir = await mkdtemp(join(tmpdir(), "muster-disk-"));
  await chmod(dir, 0o777);
  try {
    return await finished<Said>(startChild("badDisk", { root: join(dir, "root"), trouble }, () => {}, wrapper));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** `reasons`: what a write may come to while the disk is bad. A few bytes more may fit into the last block of a file. */
async function expectRecovery(said: Said[], reasons: string[]): Promise<void> {
  const tries = said.filter((line) => line.write !== undefined);
  expect(tries.map((line) => line.write)).toEqual(WRITES);
  for (const { write, reason, unchanged } of tries) {
    expect(reasons, write).toContain(reason);
    if (reason !== "done") expect(unchanged, write).toBe(true);
  }
  expect(tries.filter((line) => line.reason === reasons[0]).length).toBeGreaterThan(4);
  expect(said.find((line) => line.readable)?.readable).toEqual(["before"]);
  expect(said.flatMap((line) => line.again ?? [])).toEqual(WRITES);
  const last = said.at(-1);
  expect(last?.faults).toEqual([]);
  expect(last?.texts).toEqual(["before", "message"]);
}
