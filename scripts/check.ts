import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { sourceFaults } from "./check/sourceRules.ts";
import { projectRoot } from "./project.ts";

/** One part of the check; `run` says whether it passed and has printed why not. */
interface Part {
  name: string;
  run: () => boolean;
}

const PARTS: readonly Part[] = [
  { name: "types", run: () => tool("tsc", "--project", ".", "--noEmit") },
  { name: "format and lint", run: () => tool("biome", "check", "--error-on-warnings") },
  { name: "type-aware lint", run: () => tool("oxlint", "--type-aware", "--deny-warnings") },
  { name: "layers", run: checkSources },
  { name: "unused code and packages", run: () => tool("knip", "--no-progress") },
];

/** Runs every part, whatever fails before it; returns how many passed, and the names of those that failed. */
export function runChecks(): { passed: number; failures: string[] } {
  const failed = PARTS.filter(({ name, run }) => {
    const ok = run();
    console.log(`${ok ? "ok  " : "FAIL"} check: ${name}`);
    return !ok;
  });
  return { passed: PARTS.length - failed.length, failures: failed.map(({ name }) => `check: ${name}`) };
}

function tool(name: string, ...args: string[]): boolean {
  return (
    spawnSync(name, args, { cwd: projectRoot, stdio: "inherit", shell: process.platform === "win32" }).status === 0
  );
}

function checkSources(): boolean {
  const files = globSync("{src,webview}/**/*.{ts,tsx}", { cwd: projectRoot }).map((file) =>
    file.split(path.sep).join("/"),
  );
  const faults = files.sort().flatMap((file) => sourceFaults(file, readFileSync(path.join(projectRoot, file), "utf8")));
  for (const { file, line, message } of faults) console.error(`${file}:${line}: ${message}`);
  return faults.length === 0;
}

if (import.meta.main) process.exitCode = runChecks().failures.length > 0 ? 1 : 0;
