import { expect, test } from "vitest";
import { withCommands } from "../../../src/cli/commandAdvice.ts";
import { unknownTeam } from "../../../src/store/unknown.ts";
import { commandLine } from "../../support/commandLine.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

test.each([
  ["update", "demo", "99", "--subject", "x"],
  ["claim", "demo", "99", "--as", "bob"],
  ["create", "demo", "--subject", "x", "--blocked-by", "99"],
])("an unknown task is told with the command that lists them: task %s", async (...words) => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "bob");
  const { code, stdout, stderr } = await commandLine(["task", ...words, "--json", "--root", temp.root]);
  const sentence = "There is no task #99. `muster tasks TEAM` lists them.";
  expect([code, stderr]).toEqual([1, `muster: ${sentence}\n`]);
  const told = JSON.parse(stdout);
  if (words[0] === "claim") expect(told).toEqual({ claimed: false, reason: "unknown_task", task: null });
  else expect(told).toEqual({ error: { reason: "unknown_task", message: sentence } });
});

test("so is an unknown team", () => {
  expect(withCommands(unknownTeam("x", { names: [], root: "/r" }).message)).toBe(
    'There is no team "x". The state root /r has no teams: `muster run` makes one there, and --root names another.',
  );
  expect(withCommands(unknownTeam("x").message)).toBe('There is no team "x". `muster teams` lists them.');
});
