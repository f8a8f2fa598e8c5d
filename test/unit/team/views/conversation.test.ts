import { describe, expect, it } from "vitest";
import { wrapForModel } from "../../../../src/protocol/message.ts";
import { SHUTDOWN_AGREED, type TranscriptRecord } from "../../../../src/protocol/transcript.ts";
import { addRecord, conversationPart, emptyConversation } from "../../../../src/team/views/conversation.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { unwrapEntries } from "../../../../src/team/views/unwrapEntries.ts";

const at = "2026-11-27T10:00:00.000Z";
const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const people = peopleOf([
  { name: "team-lead", displayName: "team-lead", color: null },
  { name: "m-1a2b3c", displayName: "研究员", color: "blue" },
]);

function reply(content: Extract<TranscriptRecord, { kind: "reply" }>["content"]): TranscriptRecord {
  return { kind: "reply", at, model: "m", content, stopReason: "tool_use", usage };
}

function input(origin: "person" | "mail" | "task" | "digest", text: string): TranscriptRecord {
  return { kind: "input", at, origin, content: [{ type: "text", text }] };
}

/** What stands in the conversation after these records, with the changes that led there applied by place. */
function read(records: TranscriptRecord[]) {
  const conversation = emptyConversation();
  const shown = new Map<number, unknown>();
  for (const record of records)
    for (const { seq, item } of addRecord(conversation, record, people)) shown.set(seq, item);
  expect([...shown.keys()].sort((a, b) => a - b)).toEqual(conversation.items.map((_, index) => index));
  expect([...shown].sort(([a], [b]) => a - b).map(([, item]) => item)).toEqual(conversation.items);
  return conversation.items;
}

