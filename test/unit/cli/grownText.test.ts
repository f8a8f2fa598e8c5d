import { expect, test } from "vitest";
import { grownBy } from "../../../src/cli/teammate/grownText.ts";

const long = Array.from({ length: 900 }, (_, n) => `word${n}`).join(" ");

test.each([
  ["", "Hello", "Hello"],
  ["Hello", "Hello there", " there"],
  ["Hello", "Hello", ""],
  [long.slice(0, 4_096), long.slice(20, 4_116), long.slice(4_096, 4_116)],
  ["Hello there", "Another one", null],
  ["Hello there", "Hello", null],
])("what a text of which the end is kept has grown by (%#)", (before, now, grown) => {
  expect(grownBy(before, now)).toBe(grown);
});
