import { describe, expect, it } from "vitest";
import { type Compactor, createCompactor } from "../../../src/agent/compaction.ts";
import type { Model, ModelMessage, ModelOutcome, ModelRequest } from "../../../src/agent/types.ts";
import { type TranscriptRecord, type Usage, ZERO_USAGE } from "../../../src/protocol/transcript.ts";
import { apiFaults } from "../../support/apiRules.ts";
import { reply, scriptedModel, toolUse } from "../../support/scriptedModel.ts";

const at = "2026-01-01T00:00:00.000Z";
const never = new AbortController().signal;
const goal: TranscriptRecord = { kind: "input", at, origin: "person", content: [{ type: "text", text: "The goal." }] };
const build = (messages: ModelMessage[]): ModelRequest => ({
  model: "m",
  system: [],
  messages,
  volatile: "the team now",
  tools: [],
  maxTokens: 100,
  thinking: "off",
});

/** A turn with a call and a result of about `tokens` tokens; the API counted `counted` for its request. */
function turn(n: number, tokens: number, counted = 0): TranscriptRecord[] {
  const usage: Usage = { ...ZERO_USAGE, input_tokens: counted };
  return [
    { kind: "reply", at, model: "m", content: [toolUse(`c${n}`, "Echo", { n })], stopReason: "tool_use", usage },
    { kind: "tool_start", at, toolUseId: `c${n}`, name: "Echo" },
    {
      kind: "tool_result",
      at,
      ms: 1,
      result: { type: "tool_result", tool_use_id: `c${n}`, content: `${n}:${"x".repeat(tokens * 3.5)}` },
    },
  ];
}

const turns = (count: number, tokens: number) => Array.from({ length: count }, (_, n) => turn(n, tokens)).flat();
const json = (request: ModelRequest) => JSON.stringify(request.messages);
const prepare = (compactor: Compactor, transcript: TranscriptRecord[], window = 10_000, spent: Usage[] = []) =>
  compactor.prepare(transcript, window, { build, onSummary: async ({ usage }) => void spent.push(usage) }, never);

describe("compaction", () => {
  it("leaves a transcript alone that fits", async () => {
    const model = scriptedModel([]);
    const request = await prepare(createCompactor(model), [goal, ...turns(12, 500)]);
    expect(json(request)).toContain("The goal.");
    expect(request.messages).toHaveLength(25);
  });

  it("replaces the older turns by notes at 80 %, keeps the last ones whole, and asks once", async () => {
    const model = scriptedModel(["The notes."]);
    const spent: Usage[] = [];
    const compactor = createCompactor(model);
    const transcript = [goal, ...turns(30, 300)];
    const request = await prepare(compactor, transcript, undefined, spent);
    expect(apiFaults(request.messages)).toEqual([]);
    expect(json(request)).toMatch(/notes, which you wrote.*The notes\./);
    expect(json(request)).not.toMatch(/The goal\.|"19:/);
    for (let n = 20; n < 30; n++) expect(json(request)).toContain(`"${n}:`);
    expect(transcript).toHaveLength(91);
    const [asked] = model.requests;
    expect(apiFaults(asked!.messages)).toEqual([]);
    expect(asked).toMatchObject({ maxTokens: 100, messages: expect.anything() });
    expect(asked).not.toHaveProperty("volatile");
    expect(json(asked!)).toMatch(/The goal\..*"19:.*The conversation is about to be shortened/s);
    expect(json(asked!)).not.toContain('"20:');
    expect(spent).toHaveLength(1);
    expect(await prepare(compactor, transcript)).toEqual(request);
    expect(model.requests).toHaveLength(1);
  });

  it("goes by what the API counted, where it has counted", async () => {
    const model = scriptedModel(["The notes."]);
    const transcript = [goal, ...turns(3, 10), ...turn(3, 10, 8_500)];
    const request = await prepare(createCompactor(model), transcript);
    expect(model.requests).toHaveLength(1);
    expect(json(request)).toContain("The notes.");
  });

  it("keeps fewer turns where ten would be too large, the last one always", async () => {
    const model = scriptedModel(["One.", "Two."]);
    const request = await prepare(createCompactor(model), [goal, ...turns(9, 1_000)]);
    expect(json(request)).toMatch(/"6:.*"7:.*"8:/s);
    expect(json(request)).not.toContain('"4:');
    const huge = await prepare(createCompactor(model), [goal, ...turns(2, 1_000), ...turn(2, 9_000)]);
    expect(json(huge)).toContain('"2:');
    expect(json(huge)).not.toContain('"1:');
  });

  it("asks about no more than fits, when a transcript is far too long from the start", async () => {
    const model = scriptedModel(["The notes."]);
    await prepare(createCompactor(model), [goal, ...turns(100, 500)]);
    expect(json(model.requests[0]!).length / 3.5).toBeLessThan(9_000);
    expect(apiFaults(model.requests[0]!.messages)).toEqual([]);
  });

  it("is made on demand, whatever the estimate", async () => {
    const model = scriptedModel(["The notes."]);
    const compactor = createCompactor(model);
    compactor.demand();
    expect(json(await prepare(compactor, [goal, ...turns(4, 10)]))).toContain("The notes.");
    await prepare(compactor, [goal, ...turns(4, 10)]);
    expect(model.requests).toHaveLength(1);
  });

  it("gives up after three failures in a row, and sends what there is", async () => {
    const failed: ModelOutcome = {
      kind: "failed",
      failure: { reason: "api_refused", message: "No.", retryable: false },
    };
    const model = scriptedModel([failed, reply("", [toolUse("x", "Echo")]), failed]);
    const compactor = createCompactor(model);
    const transcript = [goal, ...turns(30, 300)];
    for (let n = 0; n < 5; n++) expect(json(await prepare(compactor, transcript))).toContain("The goal.");
    expect(model.requests).toHaveLength(3);
  });

  it("ends by an abort", async () => {
    const controller = new AbortController();
    const model: Model = {
      async *stream() {
        controller.abort();
        yield { type: "finished", outcome: { kind: "aborted", content: [], usage: ZERO_USAGE, model: "m" } };
      },
    };
    const prepared = createCompactor(model).prepare([goal, ...turns(30, 300)], 10_000, { build }, controller.signal);
    await expect(prepared).rejects.toMatchObject({ name: "AbortedError" });
  });

  it("holds through 200 compactions: every request fits, is valid, and has the notes of the last one", async () => {
    let notes = 0;
    const model: Model = {
      async *stream(request) {
        expect(apiFaults(request.messages)).toEqual([]);
        if (notes > 0) expect(json(request)).toContain(`Notes ${notes}.`);
        notes += 1;
        yield { type: "finished", outcome: reply(`Notes ${notes}.`) };
      },
    };
    const compactor = createCompactor(model);
    const transcript: TranscriptRecord[] = [goal];
    for (let n = 0; notes < 200; n++) {
      transcript.push(...turn(n, 700));
      const request = await prepare(compactor, transcript);
      expect(apiFaults(request.messages)).toEqual([]);
      expect(json(request).length / 3.5).toBeLessThan(8_300);
      expect(json(request)).toContain(notes > 0 ? `Notes ${notes}.` : "The goal.");
    }
  });
});
