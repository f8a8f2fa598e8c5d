import { expect, it } from "vitest";
import { explainCase } from "../../../src/cli/explain/explainCase.ts";
import { permissionCaseSchema } from "../../../src/cli/explain/permissionCase.ts";
import { nodePathFs } from "../../../src/store/pathFs.ts";

const read = { id: "R", mode: "default", cwd: "{PROJ}", tool: "Read", input: { file_path: "{PROJ}/a.ts" } };
const explain = async (more: object) => {
  const given = permissionCaseSchema.parse({ ...read, rules: {}, ...more });
  const { behavior, rule, reason } = await explainCase(given, nodePathFs);
  return { behavior, rule, reason };
};

const broken = {
  behavior: "deny",
  rule: null,
  reason:
    '"Bash(npm" is not a permission rule. Write Tool or Tool(pattern), as in Bash(npm test:*). Correct the rule: nothing runs without it.',
};

it.each(["allow", "ask", "deny"])(
  "a text that is no rule among what is to %s refuses every call, as in a team",
  async (kind) => {
    expect(await explain({ rules: { [kind]: ["WebFetch", "Bash(npm"] } })).toEqual(broken);
  },
);

it("so does one of the folder's own file: what it denies always, what it allows once it is accepted", async () => {
  const file = (kind: string) => ({ repoSettings: { permissions: { [kind]: ["Bash(npm"] } } });
  expect(await explain({ fixture: file("deny") })).toEqual(broken);
  expect((await explain({ fixture: file("allow") })).behavior).toBe("allow");
  expect(await explain({ fixture: { ...file("allow"), trusted: true } })).toEqual(broken);
});

it("the folders that a case adds count", async () => {
  const outside = { input: { file_path: "{OUT}/a.ts" } };
  expect((await explain(outside)).behavior).toBe("ask");
  expect((await explain({ ...outside, rules: { additionalDirectories: ["{OUT}"] } })).behavior).toBe("allow");
});
