import { expect, test } from "vitest";
import { ruleList } from "../../../src/cli/schemas.ts";

test("lists of rules are split outside of parentheses only", () => {
  expect(ruleList.parse("Bash(npm run a, b), Edit  Read(//x y/**)")).toEqual([
    "Bash(npm run a, b)",
    "Edit",
    "Read(//x y/**)",
  ]);
  expect(ruleList.parse("")).toEqual([]);
});
