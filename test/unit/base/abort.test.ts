import { expect, it } from "vitest";
import { AbortedError, raceAbort } from "../../../src/base/abort.ts";

it("a wait that begins after the abort hears of the work's failure, which nobody else would", async () => {
  const unheard: unknown[] = [];
  const listener = (reason: unknown) => unheard.push(reason);
  process.on("unhandledRejection", listener);
  try {
    const work = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("late")), 5));
    await expect(raceAbort(work, AbortSignal.abort())).rejects.toBeInstanceOf(AbortedError);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(unheard).toEqual([]);
  } finally {
    process.off("unhandledRejection", listener);
  }
});

it("an abort wins over work that is done already", async () => {
  await expect(raceAbort(Promise.resolve(1), AbortSignal.abort())).rejects.toBeInstanceOf(AbortedError);
});
