import { expect, it } from "vitest";
import type { Thread } from "../../../../src/protocol/panel.ts";
import type { TeamSnapshot } from "../../../../src/store/snapshot.ts";
import { withDeadLetters } from "../../../../src/team/views/deadLetters.ts";

const who = (name: string) => ({ name, displayName: name, color: null, role: "teammate" as const });
function thread(to: string, delivery: "read" | "delivered", unread: number): Thread {
  const told = { kind: "message" as const, text: "Hello.", summary: null, json: null };
  return {
    ...{ id: to, a: who("bob"), b: who(to), unread, omitted: 0 },
    messages: [{ id: `to-${to}`, from: "bob", to, at: 1, delivery, ...told }],
  };
}

it("what a member that is gone or dead never read is a dead letter, and does not wait for a reader", () => {
  const snapshot = {
    config: { members: [{ name: "team-lead" }, { name: "ann" }, { name: "dead" }] },
    presence: new Map([["dead", { state: "dead" }]]),
    finishedAt: null,
  } as unknown as TeamSnapshot;
  const threads = [
    thread("ann", "delivered", 1),
    thread("gone", "delivered", 1),
    thread("gone", "read", 0),
    thread("dead", "delivered", 1),
    thread("user", "delivered", 1),
  ];
  const shown = (of: Thread[]) => of.map(({ messages, unread }) => [messages[0]?.delivery, unread]);
  expect(shown(withDeadLetters(threads, snapshot))).toEqual([
    ["delivered", 1],
    ["dead", 0],
    ["read", 0],
    ["dead", 0],
    ["delivered", 1],
  ]);
  expect(shown(withDeadLetters(threads, { ...snapshot, finishedAt: 5 })).slice(0, 1)).toEqual([["dead", 0]]);
});
