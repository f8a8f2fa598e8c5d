import { expect, it } from "vitest";
import { isObject, parseJson } from "../../../src/base/json.ts";

it("only what has named fields is an object", () => {
  expect([{}, { a: 1 }, parseJson('{"a":1}')].map(isObject)).toEqual([true, true, true]);
  expect([null, [], "x", 1, undefined].some(isObject)).toBe(false);
});

it("a text that is no JSON has no value", () => {
  expect(parseJson("null")).toBeNull();
  for (const text of ["", "{", "undefined", "{'a':1}"]) expect(parseJson(text)).toBeUndefined();
});
