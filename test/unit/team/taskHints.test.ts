import { expect, it } from "vitest";
import { createTaskHints } from "../../../src/team/taskHints.ts";

it("all tasks are looked at until events can be trusted, then those that events named, and all again in between", () => {
  let now = 0;
  const hints = createTaskHints({ told: true, now: () => now });
  hints.add("1");
  expect(hints.take()).toBeUndefined();
  now = 4_999;
  expect(hints.take()).toBeUndefined();
  now = 5_000;
  hints.add("2");
  hints.add("3");
  expect(hints.take()).toEqual(new Set(["2", "3"]));
  expect(hints.take()).toEqual(new Set());
  now = 9_999; // 5 s after the last look at all
  hints.add("4");
  expect(hints.take()).toBeUndefined();
  expect(hints.take()).toEqual(new Set());
});

it("all tasks are looked at where somebody asks for it, where an event names none, and where no event tells of tasks", () => {
  let now = 0;
  const hints = createTaskHints({ told: true, now: () => now });
  now = 5_000;
  hints.take();
  now = 6_000;
  hints.doubt();
  expect(hints.take()).toBeUndefined();
  hints.add(undefined);
  expect(hints.take()).toBeUndefined();
  expect(hints.take()).toEqual(new Set());
  const untold = createTaskHints({ told: false, now: () => now });
  now = 7_000;
  expect(untold.take()).toBeUndefined();
});
