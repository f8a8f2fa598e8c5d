import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { useCliCommands } from "../support/cliCommands.ts";
import { explainLine } from "../support/cliContract.ts";
import type { CliResult } from "../support/runCli.ts";

const cli = useCliCommands();
const { muster, refused } = cli;

describe("explain", () => {
  const base = {
    rules: { allow: ["Bash(npm test)"], ask: [], deny: ["Read(~/secret)"] },
    cwd: "{PROJ}",
    mode: "default",
  };
  const cases = [
    { ...base, id: "A", tool: "Bash", input: { command: "npm test" } },
    { ...base, id: "B", tool: "Bash", input: { command: "npm publish" } },
    {
      ...base,
      id: "C",
      tool: "Read",
      input: { file_path: "{PROJ}/link" },
      fixture: { symlinks: { "{PROJ}/link": "{HOME}/secret" } },
    },
    {
      ...base,
      id: "D",
      tool: "Write",
      input: { file_path: "{TEAMS}/t/config.json", content: "x" },
      why: "not looked at",
    },
  ];
  const decided = (result: CliResult) => result.lines().map((line) => explainLine.parse(line));

  test("decides cases in an array or in lines", async () => {
    const file = path.join(cli.home.project, "cases");
    for (const text of [JSON.stringify(cases, null, 1), `${cases.map((one) => JSON.stringify(one)).join("\n")}\n`]) {
      writeFileSync(file, text);
      const result = await muster(["explain", "--cases", "cases"]);
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
      expect(decided(result).map(({ id, decision, rule }) => [id, decision, rule])).toEqual([
        ["A", "allow", "Bash(npm test)"],
        ["B", "ask", null],
        ["C", "deny", expect.stringMatching(/^Read\(.*secret\)$/)],
        ["D", "deny", null],
      ]);
    }
  });

  test("refuses what is not there and what are no cases, and sets nothing up outside of its folder", async () => {
    await refused("usage", 2, ["explain"]);
    await refused("usage", 2, ["explain", "--cases", "nowhere"]);
    expect(await refused("usage", 2, ["explain", "--cases", "-"], { input: '{"id":"A"}' })).toContain("Case 1");
    expect(await refused("usage", 2, ["explain", "--cases", "-"], { input: "{" })).toContain("Line 1");
    const escaping = { ...cases[0], fixture: { files: [path.join(cli.home.project, "made")] } };
    await refused("not_allowed", 1, ["explain", "--cases", "-"], { input: JSON.stringify(escaping) });
    expect(existsSync(path.join(cli.home.project, "made"))).toBe(false);
  });
});
