import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "./project.ts";

/** Runs every `test/bench/*.bench.ts`, or those whose name contains an argument; each prints what it measured. */
function main(wanted: readonly string[]): void {
  const all = globSync("test/bench/*.bench.ts", { cwd: projectRoot }).sort();
  const chosen = all.filter((file) => wanted.length === 0 || wanted.some((part) => path.basename(file).includes(part)));
  if (chosen.length === 0) {
    console.error(`muster: no measurement in test/bench has ${wanted.join(" or ") || "a name"}.`);
    process.exitCode = 1;
  }
  for (const file of chosen) {
    const { status } = spawnSync(process.execPath, [file], { cwd: projectRoot, stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}

main(process.argv.slice(2));
