import { expect, test } from "vitest";
import { parseJson } from "../../../src/base/json.ts";
import { jsonFault } from "../../../src/base/jsonFault.ts";

test.each([
  ["", 1, 1],
  ["{", 1, 2],
  ['{"a": 1,\n  }', 2, 3],
  ['{"a": 1 "b": 2}', 1, 9],
  ["[1, 2,]", 1, 7],
  ["[1}", 1, 3],
  ["{} {}", 1, 4],
  ['["\\x"]', 1, 2],
  ["[01]", 1, 3],
  ["{a: 1}", 1, 2],
  ["[TRUE]", 1, 2],
  ['{"a"}', 1, 5],
  ["[,]", 1, 2],
])("%j stops being JSON at line %i, column %i", (text, line, column) => {
  expect(parseJson(text)).toBeUndefined();
  expect(jsonFault(text)).toEqual({ line, column, comment: false });
});

test("comments are known as such, and what is JSON has no fault", () => {
  expect(jsonFault('{\n  "a": 1 // one\n}')).toEqual({ line: 2, column: 10, comment: true });
  expect(jsonFault("/* all */ {}")).toEqual({ line: 1, column: 1, comment: true });
  for (const value of [{ a: [1, -2.5e3, "x\n\u2028", null, true, {}, []] }, [], "x", 0, [[[]]]])
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) expect(jsonFault(text)).toBeNull();
});
