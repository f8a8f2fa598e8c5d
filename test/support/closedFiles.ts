import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { silentLogger } from "../../src/base/logger.ts";
import type { Store } from "../../src/store/store.ts";
import { WorkRecord } from "../../src/team/changes/workRecord.ts";
import type { ChangesBench } from "./changesBench.ts";

/** Files of a bench that cannot be read, as if they were another user's; root, which tests may run as, reads all. */
export interface ClosedFiles {
  /** With the files closed. */
  store: Store;
  /** A record that cannot read them, and neither can its git. */
  record: WorkRecord;
  /** Names that cannot be read. */
  readonly closed: Set<string>;
  /** Names of which nothing can be told, as a folder on their way is closed. */
  readonly outOfReach: Set<string>;
  /** How many of git's calls there were whose arguments hold `args`. */
  calls(args: string): Promise<number>;
}

/** `names`: files that nobody can read, at first. */
export async function closedFiles(bench: ChangesBench, names: readonly string[]): Promise<ClosedFiles> {
  const { cwd } = bench;
  const [closed, outOfReach] = [new Set(names), new Set<string>()];
  const { workTree } = bench.store;
  const check = (file: string, all: readonly ReadonlySet<string>[]) => {
    if (all.some((some) => some.has(path.relative(cwd, file))))
      throw Object.assign(new Error(`EACCES: permission denied, ${file}`), { code: "EACCES" });
  };
  const store: Store = {
    ...bench.store,
    workTree: {
      ...workTree,
      stamp: async (file) => {
        check(file, [outOfReach]);
        return await workTree.stamp(file);
      },
      read: async (file, maxBytes) => {
        check(file, [closed, outOfReach]);
        return await workTree.read(file, maxBytes);
      },
      isReadable: async (file) => !closed.has(path.relative(cwd, file)) && (await workTree.isReadable(file)),
    },
  };
  const { env, calls } = await gitThatFails(cwd, names);
  const record = new WorkRecord({ store, cwd, env, clock: systemClock, logger: silentLogger });
  return { store, record, closed, outOfReach, calls };
}

/** A git that ends at files of these names, as it does at those that it cannot read, and counts its calls. */
async function gitThatFails(cwd: string, names: readonly string[]) {
  const bin = path.join(cwd, "..", "bin");
  await mkdir(bin);
  const log = path.join(bin, "calls");
  const real = `PATH='${process.env["PATH"]}' exec git "$@"`;
  const ends = names.map((name) => `case "$paths" in *'/${name}'*) echo "fatal: no" >&2; exit 128;; esac`);
  const script = `#!/bin/sh
echo "$*" >> '${log}'
case "$*" in *--stdin-paths*)
  paths=$(cat)
  ${ends.join("\n  ")}
  printf '%s\\n' "$paths" | { ${real}; }
  exit $?;;
esac
${real}
`;
  await writeFile(path.join(bin, "git"), script, { mode: 0o755 });
  await writeFile(log, "");
  return {
    env: { PATH: `${bin}${path.delimiter}${process.env["PATH"]}`, HOME: bin, LANG: "C.UTF-8" },
    calls: async (args: string) =>
      (await readFile(log, "utf8")).split("\n").filter((line) => line.includes(args)).length,
  };
}
