import { describe, expect, it } from "vitest";
import type { ChangeRecord, FileStep } from "../../../../src/protocol/changes.ts";
import { taskSchema } from "../../../../src/protocol/task.ts";
import { taskGraph } from "../../../../src/protocol/taskGraph.ts";
import type { ReplyBlock, TranscriptRecord } from "../../../../src/protocol/transcript.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";
import { finishedSummary } from "../../../../src/team/views/finished.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";

const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };

function reply(second: number, ...content: ReplyBlock[]): TranscriptRecord {
  const at = `2026-11-27T10:00:${String(second).padStart(2, "0")}.000Z`;
  return { kind: "reply", at, model: "m", content, stopReason: "end_turn", usage };
}

function edit(id: string, path: string, tool = "Edit"): ReplyBlock {
  return { type: "tool_use", id, name: tool, input: { file_path: path } };
}

function result(id: string, failed = false): TranscriptRecord {
  const block = { type: "tool_result" as const, tool_use_id: id, content: "", ...(failed ? { is_error: true } : {}) };
  return { kind: "tool_result", at: "2026-11-27T10:00:30.000Z", ms: 1, result: block };
}

function summary(
  tasks: object[],
  transcripts: [string, TranscriptRecord[]][] = [],
  changes: readonly ChangeRecord[] = [],
  damaged: ReadonlySet<string> = new Set(),
) {
  const all = tasks.map((task) => taskSchema.parse({ subject: "s", ...task }));
  const graph = taskGraph(all, damaged);
  const people = peopleOf([{ name: "alice", displayName: "alice", color: "blue" }]);
  const rest = { people, decisions: 3, cwd: "/p", plans: "/state/plans", models: DEFAULT_MODELS, result: null };
  return finishedSummary({ graph, transcripts: new Map(transcripts), changes, ...rest });
}

describe("a finished team", () => {
  it("is not taken for completed where nobody can tell what a damaged task says", () => {
    const done = [{ id: "1", status: "completed" }];
    expect([summary(done).result, summary(done, [], [], new Set(["2"])).result]).toEqual(["completed", "incomplete"]);
  });

  it("leaves the lead's last words, who did what, the files, tokens and time", () => {
    const found = summary(
      [
        { id: "1", status: "completed", owner: "alice" },
        { id: "2", status: "completed", owner: "alice", metadata: { muster: { completedBy: "team-lead" } } },
      ],
      [
        [
          "alice",
          [reply(0, edit("a", "/p/src/b.js")), result("a"), reply(9, edit("b", "/p/src/a.js", "Write")), result("b")],
        ],
        [
          "team-lead",
          [reply(1, { type: "text", text: "Plan." }), reply(40, { type: "text", text: "All done." }), reply(41)],
        ],
      ],
    );
    expect(found).toEqual({
      result: "completed",
      text: "All done.",
      tasks: { completed: 2, total: 2 },
      durationMs: 41_000,
      tokens: 100,
      decisions: 3,
      byMember: [
        { member: expect.objectContaining({ role: "lead" }), tasks: 1, tokens: 60 },
        { member: expect.objectContaining({ name: "alice", color: "blue" }), tasks: 1, tokens: 40 },
      ],
      files: ["src/b.js", "src/a.js"],
    });
  });

  it("lists only files that were really changed, once, and no plans", () => {
    const records = [
      reply(
        0,
        edit("a", "/p/a.js"),
        edit("b", "/p/b.js"),
        edit("c", "/p/a.js"),
        edit("d", "/state/plans/x.md", "Write"),
      ),
      ...[result("a"), result("b", true), result("c"), result("d")],
      reply(1, edit("e", "/elsewhere/c.js"), edit("f", "/p/never.js")),
      result("e"),
    ];
    expect(summary([], [["alice", records]]).files).toEqual(["a.js", "/elsewhere/c.js"]);
  });

  it("counts what commands changed and what was undone, as Show Changes does", () => {
    const state = (digit: string) => ({ hash: digit.repeat(64), mode: 0o644, kept: true });
    const change = (path: string, before: string | null, after: string | null): ChangeRecord => ({
      ...{ kind: "change", at: "", id: path, member: "alice", tool: "Bash", toolUseId: path },
      files: [{ path, before: before && state(before), after: after && state(after) } as FileStep],
    });
    const changes: ChangeRecord[] = [
      { kind: "start", at: "", cwd: "/p", commit: null },
      change("/p/by command.txt", null, "1"),
      change("/p/undone.js", "1", "2"),
      change("/elsewhere/c.js", "1", "2"),
      change("/p/..x/d.js", "1", "2"),
      change("/pp/e.js", "1", "2"),
      { ...{ kind: "undo", at: "", member: "alice" }, files: [{ path: "/p/undone.js", before: null, after: null }] },
    ];
    const records = [reply(0, edit("a", "/p/undone.js")), result("a")];
    expect(summary([], [["alice", records]], changes).files).toEqual([
      "/elsewhere/c.js",
      "..x/d.js",
      "by command.txt",
      "/pp/e.js",
    ]);
    expect(summary([], [["alice", records]], changes.slice(0, 1)).files).toEqual(["undone.js"]); // by another program
  });

  it("is incomplete with open tasks; internal ones do not count", () => {
    expect(summary([{ id: "1", status: "pending" }])).toMatchObject({
      result: "incomplete",
      tasks: { completed: 0, total: 1 },
    });
    const internal = { id: "1", status: "in_progress", metadata: { _internal: true } };
    expect(summary([internal])).toMatchObject({
      result: "completed",
      tasks: { completed: 0, total: 0 },
      durationMs: 0,
    });
  });
});
