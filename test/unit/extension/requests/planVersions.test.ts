import { describe, expect, it } from "vitest";
import { planBefore } from "../../../../src/extension/requests/planVersions.ts";
import type { Thread, ThreadMessage } from "../../../../src/protocol/panel.ts";

const person = (name: string) => ({ name, displayName: name, color: null, role: "teammate" as const });

function sent(from: string, at: number, requestId: string, planContent: string): ThreadMessage {
  const json = JSON.stringify({ type: "plan_approval_request", from, planContent, requestId }, null, 2);
  const base = { id: requestId, from, to: "team-lead", at, text: "", summary: null, delivery: "read" } as const;
  return { ...base, kind: "plan_approval_request", json };
}

function thread(...messages: ThreadMessage[]): Thread {
  return { id: "t", a: person("nora"), b: person("team-lead"), unread: 0, messages, omitted: 0 };
}

describe("the plan before a plan", () => {
  const threads = [
    thread(sent("theo", 4, "other", "of somebody else")),
    thread(sent("nora", 1, "one", "first"), sent("nora", 5, "two", "second"), sent("nora", 9, "three", "third")),
  ];

  it("is the member's own last one, whichever of its plans is asked for", () => {
    expect(planBefore(threads, { id: "three", from: "nora" })).toBe("second");
    expect(planBefore(threads, { id: "two", from: "nora" })).toBe("first");
  });

  it("is none for the first, and for a member that sent none", () => {
    expect(planBefore(threads, { id: "one", from: "nora" })).toBeNull();
    expect(planBefore(threads, { id: "x", from: "lena" })).toBeNull();
  });

  it("is the newest that is known where the plan itself is not among the messages yet", () => {
    expect(planBefore(threads, { id: "four", from: "nora" })).toBe("third");
  });

  it("leaves out what is no plan", () => {
    const broken = { ...sent("nora", 2, "b", ""), json: '{"type":"plan_approval_request"}' };
    expect(planBefore([thread(broken, sent("nora", 3, "c", "now"))], { id: "c", from: "nora" })).toBeNull();
  });
});
