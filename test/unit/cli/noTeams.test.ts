import path from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../../support/commandLine.ts";
import { openTempStore } from "../../support/tempStore.ts";

test("a state root without teams, and one that is not there, are told apart", async () => {
  await using temp = await openTempStore();
  const nowhere = path.join(temp.root, "nowhere");
  const teams = (root: string, ...more: string[]) => commandLine(["teams", "--root", root, ...more]);
  expect(await teams(temp.root)).toEqual({ code: 0, stdout: `No teams in ${temp.root}.\n`, stderr: "" });
  expect(await teams(nowhere)).toEqual({
    code: 0,
    stdout: `No teams in ${nowhere}: there is no such folder.\n`,
    stderr: "",
  });
  expect(JSON.parse((await teams(nowhere, "--json")).stdout)).toEqual({ root: nowhere, teams: [] });
});
