import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "./build.ts";
import { runChecks } from "./check.ts";
import { installHost } from "./host/installHost.ts";
import { packageExtension } from "./package.ts";
import { projectRoot } from "./project.ts";
import { installSystemPackages } from "./systemPackages.ts";

/** Outcome of one suite; `failures` names what failed, a line each. */
interface Tally {
  passed: number;
  failures: string[];
}

interface Assertion {
  status: string;
  fullName: string;
  failureMessages: string[];
}

/** What vitest's JSON report says; of a file that could not be loaded there are no tests. */
interface Report {
  numPassedTests: number;
  testResults: { name: string; status: string; message: string; assertionResults: Assertion[] }[];
}

/** How many characters are told of what was seen after a failure; all of it is in its file. */
const MOST_SEEN = 4_000;

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
    suite("stress"),
    suite("golden"),
    suite("webview"),
    step("package", () => packageExtension() !== undefined),
    suite("workbench"),
  ];
  const passed = tallies.reduce((total, tally) => total + tally.passed, 0);
  const failures = tallies.flatMap((tally) => tally.failures);
  console.log(`\nTook ${Math.round((Date.now() - started) / 1000)} s; screenshots and reports are in artifacts/.`);
  for (const seen of globSync("failed/*/seen.txt", { cwd: artifacts })) {
    console.log(`\nseen after a failure, ${path.dirname(seen)}:`);
    console.log(readFileSync(path.join(artifacts, seen), "utf8").slice(0, MOST_SEEN));
  }
  for (const failure of failures) console.log(`failed: ${failure}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  if (failures.length > 0) process.exitCode = 1;
}

function step(name: string, run: () => boolean): Tally {
  const ok = run();
  console.log(`${ok ? "ok  " : "FAIL"} ${name}`);
  return ok ? { passed: 1, failures: [] } : { passed: 0, failures: [name] };
}

/** Runs one project of vitest. A suite that ends badly without a failed test counts as one failure. */
function suite(name: string): Tally {
  console.log(`\n${name} tests`);
  const report = path.join(artifacts, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = path.join(projectRoot, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--project", name, ...reporters];
  const { status } = spawnSync(process.execPath, args, { cwd: projectRoot, stdio: "inherit" });
  const tally: Tally = existsSync(report)
    ? tallyOf(name, JSON.parse(readFileSync(report, "utf8")))
    : { passed: 0, failures: [] };
  return status === 0 || tally.failures.length > 0 ? tally : { ...tally, failures: [`${name} tests`] };
}

function tallyOf(name: string, { numPassedTests, testResults }: Report): Tally {
  const failures = testResults.flatMap((file) => {
    const named = `${name}: ${path.relative(projectRoot, file.name)}`;
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    if (failed.length > 0) {
      return failed.map(({ fullName, failureMessages }) => `${named} > ${fullName}: ${firstLine(failureMessages[0])}`);
    }
    return file.status === "failed" ? [`${named}: ${firstLine(file.message)}`] : [];
  });
  return { passed: numPassedTests, failures };
}

function firstLine(message = ""): string {
  return message.split("\n", 1)[0] ?? "";
}

main();
