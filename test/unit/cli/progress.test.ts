import { describe, expect, test } from "vitest";
import { createProgress } from "../../../src/cli/render/progress.ts";
import { makeStyle } from "../../../src/cli/render/style.ts";
import type { TeamEvent } from "../../../src/protocol/events.ts";

const lines = (...events: TeamEvent[]) => linesOf(60, ...events);
const linesOf = (width: number, ...events: TeamEvent[]) => {
  const progress = createProgress({
    ...{ style: makeStyle(false), width: () => width, who: (member: string) => member.toUpperCase() },
    ...{ cwd: "/project", showRequests: true },
  });
  return events.flatMap((event) => progress(event) ?? []);
};
const task = (more: object) => ({
  ...{ id: "3", subject: "Mend\nit", description: "", activeForm: null, status: "pending", owner: null },
  ...{ blocks: [], blockedBy: [], openBlockers: [], metadata: {}, ...more },
});

describe("the progress of a run", () => {
  test("says who does what, with paths from the project's folder", () => {
    expect(
      lines(
        { type: "tool_start", member: "bob", id: "1", name: "Read", input: { file_path: "/project/src/a.ts" } },
        { type: "tool_end", member: "bob", id: "1", ok: true, ms: 3 },
        { type: "tool_start", member: "bob", id: "2", name: "Bash", input: { command: "npm\u001b test" } },
        { type: "tool_end", member: "bob", id: "2", ok: false, ms: 3 },
        { type: "text", member: "bob", text: "I have read\nit." },
        {
          type: "usage",
          member: "bob",
          input_tokens: 1,
          output_tokens: 1,
          cache_read_input_tokens: 0,
          cache_creation_input_tokens: 0,
        },
      ),
    ).toEqual([
      "BOB Read src/a.ts",
      "BOB Bash npm\\x1b test",
      "BOB Bash npm\\x1b test failed",
      "BOB\n  I have read\n  it.",
    ]);
  });

  test("says of a call that never began nothing but what was decided, and why, whole", () => {
    const reason = `Please run node --test instead, ${"and mind the rows ".repeat(12)}first.`;
    const told: TeamEvent[] = [
      { type: "request", id: "r", kind: "permission", from: "bob", tool: "Bash", input: { command: "npm test" } },
      { type: "tool_end", member: "bob", id: "1", ok: false, ms: 0 },
      { type: "decision", id: "r", decision: "deny", by: "person", reason },
    ];
    expect(linesOf(Number.POSITIVE_INFINITY, ...told)).toEqual([
      "BOB asks: Bash npm test",
      `BOB · Bash npm test denied: ${reason}`,
    ]);
    expect(lines(...told)[1]?.replaceAll("\n  ", " ")).toBe(`BOB · Bash npm test denied: ${reason}`);
  });

  test("keeps the end of a long path, and the beginning of a long command", () => {
    const start = (name: string, input: Record<string, unknown>) =>
      linesOf(44, { type: "tool_start", member: "bob", id: "1", name, input })[0];
    expect(start("Bash", { command: "/project/run -x" })).toBe("BOB Bash /project/run -x");
    expect(start("Edit", { file_path: "/project/packages/client/src/retry.ts" })).toBe("BOB Edit …client/src/retry.ts");
    expect(start("Edit", { file_path: "/project/src/日本語/日本語/日本.ts" })).toBe("BOB Edit …本語/日本語/日本.ts");
    expect(start("Bash", { command: "npm test -- --coverage --watch=false" })).toBe("BOB Bash npm test -- --cover…");
  });

  test("tells tasks as they stand", () => {
    const of = (more: object) => lines({ type: "task", task: task(more) } as TeamEvent)[0];
    expect(of({})).toBe("task #3 Mend ⏎ it pending");
    expect(of({ openBlockers: ["1", "2"] })).toBe("task #3 Mend ⏎ it waits for #1, #2");
    expect(of({ status: "in_progress", owner: "bob" })).toBe("task #3 Mend ⏎ it in progress (BOB)");
    expect(of({ status: "completed", owner: "bob" })).toBe("task #3 Mend ⏎ it completed (BOB)");
  });

  test("breaks what is too long for the terminal between words", () => {
    const joined = { agentType: "general-purpose", model: "sonnet", backend: "tmux", color: "red" } as const;
    const [line] = linesOf(23, { type: "member_joined", member: "bob", ...joined, planModeRequired: true });
    expect(line).toBe("BOB joined\n  (general-purpose,\n  sonnet, plans first)");
  });

  test.each([10, 16])("is no wider than a terminal of %i columns", (width) => {
    const all: TeamEvent[] = [
      { type: "text", member: "the-baker", text: "I have read it, and mend the price of several pieces:\n- of two" },
      { type: "tool_start", member: "the-baker", id: "1", name: "Edit", input: { file_path: "/project/src/table.ts" } },
      { type: "decision", id: "r", decision: "deny", by: "person", reason: "Run node --test instead of npm." },
    ];
    const rows = linesOf(width, ...all).flatMap((text) => text.split("\n"));
    expect(rows.filter((row) => row.length > width)).toEqual([]);
  });

  test("tells requests with their decisions once, and states only where something is wrong", () => {
    expect(
      lines(
        { type: "request", id: "r", kind: "permission", from: "bob", tool: "Bash", input: { command: "rm x" } },
        { type: "message", from: "bob", to: "team-lead", kind: "permission_request", msg_id: "m" },
        { type: "decision", id: "r", decision: "deny", by: "policy", reason: "no" },
        { type: "message", from: "bob", to: "ann", kind: "message", summary: "hi", msg_id: "m" },
        { type: "member_state", member: "bob", state: "working" },
        { type: "member_state", member: "bob", state: "working", reason: "until 14:10:05: The API is overloaded." },
        { type: "member_state", member: "bob", state: "failed", reason: "gone" },
      ),
    ).toEqual([
      ...["BOB asks: Bash rm x", "BOB · Bash rm x denied: no", "BOB → ANN: hi"],
      ...["BOB waits until 14:10:05: The API is overloaded.", "BOB failed: gone"],
    ]);
  });
});
