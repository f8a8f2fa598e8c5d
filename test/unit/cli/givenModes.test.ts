import { expect, test } from "vitest";
import { explainCase } from "../../../src/cli/explain/explainCase.ts";
import { parseCases, permissionCaseSchema } from "../../../src/cli/explain/permissionCase.ts";
import { readSettings } from "../../../src/extension/settings.ts";
import { nodePathFs } from "../../../src/store/pathFs.ts";
import { spawnMode } from "../../../src/team/spawnMode.ts";

const edit = { id: "E", rules: {}, cwd: "{PROJ}", tool: "Edit", input: { file_path: "{PROJ}/a.ts" } };

test.each([
  ["delegate", "allow"],
  ["acceptEdits", "allow"],
  ["dontAsk", "deny"],
  ["plan", "deny"],
  ["default", "ask"],
  ["bypassPermissions", "allow"],
])("an edit in the mode %s, as a case names it: %s", async (mode, behavior) => {
  const given = permissionCaseSchema.parse({ ...edit, mode });
  expect((await explainCase(given, nodePathFs)).behavior).toBe(behavior);
});

test("delegate given as a mode means acceptEdits, for a spawn and in the settings as well", () => {
  expect(spawnMode("delegate")).toBe("acceptEdits");
  const settings = readSettings((name) => (name === "permissionMode" ? "delegate" : undefined), {}, "/home/p");
  expect([settings.permissionMode, settings.faults]).toEqual(["acceptEdits", []]);
  expect(parseCases(JSON.stringify([{ ...edit, mode: "yolo" }]))).toMatchObject([
    {
      kind: "fault",
      sentence: expect.stringContaining("mode: choose one of default, acceptEdits, plan, bypassPermissions, dontAsk."),
    },
  ]);
});
