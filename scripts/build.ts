import { spawnSync } from "node:child_process";
import path from "node:path";
import { oversized, sizeLines } from "./build/sizes.ts";
import { writeNotices } from "./build/thirdPartyNotices.ts";
import { projectRoot } from "./project.ts";

/** Builds everything into dist; `args` go to esbuild.mjs. Returns whether it was built within the size budgets. */
export function build(args: readonly string[]): boolean {
  const bundled = spawnSync(process.execPath, ["esbuild.mjs", ...args], { cwd: projectRoot, stdio: "inherit" });
  if (bundled.status !== 0) return false;
  const dist = path.join(projectRoot, "dist");
  writeNotices(projectRoot, dist);
  if (args.length > 0) return true; // a build for development is not minified
  for (const line of sizeLines(dist)) console.log(`build: ${line}`);
  const faults = oversized(dist);
  for (const fault of faults) console.error(`build: ${fault}`);
  return faults.length === 0;
}

if (import.meta.main && !build(process.argv.slice(2))) process.exitCode = 1;
