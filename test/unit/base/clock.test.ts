import { describe, expect, it } from "vitest";
import { AbortedError } from "../../../src/base/abort.ts";
import { settledWithin, untilNext } from "../../../src/base/clock.ts";
import { instantClock, stoppedClock } from "../../support/manualClock.ts";

describe("the wait until the next moment of a period", () => {
  it.each([
    [0, 5_000],
    [1, 4_999],
    [4_400, 600],
    [4_501, 5_499],
    [4_999.5, 5_000.5],
    [5_000, 5_000],
    [12_500, 2_500],
  ])("at %d of 5,000 ms is %d ms", (now, wait) => {
    expect(untilNext(5_000, now)).toBe(wait);
  });

  it("is never so short that a clock that runs a little behind makes two of one", () => {
    for (let now = 0; now < 10_000; now += 7) {
      const wait = untilNext(2_500, now);
      expect(wait).toBeGreaterThanOrEqual(250);
      expect(wait).toBeLessThanOrEqual(2_750);
      expect((now + wait) % 2_500).toBe(0);
    }
  });
});

describe("a wait for what may not settle", () => {
  const never = new Promise<never>(() => {});

  it("says whether all did in time, also those that failed", async () => {
    const failed = Promise.reject(new Error("no"));
    expect(await settledWithin(stoppedClock(), [Promise.resolve(), failed], 1_000)).toBe(true);
    expect(await settledWithin(instantClock(), [Promise.resolve(), never], 1_000)).toBe(false);
  });

  it("ends with its signal", async () => {
    const stop = new AbortController();
    const waiting = settledWithin(stoppedClock(), [never], 1_000, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow(AbortedError);
    await expect(settledWithin(stoppedClock(), [never], 1_000, stop.signal)).rejects.toThrow(AbortedError);
  });
});
