import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LONG_VARIABLES, type LongRow } from "../test/support/longRows.ts";
import { build } from "./build.ts";
import { goalOf, LONG_HELP, wantedRows } from "./long/rows.ts";
import { asksForHelp } from "./options.ts";
import { packageExtension } from "./package.ts";
import { projectRoot } from "./project.ts";

/** Runs the rows that are named, or all, each for its minutes at most, and prints how far each came. */
function main(args: readonly string[]): void {
  if (asksForHelp(args)) {
    console.log(LONG_HELP);
    return;
  }
  const wanted = wantedRows(args);
  if ("refusal" in wanted) {
    console.error(`muster: ${wanted.refusal}`);
    process.exitCode = 1;
    return;
  }
  const { chosen, minutes } = wanted;
  const needsPackage = chosen.some(({ project }) => project === "workbench");
  if (needsPackage && !(build([]) && packageExtension())) {
    console.error("muster: A row needs the packaged extension, which could not be made; its messages are above.");
    process.exitCode = 1;
    return;
  }
  const results = chosen.map((row) => ({ row, ...runRow(row, minutes) }));
  console.log("");
  for (const { row, reached, passed, seconds } of results) {
    const count = `${reached.toLocaleString("en")} ${row.unit} (of ${goalOf(row)})`;
    console.log(`${passed ? "ok  " : "FAIL"} ${row.what.padEnd(32)} ${count.padEnd(36)} ${seconds} s`);
  }
  const failed = results.filter(({ passed }) => !passed).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function runRow(row: LongRow, minutes: number): { reached: number; passed: boolean; seconds: number } {
  console.log(`\n${row.what}: at most ${minutes} minutes`);
  const dir = mkdtempSync(path.join(tmpdir(), "muster-long-"));
  const report = path.join(dir, "reached");
  const { row: name, minutes: time, report: file } = LONG_VARIABLES;
  const env = { ...process.env, [name]: row.name, [time]: String(minutes), [file]: report };
  const vitest = path.join(projectRoot, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--project", row.project, `test/${row.project}/${row.file}.test.ts`];
  const started = Date.now();
  try {
    const { status } = spawnSync(process.execPath, args, { cwd: projectRoot, stdio: "inherit", env });
    const counts = existsSync(report) ? readFileSync(report, "utf8").trim().split("\n").map(Number) : [];
    const reached = counts.reduce((total, count) => total + count, 0);
    // a row that reached nothing did not run
    return { reached, passed: status === 0 && reached > 0, seconds: Math.round((Date.now() - started) / 1000) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

main(process.argv.slice(2));
