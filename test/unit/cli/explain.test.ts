import { expect, test } from "vitest";
import { commandLine } from "../../support/commandLine.ts";

const good = {
  id: "A",
  mode: "default",
  rules: { allow: ["Bash(npm test)"] },
  cwd: "{PROJ}",
  tool: "Bash",
  input: { command: "npm test" },
};
const explain = (input: string) => commandLine(["explain", "--cases", "-"], { input });
const line = `${JSON.stringify({ id: "A", decision: "allow", rule: "Bash(npm test)" }).slice(0, -1)},`;

test.each([
  [{ ...good, rules: undefined }, "rules is missing"],
  [{ ...good, mode: undefined }, "mode is missing"],
  [{ ...good, mode: "yolo" }, "mode: choose one of default, acceptEdits, plan, bypassPermissions, dontAsk"],
  [{ ...good, rules: { allow: "Bash" } }, "rules.allow must be a list"],
  [{ ...good, rules: { allow: ["Bash", 1] } }, "rules.allow.1 must be a text"],
  [{ ...good, input: [] }, "input must be an object"],
  [{ ...good, platform: "dos" }, "platform: write win32, or leave it out"],
  [{ ...good, fixture: { trusted: 1 } }, "fixture.trusted must be true or false"],
  [
    { ...good, fixture: { preToolUseHook: { permissionDecision: "no" } } },
    "fixture.preToolUseHook.permissionDecision: choose one of allow, ask, deny",
  ],
  [7, "it must be an object"],
])("%j is told in words of ours, and the other cases are answered", async (bad, fault) => {
  const { code, stdout, stderr } = await explain(JSON.stringify([bad, good]));
  expect([code, stderr]).toEqual([2, `muster: Case 1 is not a case: ${fault}.\n`]);
  expect(stdout.startsWith(line) && stdout.split("\n").length === 2).toBe(true);
});

test("several bad cases are one line", async () => {
  const lines = ["{", JSON.stringify(good), "[]", ...Array.from({ length: 5 }, () => "{}")];
  const { code, stdout, stderr } = await explain(lines.join("\n"));
  expect(stdout.startsWith(line)).toBe(true);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^muster: Line 1 of the cases is not JSON\. Case 3 is not a case: [^\n]* 2 more [^\n]*\n$/);
  expect((await explain('[{"id": "A"},]')).stderr).toBe(
    "muster: The array of cases stops being JSON at line 1, column 14.\n",
  );
});

test.each(["", "\n \n", "[]"])("that %j holds no cases is noted", async (input) => {
  const told = "muster: No case was given, so nothing is explained.\n";
  expect(await explain(input)).toEqual({ code: 0, stdout: "", stderr: told });
});

test("a rule of a tool that nobody has is noted", async () => {
  const rules = { allow: ["bash(ls)", "mcp__files"], deny: ["Made(x)"] };
  const { code, stdout, stderr } = await explain(JSON.stringify({ ...good, rules, tool: "Made" }));
  expect([code, stdout.split("\n").length]).toEqual([0, 2]);
  expect(stderr).toBe("muster: No tool here has this name, so the rule matches nothing: bash(ls), mcp__files.\n");
});
