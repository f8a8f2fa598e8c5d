import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMessages } from "../../../src/agent/messages.ts";
import { type ReplyBlock, type TranscriptRecord, ZERO_USAGE } from "../../../src/protocol/transcript.ts";
import { apiFaults } from "../../support/apiRules.ts";
import { toolUse } from "../../support/scriptedModel.ts";

const at = "2026-01-01T00:00:00.000Z";
const text = (value: string) => ({ type: "text" as const, text: value });
const thinking = (signature: string) => ({ type: "thinking" as const, thinking: "Hm.", signature });
const image = { type: "image" as const, source: { type: "base64", media_type: "image/png", data: "AA==" } };
const input = (...content: (ReturnType<typeof text> | typeof image)[]): TranscriptRecord => ({
  kind: "input",
  at,
  origin: "person",
  content,
});
const replied = (content: ReplyBlock[], stopReason: string | null = "end_turn"): TranscriptRecord => ({
  kind: "reply",
  at,
  model: "m",
  content,
  stopReason,
  usage: ZERO_USAGE,
  ...(stopReason === null ? { incomplete: true } : {}),
});
const result = (
  id: string,
  content: string | (ReturnType<typeof text> | typeof image)[] = "ok",
  error = false,
): TranscriptRecord => ({
  kind: "tool_result",
  at,
  ms: 1,
  result: { type: "tool_result", tool_use_id: id, content, ...(error ? { is_error: true } : {}) },
});
const started = (id: string): TranscriptRecord => ({ kind: "tool_start", at, toolUseId: id, name: "Echo" });

describe("toMessages", () => {
  it("replays a whole transcript as it was, thinking with its signature", () => {
    const block = { ...thinking("sig=="), extra: "kept" };
    const messages = toMessages([
      { kind: "session", at, sessionId: "s", agent: "ann" },
      input(text("Go."), image),
      replied([block, text("I look."), toolUse("a", "Echo")], "tool_use"),
      started("a"),
      result("a", [text("seen"), image]),
      replied([text("Done.")]),
      { kind: "run_end", at, outcome: "completed" },
      input(text("Thanks.")),
    ]);
    expect(messages).toEqual([
      { role: "user", content: [text("Go."), image] },
      { role: "assistant", content: [block, text("I look."), toolUse("a", "Echo")] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [text("seen"), image] }] },
      { role: "assistant", content: [text("Done.")] },
      { role: "user", content: [text("Thanks.")] },
    ]);
  });

  it("joins user content in a row, results first and in order of their calls", () => {
    const messages = toMessages([
      input(text("Go.")),
      replied([toolUse("a", "Echo"), toolUse("b", "Echo")], "tool_use"),
      input(text("And this.")),
      result("b"),
      result("a"),
      input(text("And that.")),
    ]);
    expect(messages.at(-1)?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "ok" },
      { type: "tool_result", tool_use_id: "b", content: "ok" },
      text("And this."),
      text("And that."),
    ]);
  });

  it("completes a pair, drops what has none, keeps the first of two", () => {
    const messages = toMessages([
      input(text("Go.")),
      result("ghost"),
      replied([toolUse("a", "Echo"), toolUse("b", "Echo"), toolUse("c", "Echo")], "tool_use"),
      started("b"),
      result("c", "first"),
      result("c", "second"),
      replied([text("Done.")]),
      result("a", "too late"),
    ]);
    expect(messages[2]?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "Interrupted: this call did not run.", is_error: true },
      { type: "tool_result", tool_use_id: "b", content: expect.stringContaining("may have run"), is_error: true },
      { type: "tool_result", tool_use_id: "c", content: "first" },
    ]);
    expect(messages.at(-1)).toEqual({ role: "user", content: [text("Continue from where you stopped.")] });
  });

  it("drops blank text, thinking that was cut, and a reply that is nothing else", () => {
    const messages = toMessages([
      input(text(" "), text("Go.")),
      replied([thinking("sig")], null),
      replied([thinking(""), text(""), text("Here.")], null),
      replied([text("\n")]),
    ]);
    expect(messages).toEqual([
      { role: "user", content: [text("Go.")] },
      { role: "assistant", content: [text("Here.")] },
      { role: "user", content: [text("Continue from where you stopped.")] },
    ]);
  });

  it("mends results that the API would refuse", () => {
    const calls = ["a", "b", "c"].map((id) => toolUse(id, "Echo"));
    const messages = toMessages([
      input(text("Go.")),
      replied(calls, "tool_use"),
      result("a", "", true),
      result("b", [text(""), image], true),
      result("c", [text(" ")]),
    ]);
    expect(messages.at(-1)?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "(no output)", is_error: true },
      { type: "tool_result", tool_use_id: "b", content: "(no output)", is_error: true },
      { type: "tool_result", tool_use_id: "c", content: "(no output)" },
    ]);
  });

  it("leaves a refused reply out, with what it refused, and keeps the pairs before it", () => {
    const messages = toMessages([
      input(text("Go.")),
      replied([toolUse("a", "Echo")], "tool_use"),
      result("a", "poison"),
      replied([text("I can")], "refusal"),
      input(text("Something else, then.")),
    ]);
    expect(apiFaults(messages)).toEqual([]);
    expect(JSON.stringify(messages)).not.toMatch(/poison|I can/);
    expect(messages.at(-1)?.content.at(-1)).toEqual(text("Something else, then."));
  });

  it("begins with the user where a transcript lost its head", () => {
    expect(apiFaults(toMessages([result("x"), replied([text("Hello.")]), input(text("Go on."))]))).toEqual([]);
  });

  it("is empty without content", () => {
    expect(toMessages([{ kind: "session", at, sessionId: "s", agent: "ann" }])).toEqual([]);
  });

  it("gives a list that the API accepts for every prefix of any records", () => {
    const id = fc.constantFrom("a", "b", "c");
    const words = fc.constantFrom("", " ", "Words.");
    const blocks = fc.array(fc.oneof(words.map(text), fc.constant(image)), { maxLength: 3 });
    const replyBlocks: fc.Arbitrary<ReplyBlock> = fc.oneof(
      words.map(text),
      fc.constantFrom("", "sig").map(thinking),
      fc.constant({ type: "redacted_thinking" as const, data: "x" }),
      id.map((value) => toolUse(value, "Echo")),
    );
    const stops = fc.constantFrom("end_turn", "tool_use", "refusal", "max_tokens", "new_reason", null);
    const record: fc.Arbitrary<TranscriptRecord> = fc.oneof(
      blocks.map((content) => input(...content)),
      fc.tuple(fc.array(replyBlocks, { maxLength: 4 }), stops).map(([content, stop]) => replied(content, stop)),
      id.map(started),
      fc.tuple(id, fc.oneof(words, blocks), fc.boolean()).map(([call, content, error]) => result(call, content, error)),
      fc.constant<TranscriptRecord>({ kind: "run_end", at, outcome: "aborted" }),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 24 }), (records) => {
        for (let length = 1; length <= records.length; length++) {
          const messages = toMessages(records.slice(0, length));
          if (messages.length > 0) expect(apiFaults(messages)).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
