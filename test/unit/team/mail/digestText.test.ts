import { expect, it } from "vitest";
import { parseBody } from "../../../../src/protocol/messageBody.ts";
import { taskSchema } from "../../../../src/protocol/task.ts";
import { taskGraph } from "../../../../src/protocol/taskGraph.ts";
import { digestText } from "../../../../src/team/mail/digestText.ts";
import type { Mail } from "../../../../src/team/mail/mailroom.ts";

function idle(from: string, more: object = {}): Mail {
  const text = JSON.stringify({ type: "idle_notification", from, ...more });
  return { entry: { from, text, timestamp: "" }, content: parseBody(text) } as unknown as Mail;
}

const graph = (...tasks: object[]) => taskGraph(tasks.map((task) => taskSchema.parse({ status: "pending", ...task })));

const linesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("- ") && !line.startsWith("- #"));

it("each idle member is one line, the newest of its notices, with what it waits for", () => {
  const tasks = graph(
    { id: "1", subject: "Offers", status: "in_progress", owner: "ann" },
    { id: "2", subject: "Receipt", owner: "bob", blockedBy: ["1"] },
  );
  const notices = [idle("bob"), idle("ann"), idle("cyd"), idle("bob", { summary: "[to ann] Ready?" })];
  expect(linesOf(digestText("at_rest", notices, tasks, new Map()))).toEqual([
    "- ann is idle: waits for a message, #1 is open",
    "- cyd is idle: no task is ready for it",
    "- bob is idle: #2 after #1, after a message [to ann] Ready?",
  ]);
});

it("a damaged task is told of, since nobody knows whether it is open", () => {
  const text = digestText("at_rest", [], taskGraph([], new Set(["2"])), new Map());
  expect(text).toBe("The team is at rest.\nDamaged: #2");
});

it("members that failed or were interrupted say that, and with no open task there is nothing to wait for", () => {
  const done = graph({ id: "1", subject: "Offers", status: "completed", owner: "ann" });
  const failed = idle("bob", { idleReason: "failed", failureReason: "no key" });
  const notices = [idle("ann"), failed, idle("cyd", { idleReason: "interrupted" })];
  expect(linesOf(digestText("all_completed", notices, done, new Map()))).toEqual([
    "- ann is idle",
    "- bob has failed: no key",
    "- cyd was interrupted",
  ]);
});

it("a member that the person knows by another name is told of by both", () => {
  const tasks = graph({ id: "1", subject: "Offers", status: "in_progress", owner: "m-fb2f4e" });
  const called = (name: string) => (name === "m-fb2f4e" ? "研究员 (m-fb2f4e)" : name);
  const text = digestText("at_rest", [idle("m-fb2f4e")], tasks, new Map(), called);
  expect(text).toContain("- 研究员 (m-fb2f4e) is idle");
  expect(text).toContain("#1 [in_progress] Offers (研究员 (m-fb2f4e), but nobody works on it now)");
});
