import { expect, it } from "vitest";
import { createListening } from "../../../src/team/listening.ts";

/** What is said at each of these times, in s. */
function heardAt(...times: number[]): boolean[] {
  const hasListened = createListening();
  return times.map((s) => hasListened(s * 1_000));
}

it("whoever looks all the time may call a member silent, from the first look on", () => {
  expect(heardAt(100, 105, 107, 115)).toEqual([true, true, true, true]);
});

it("whoever stood still may not before it has listened for two heartbeats", () => {
  expect(heardAt(100, 141, 146, 150.9, 151)).toEqual([true, false, false, false, true]);
  expect(heardAt(100, 141, 149, 200, 205, 210)).toEqual([true, false, false, false, false, true]);
});

it("a clock that was set back makes nobody wait for the time it showed before", () => {
  expect(heardAt(100, 4_000, 105, 110, 115)).toEqual([true, false, false, false, true]);
});