describe("a conversation", () => {
  it("shows a run: the prompt, what the model writes, and its calls with their results", () => {
    const items = read([
      { kind: "session", at, sessionId: "s", agent: "alice" },
      input("person", "Make it pass."),
      reply([
        { type: "thinking", thinking: "hm", signature: "x" },
        { type: "thinking", thinking: " ", signature: "y" },
        { type: "text", text: "I look at the tests first." },
        { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/p/a.test.js" } },
        { type: "tool_use", id: "t2", name: "Bash", input: { command: "npm\n test" } },
      ]),
      { kind: "tool_start", at, toolUseId: "t1", name: "Read" },
      { kind: "tool_result", at, ms: 12, result: { type: "tool_result", tool_use_id: "t1", content: "text of it" } },
      {
        kind: "tool_result",
        at,
        ms: 0,
        result: {
          type: "tool_result",
          tool_use_id: "t2",
          content: [{ type: "text", text: "Denied." }],
          is_error: true,
        },
      },
      { kind: "run_end", at, outcome: "completed" },
    ]);
    expect(items).toEqual([
      expect.objectContaining({
        type: "input",
        text: "Make it pass.",
        from: expect.objectContaining({ role: "person" }),
      }),
      { type: "text", text: "hm", at: Date.parse(at), aside: true },
      { type: "text", text: "I look at the tests first.", at: Date.parse(at) },
      expect.objectContaining({
        type: "tool",
        name: "Read",
        argument: "/p/a.test.js",
        state: "ok",
        ms: 12,
        detail: "text of it",
      }),
      expect.objectContaining({ type: "tool", name: "Bash", argument: "npm test", state: "failed", detail: "Denied." }),
    ]);
  });

  it("keeps a call running until its result is there", () => {
    const items = read([reply([{ type: "tool_use", id: "t1", name: "TaskList", input: {} }])]);
    expect(items).toEqual([expect.objectContaining({ type: "tool", state: "running", ms: null })]);
  });

  it("shows each message of one delivery under its sender, protocol messages as what they do", () => {
    const assignment = JSON.stringify({ type: "task_assignment", taskId: "3", subject: "Write the docs" });
    const text = wrapForModel([
      {
        from: "m-1a2b3c",
        color: "blue",
        summary: 'a "quoted" <summary>',
        text: "done\n</teammate-message>\nreally & truly",
      },
      { from: "team-lead", text: assignment },
      { from: "team-lead", text: "Stop now.", verified: false },
    ]);
    expect(read([input("mail", text)])).toEqual([
      expect.objectContaining({
        text: "done\n</teammate-message>\nreally & truly",
        summary: 'a "quoted" <summary>',
        from: { name: "m-1a2b3c", displayName: "研究员", color: "blue", role: "teammate" },
      }),
      expect.objectContaining({
        ...{ text: "gave #3 Write the docs", ours: true },
        from: expect.objectContaining({ role: "lead" }),
      }),
      expect.objectContaining({ type: "note", text: expect.stringContaining("not sent by this team") }),
      expect.objectContaining({ text: "Stop now.", summary: null }),
    ]);
    expect(read([input("mail", text)]).map((item) => "ours" in item)).toEqual([false, true, false, false]);
  });

  it("says how a run ended that did not simply complete", () => {
    const end = (outcome: "aborted" | "ended" | "failed", reason?: string): TranscriptRecord => ({
      kind: "run_end",
      at,
      outcome,
      ...(reason === undefined ? {} : { reason }),
    });
    expect(
      read([
        end("aborted"),
        end("ended", "The limit of 50 requests is reached."),
        end("failed", "No key."),
        end("ended", SHUTDOWN_AGREED),
      ]),
    ).toEqual([
      expect.objectContaining({ tone: "muted", text: "Interrupted." }),
      expect.objectContaining({ tone: "muted", text: "The limit of 50 requests is reached." }),
      expect.objectContaining({ tone: "error", text: "No key." }),
      expect.objectContaining({ tone: "muted", text: "Has stopped, as asked." }),
    ]);
  });

  it("leaves the middle of a long output out and says so", () => {
    const [item] = read([
      reply([{ type: "tool_use", id: "t", name: "Bash", input: { command: "x" } }]),
      {
        kind: "tool_result",
        at,
        ms: 1,
        result: { type: "tool_result", tool_use_id: "t", content: `A${"x".repeat(9_000)}Z` },
      },
    ]);
    const detail = item?.type === "tool" ? item.detail : "";
    expect(detail.startsWith("Ax")).toBe(true);
    expect(detail.endsWith("xZ")).toBe(true);
    expect(detail).toContain("5002 characters are not shown");
  });
});

it("what follows a list in news of the team begins a paragraph of its own; the person's own words stay as they are", () => {
  const text = "At rest.\n- ann is idle\n- bob is idle\nCompleted: #1\nOpen:\n- #2 [pending] x";
  expect(read([input("digest", text)])).toMatchObject([
    { text: "At rest.\n- ann is idle\n- bob is idle\n\nCompleted: #1\nOpen:\n- #2 [pending] x" },
  ]);
  expect(read([input("person", text)])).toMatchObject([{ text }]);
});

it("tells a path from the project's folder; what else begins with the folder, such as a command, stays as it is", () => {
  const conversation = emptyConversation("/proj");
  const call = (id: string, name: string, given: Record<string, unknown>) => ({
    ...{ type: "tool_use" as const, id, name },
    input: given,
  });
  const calls = [
    call("1", "Bash", { command: "/proj/run.sh -x" }),
    call("2", "Read", { file_path: "/proj/src/a.ts" }),
    call("3", "Write", { file_path: "/project/b.ts", content: "b" }),
    call("4", "Edit", { file_path: "/proj/c.ts", old_string: "c", new_string: "d" }),
    call("5", "Grep", { pattern: "/proj/x" }),
  ];
  addRecord(conversation, reply(calls), people);
  expect(conversation.items.map((item) => item.type === "tool" && [item.argument, item.diff?.path])).toEqual([
    ["/proj/run.sh -x", undefined],
    ["src/a.ts", undefined],
    ["/project/b.ts", "/project/b.ts"],
    ["c.ts", "c.ts"],
    ["/proj/x", undefined],
  ]);
});

describe("the end of a long conversation", () => {
  const conversation = emptyConversation();
  for (let n = 0; n < 500; n += 1) addRecord(conversation, reply([{ type: "text", text: `entry ${n}` }]), people);

  it("holds the newest entries at their own places, and says how many are before them", () => {
    const { updates, earlier } = conversationPart(conversation, { maxItems: 100, maxCharacters: 1_000_000 });
    expect(earlier).toBe(400);
    expect(updates).toHaveLength(100);
    expect(updates[0]).toEqual({ seq: 400, item: expect.objectContaining({ text: "entry 400" }) });
    expect(updates.at(-1)).toEqual({ seq: 499, item: expect.objectContaining({ text: "entry 499" }) });
  });

  it("is whole where it fits, and bounded in size", () => {
    const bounds = { maxItems: 1_000, maxCharacters: 1_000_000 };
    expect(conversationPart(conversation, bounds).updates).toHaveLength(500);
    const small = conversationPart(conversation, { ...bounds, maxCharacters: 5_000 });
    expect(JSON.stringify(small).length).toBeLessThan(12_000);
    expect(small.updates.at(-1)?.seq).toBe(499);
  });

  it("goes back from any place, and holds one entry at least", () => {
    const older = conversationPart(conversation, { maxItems: 10, maxCharacters: 1_000_000, end: 20 });
    expect([older.earlier, older.updates[0]?.seq, older.updates.at(-1)?.seq]).toEqual([10, 10, 19]);
    expect(conversationPart(conversation, { maxItems: 10, maxCharacters: 1, end: 20 }).updates).toHaveLength(1);
  });
});

describe("a call", () => {
  const call = (name: string, input: Record<string, unknown>, result: unknown, failed = false) =>
    read([
      reply([{ type: "tool_use", id: "t", name, input }]),
      {
        kind: "tool_result",
        at,
        ms: 1,
        result: { type: "tool_result", tool_use_id: "t", content: result as string, ...(failed && { is_error: true }) },
      },
    ])[0];

  it("of Edit shows the lines that it changed, counted as they are in the file", () => {
    const input = { file_path: "/p/a.ts", old_string: "one\ntwo", new_string: "one\n2" };
    expect(call("Edit", input, "Changed a.ts at line 41.")).toMatchObject({
      diff: {
        path: "/p/a.ts",
        added: 1,
        removed: 1,
        lines: [
          { kind: "context", line: 41, text: "one" },
          { kind: "removed", line: 42, text: "two" },
          { kind: "added", line: 42, text: "2" },
        ],
      },
    });
    expect(call("Edit", input, "Changed a.ts at 2 places (lines 7, 9).")).toMatchObject({
      diff: { lines: [{ line: 7 }, { line: 8 }, { line: 8 }] },
    });
  });

  it("of Write shows the whole text as new, bounded in lines and in their length", () => {
    const content = Array.from({ length: 1_000 }, (_, n) => `line ${n}`).join("\n");
    const item = call("Write", { file_path: "a", content }, "Created a (1000 lines).");
    expect(item).toMatchObject({ diff: { added: 1_000, removed: 0, omitted: 800 } });
    const long = call("Write", { file_path: "a", content: "x".repeat(100_000) }, "Created a (1 lines).");
    expect(JSON.stringify(long).length).toBeLessThan(1_000);
  });

  it("that gave much back holds its beginning and end, and says what is between", () => {
    expect(call("Bash", { command: "x" }, `a${"x".repeat(10_000)}z`)).toMatchObject({
      cut: 6_002,
      detail: expect.stringMatching(/^ax+\n… 6002 characters are not shown …\nx+z$/),
    });
  });

  it("that gave an image back says how large it is, and holds nothing of it", () => {
    const image = (source: object) => [{ type: "image", source }];
    const data = Buffer.alloc(12_345).toString("base64");
    const item = call("Read", {}, image({ type: "base64", media_type: "image/png", data }));
    expect(item).toMatchObject({ images: [{ mediaType: "image/png", bytes: 12_345 }] });
    expect(JSON.stringify(item).length).toBeLessThan(300);
    expect(call("Read", {}, image({ type: "url", url: "https://x.test/a" }))).toMatchObject({
      images: [{ mediaType: "image", bytes: null }],
    });
  });
});

describe("unwrapping entries", () => {
  it("finds nothing in plain text", () => {
    expect(unwrapEntries("a <teammate-message> that is none")).toBeNull();
  });

  it("gives back what was wrapped", () => {
    const entries = [
      { from: "bob", color: "red", summary: 'x="1" & <b>', text: "one\n\ntwo &lt; three < teammate-message" },
      { from: "Ann Lee", text: "" },
    ];
    expect(unwrapEntries(wrapForModel(entries))).toEqual(entries);
  });
});
