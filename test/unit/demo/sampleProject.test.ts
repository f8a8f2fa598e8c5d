import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SAMPLE_EDITS, SAMPLE_TESTS } from "../../../src/demo/sampleProject.ts";
import { readTestOutput } from "../../../src/demo/testOutput.ts";
import { applyEdit, runSuite, writeSample } from "../../support/sampleFolder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sample-"));
  await writeSample(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const failing = (output: string) =>
  Object.fromEntries(
    Object.entries(SAMPLE_TESTS).map(([module, tests]) => [
      module,
      tests.filter((test) => readTestOutput(output)!(test) !== "passed").length,
    ]),
  );

describe("the sample project's suite", () => {
  it.each(["spec", "tap"] as const)(
    "fails at first, in every module, and passes after the team's changes (%s)",
    async (reporter) => {
      const before = await runSuite(folder, reporter);
      expect(before.exit).toBe(1);
      expect(failing(before.output)).toEqual({ offers: 2, table: 2, receipt: 2 });

      for (const edit of Object.values(SAMPLE_EDITS).flat()) await applyEdit(folder, edit);
      const after = await runSuite(folder, reporter);
      expect(after.exit).toBe(0);
      expect(failing(after.output)).toEqual({ offers: 0, table: 0, receipt: 0 });
    },
  );

  it("has two independent faults, and a receipt that needs both mended and a line more", async () => {
    for (const edit of SAMPLE_EDITS.table) await applyEdit(folder, edit);
    expect(failing((await runSuite(folder)).output)).toEqual({ offers: 2, table: 0, receipt: 2 });
    for (const edit of SAMPLE_EDITS.offers) await applyEdit(folder, edit);
    expect(failing((await runSuite(folder)).output)).toEqual({ offers: 0, table: 0, receipt: 1 });
  });

  it("prints a receipt", async () => {
    for (const edit of Object.values(SAMPLE_EDITS).flat()) await applyEdit(folder, edit);
    const { stdout } = await promisify(execFile)(process.execPath, ["src/main.js"], { cwd: folder });
    expect(stdout).toBe(
      [
        "5 x roll             2.40",
        "3 x croissant        3.00",
        "1 x sourdough loaf   4.80",
        "Total               10.20",
        "You saved            2.10",
        "",
      ].join("\n"),
    );
  });
});

describe("reading a test run's output", () => {
  it("gives nothing for what is no test run", () => {
    expect(readTestOutput("npm: command not found")).toBeUndefined();
  });
  it("knows a test that did not run", () => {
    expect(readTestOutput("✔ one (0.1ms)\nℹ tests 1\n")!("two")).toBe("not run");
  });
});
