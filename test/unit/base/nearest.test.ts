import { expect, test } from "vitest";
import { nearestOf } from "../../../src/base/nearest.ts";

test.each([
  ["tsaks", ["teams", "tasks"], "tasks"],
  ["hlep", ["send", "help"], "help"],
  ["temas", ["tasks", "teams"], "teams"],
  ["TEAM", ["tasks", "teams"], "teams"],
  ["statsu", ["tasks", "status"], "status"],
  ["xyzzy", ["tasks", "teams"], null],
  ["", ["tasks"], null],
])("%j among %j is a slip of %j", (given, candidates, nearest) => {
  expect(nearestOf(given, candidates)).toBe(nearest);
});
