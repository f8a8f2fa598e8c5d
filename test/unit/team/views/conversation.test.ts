import { describe, expect, it } from "vitest";
import { wrapForModel } from "../../../../src/protocol/message.ts";
import { SHUTDOWN_AGREED, type TranscriptRecord } from "../../../../src/protocol/transcript.ts";
import { addRecord, conversationTail, emptyConversation } from "../../../../src/team/views/conversation.ts";
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

function input(origin: "person" | "mail" | "task", text: string): TranscriptRecord {
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
      expect.objectContaining({ type: "text", text: "I look at the tests first.", at: Date.parse(at) }),
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
      expect.objectContaining({ text: "gave #3 Write the docs", from: expect.objectContaining({ role: "lead" }) }),
      expect.objectContaining({ type: "note", text: expect.stringContaining("not sent by this team") }),
      expect.objectContaining({ text: "Stop now." }),
    ]);
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

describe("the end of a long conversation", () => {
  const conversation = emptyConversation();
  for (let n = 0; n < 500; n += 1) addRecord(conversation, reply([{ type: "text", text: `entry ${n}` }]), people);

  it("holds the newest entries at their own places, and says how many are left out", () => {
    const tail = conversationTail(conversation, 100, 1_000_000);
    expect(tail).toHaveLength(101);
    expect(tail[0]).toEqual({
      seq: 399,
      item: expect.objectContaining({ type: "note", text: "400 earlier entries are not shown." }),
    });
    expect(tail[1]).toEqual({ seq: 400, item: expect.objectContaining({ text: "entry 400" }) });
    expect(tail.at(-1)).toEqual({ seq: 499, item: expect.objectContaining({ text: "entry 499" }) });
  });

  it("is whole where it fits, and bounded in size", () => {
    expect(conversationTail(conversation, 1_000, 1_000_000)).toHaveLength(500);
    const small = conversationTail(conversation, 1_000, 5_000);
    expect(JSON.stringify(small).length).toBeLessThan(12_000);
    expect(small.at(-1)?.seq).toBe(499);
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
