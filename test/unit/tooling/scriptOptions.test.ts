import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { MEASUREMENTS, wantedMeasurements } from "../../../scripts/bench/measurements.ts";
import { wantedRows } from "../../../scripts/long/rows.ts";
import { projectRoot } from "../../../scripts/project.ts";
import { LONG_ROWS } from "../../support/longRows.ts";

/** Runs a task as npm does. */
function run(task: string, ...args: string[]) {
  const command = [path.join(projectRoot, "scripts/run.mjs"), task, ...args];
  return spawnSync(process.execPath, command, { encoding: "utf8", timeout: 30_000 });
}

describe("--help says what a script does and its options, and does nothing", () => {
  it.each([
    ["start", "--help", ["npm start", "--browser", "--help"]],
    ["start", "-h", ["npm start"]],
    ["test", "--help", ["npm test", "N passed, N failed", "test:unit -- FILE", "--help"]],
    ["check", "--help", ["npm run check", "--help"]],
    ["build", "--help", ["npm run build", "--dev", "--watch", "--help"]],
    ["package", "-h", ["npm run package", ".vsix"]],
    ["bench", "--help", ["npm run bench", "--help", ...Object.keys(MEASUREMENTS)]],
    ["long", "--help", ["npm run test:long", "--minutes N", "--help", ...LONG_ROWS.map(({ name }) => `--${name} `)]],
  ])("%s %s", (task, help, told) => {
    const { status, stdout, stderr } = run(task, help);
    for (const part of told) expect(stdout).toContain(part);
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it("start: in a clone without packages too, where it installs nothing", () => {
    const clone = mkdtempSync(path.join(tmpdir(), "muster-help-"));
    try {
      const script = path.join(clone, "scripts/run.mjs");
      cpSync(path.join(projectRoot, "scripts/run.mjs"), script);
      const { status, stdout } = spawnSync(process.execPath, [script, "start", "--help"], { encoding: "utf8" });
      expect(stdout).toContain("--browser");
      expect(status).toBe(0);
      expect(existsSync(path.join(clone, "node_modules"))).toBe(false);
    } finally {
      rmSync(clone, { recursive: true });
    }
  });
});

describe("what a script does not take", () => {
  it.each([
    ["start", "--fast", "npm start"],
    ["test", "unit", "npm test"],
    ["check", "--fix", "npm run check"],
    ["build", "--fast", "npm run build"],
    ["package", "--fast", "npm run package"],
    ["bench", "--fast", "npm run bench"],
    ["long", "--fast", "npm run test:long"],
  ])("%s %s: one sentence says what to do instead", (task, given, command) => {
    const { status, stdout, stderr } = run(task, given);
    const sentence = `\`${command}\` has no option "${given}": run \`${command} -- --help\` to see those there are.`;
    expect(stderr).toBe(`muster: ${sentence}\n`);
    expect(stdout).toBe("");
    expect(status).toBe(1);
  });

  it.each([
    [["--kill"], "--kill"],
    [["--kill=3"], "--kill"],
    [["kills"], "kills"],
    [["--kills", "more"], "more"],
  ])("long %j is refused", (args, given) => {
    expect(wantedRows(args)).toEqual({ refusal: expect.stringContaining(`no option "${given}": run`) });
  });

  it.each([
    [["--minutes"]],
    [["--minutes", "0"]],
    [["--minutes=61"]],
    [["--minutes", "soon"]],
    [["--minutes="]],
    [["--kills", "--minutes", "--claims"]],
  ])("long %j: the sentence says which minutes there are", (args) => {
    expect(wantedRows(args)).toEqual({ refusal: "give --minutes a number above 0 and up to 60." });
  });
});

it("long runs the rows that are named, or all", () => {
  expect(wantedRows([])).toEqual({ chosen: LONG_ROWS, minutes: 20 });
  const named = LONG_ROWS.filter(({ name }) => name === "kills" || name === "terminal-ends");
  expect(wantedRows(["--terminal-ends", "--kills", "--minutes", "0.5"])).toEqual({ chosen: named, minutes: 0.5 });
});

describe("the measurements", () => {
  it("are the files of test/bench", () => {
    const files = globSync("test/bench/*.bench.ts", { cwd: projectRoot });
    expect(files.map((file) => path.basename(file, ".bench.ts")).sort()).toEqual(Object.keys(MEASUREMENTS).sort());
  });

  it("all run, or those whose name contains what is given", () => {
    expect(wantedMeasurements([])).toEqual({ files: Object.keys(MEASUREMENTS).map((name) => `${name}.bench.ts`) });
    expect(wantedMeasurements(["store", "panel"])).toEqual({
      files: ["panel.bench.ts", "panelActivation.bench.ts", "store.bench.ts"],
    });
    expect(wantedMeasurements(["panel.bench"])).toEqual({ files: ["panel.bench.ts"] });
  });

  it("are named when one is asked for that there is not, beside one that there is", () => {
    expect(wantedMeasurements(["store", "stores"])).toEqual({
      refusal: expect.stringMatching(
        /^there is no measurement "stores": choose from panel, .*, teammatesInTerminals\.$/,
      ),
    });
  });
});
