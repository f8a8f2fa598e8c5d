import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "./build.ts";
import { runChecks } from "./check.ts";
import { installHost } from "./host/installHost.ts";
import { packageExtension } from "./package.ts";
import { projectRoot } from "./project.ts";
import { installSystemPackages } from "./systemPackages.ts";

/** Outcome of one suite. */
interface Tally {
  passed: number;
  failed: number;
}

/** What vitest's JSON report says; of a file that could not be loaded there are no tests. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

const artifacts = path.join(projectRoot, "artifacts");

/** Everything from nothing; the last line on stdout is `N passed, N failed`. */
function main(): void {
  const started = Date.now();
  try {
    installSystemPackages();
    installHost();
  } catch (error) {
    console.error(`muster: ${(error as Error).message}`);
    process.exitCode = 1;
    return;
  }
  rmSync(artifacts, { recursive: true, force: true });
  const tallies = [
    step("build", () => build([])),
    runChecks(),
    suite("unit"),
    suite("process"),
    suite("golden"),
    suite("webview"),
    step("package", () => packageExtension() !== undefined),
    suite("workbench"),
  ];
  const passed = sum(tallies.map((tally) => tally.passed));
  const failed = sum(tallies.map((tally) => tally.failed));
  console.log(`\nTook ${Math.round((Date.now() - started) / 1000)} s; screenshots and reports are in artifacts/.`);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function step(name: string, run: () => boolean): Tally {
  const ok = run();
  console.log(`${ok ? "ok  " : "FAIL"} ${name}`);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

/** Runs one project of vitest. A suite that ends badly without a failed test counts as one failure. */
function suite(name: string): Tally {
  console.log(`\n${name} tests`);
  const report = path.join(artifacts, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = path.join(projectRoot, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--project", name, ...reporters];
  const { status } = spawnSync(process.execPath, args, { cwd: projectRoot, stdio: "inherit" });
  const tally = existsSync(report) ? tallyOf(JSON.parse(readFileSync(report, "utf8"))) : { passed: 0, failed: 0 };
  return status === 0 || tally.failed > 0 ? tally : { ...tally, failed: 1 };
}

function tallyOf({ numPassedTests, numFailedTests, testResults }: Report): Tally {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((assertion) => assertion.status !== "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

main();
