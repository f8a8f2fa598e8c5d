import { describe, expect, it } from "vitest";
import { planBefore } from "../../../../src/extension/requests/planVersions.ts";
import type { Entry } from "../../../../src/protocol/message.ts";

function sent(from: string, requestId: string, planContent: string): Entry {
  const timestamp = "2026-07-10T12:00:00.000Z";
  return {
    from,
    timestamp,
    text: JSON.stringify({ type: "plan_approval_request", from, timestamp, planContent, requestId }),
  };
}

describe("the plan before a plan", () => {
  const received = [
    sent("nora", "one", "first"),
    sent("theo", "other", "of somebody else"),
    sent("nora", "two", "second"),
    sent("nora", "three", "third"),
  ];

  it("is the member's own last one, whichever of its plans is asked for", () => {
    expect(planBefore(received, { id: "three", from: "nora" })).toBe("second");
    expect(planBefore(received, { id: "two", from: "nora" })).toBe("first");
  });

  it("is none for the first, and for a member that sent none", () => {
    expect(planBefore(received, { id: "one", from: "nora" })).toBeNull();
    expect(planBefore(received, { id: "x", from: "lena" })).toBeNull();
  });

  it("is the newest that is known where the plan itself is not among the messages yet", () => {
    expect(planBefore(received, { id: "four", from: "nora" })).toBe("third");
  });

  it("is there whole, however long it is", () => {
    const long = "A step. ".repeat(20_000);
    expect(planBefore([sent("nora", "a", long), sent("nora", "b", "short")], { id: "b", from: "nora" })).toBe(long);
  });

  it("leaves out what is no plan", () => {
    const broken: Entry = { ...sent("nora", "b", ""), text: '{"type":"plan_approval_request"}' };
    const words: Entry = { ...broken, text: "{ my plan" };
    expect(planBefore([broken, words, sent("nora", "c", "now")], { id: "c", from: "nora" })).toBeNull();
  });
});
