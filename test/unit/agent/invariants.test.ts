import { describe, expect, it } from "vitest";
import { toMessages } from "../../../src/agent/messages.ts";
import { withRetry } from "../../../src/agent/retry.ts";
import type { ModelOutcome } from "../../../src/agent/types.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { type TranscriptRecord, transcriptRecordSchema, ZERO_USAGE } from "../../../src/protocol/transcript.ts";
import { agentRun, echoTool } from "../../support/agentRun.ts";
import { apiFaults } from "../../support/apiRules.ts";
import { reply, type ScriptStep, scriptedModel, toolUse } from "../../support/scriptedModel.ts";

const lost = { reason: "api_unreachable", message: "The connection was lost.", retryable: true } as const;
const cut = (...ids: string[]): ModelOutcome => ({
  kind: "cut",
  content: ids.map((id) => toolUse(id, "Echo", { text: id })),
  usage: { ...ZERO_USAGE, output_tokens: 3 },
  model: "scripted",
  failure: lost,
});
/** A tool that never ends and does not look at its signal; `abort` is called while it runs. */
const hanging = (abort: () => void, parallel = false) =>
  echoTool({
    parallel,
    run: () => {
      setImmediate(abort);
      return new Promise(() => {});
    },
  });
const noWait: Clock = { now: () => 0, sleep: async () => {} };

/** Every call of the transcript with the number of its results. */
function resultCounts(transcript: readonly TranscriptRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const record of transcript) {
    if (record.kind === "reply")
      for (const block of record.content) if (block.type === "tool_use") counts[block.id] = 0;
    if (record.kind === "tool_result") counts[record.result.tool_use_id] = (counts[record.result.tool_use_id] ?? 9) + 1;
  }
  return counts;
}

describe("invariant 1: every tool_use has exactly one tool_result, whatever ends the turn", () => {
  const two = [toolUse("a", "Echo", { text: "a" }), toolUse("b", "Echo", { text: "b" })];
  const endings: Record<
    string,
    { steps: ScriptStep[]; abortOn?: string; tool?: (abort: () => void) => ReturnType<typeof echoTool> }
  > = {
    "a finished turn": { steps: [reply("", two), "Done."] },
    "an abort while a tool hangs": { steps: [reply("", two)], tool: hanging },
    "an abort as a tool starts": { steps: [reply("", two)], abortOn: "tool_start" },
    "an abort as the reply is stored": { steps: [reply("", two)], abortOn: "record" },
    "an aborted stream": { steps: [{ ...cut("a", "b"), kind: "aborted" } as ModelOutcome] },
    "a cut stream": { steps: [cut("a", "b")] },
    "a token limit": { steps: [reply("", two, "max_tokens"), "Done."] },
    "a full context": { steps: [reply("", two, "model_context_window_exceeded"), "Done."] },
    "a refusal": { steps: [reply("", two, "refusal")] },
    "an unknown stop reason": { steps: [reply("", two, "tired")] },
    "an unknown tool": { steps: [reply("", [toolUse("a", "Nothing"), ...two.slice(1)]), "Done."] },
    "bad input": { steps: [reply("", [toolUse("a", "Echo", { text: 7 }), ...two.slice(1)]), "Done."] },
    "a tool that throws": {
      steps: [reply("", two), "Done."],
      tool: () => echoTool({ run: () => Promise.reject(new Error("No disk.")) }),
    },
    "one id used twice": { steps: [reply("", [...two, toolUse("b", "Echo", { text: "c" })]), "Done."] },
    "parallel calls": { steps: [reply("", two), "Done."], tool: () => echoTool({ parallel: true }) },
    "parallel calls that hang when the run is aborted": {
      steps: [reply("", two)],
      tool: (abort) => hanging(abort, true),
    },
  };

  it.each(Object.entries(endings))("%s", async (_, { steps, abortOn, tool = () => echoTool() }) => {
    const controller = new AbortController();
    const run = agentRun(scriptedModel(steps), [tool(() => controller.abort())], {
      emit: async (event) => {
        const stop = event.type === "record" ? event.record.kind === "reply" : true;
        if (event.type === abortOn && stop) controller.abort();
      },
    });
    await run.start(controller.signal);
    expect(resultCounts(run.transcript)).toEqual({ a: 1, b: 1 });
    expect(apiFaults(toMessages(run.transcript))).toEqual([]);
  });

  it("a denial: the reason is the result, and the run goes on", async () => {
    const model = scriptedModel([reply("", two), "Understood."]);
    const run = agentRun(model, [echoTool()], {
      authorize: async (call) => (call.id === "a" ? { allow: false, reason: "Not today." } : { allow: true }),
    });
    expect(await run.start()).toEqual({ kind: "completed" });
    expect(run.lines()).toEqual([
      "input person: Go.",
      "reply tool_use: Echo#a Echo#b",
      "error a: Not today.",
      "start b",
      "result b: b",
      "reply end_turn: Understood.",
      "end completed",
    ]);
  });

  it("a crash: a transcript that ends anywhere is completed when it is sent", async () => {
    const run = agentRun(scriptedModel([reply("Look.", two), "Done."]), [echoTool()]);
    await run.start();
    for (let length = 1; length <= run.transcript.length; length++)
      expect(apiFaults(toMessages(run.transcript.slice(0, length)))).toEqual([]);
    const crashed = run.transcript.slice(0, run.transcript.findIndex(({ kind }) => kind === "tool_start") + 1);
    expect(toMessages(crashed).at(-1)?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", is_error: true, content: expect.stringContaining("may have run") },
      { type: "tool_result", tool_use_id: "b", is_error: true, content: expect.stringContaining("did not run") },
    ]);
  });
});

describe("invariant 2: retry wraps the stream, and a tool that ran never runs again because of it", () => {
  it("a reply cut behind a whole call is asked for again, and its call runs once", async () => {
    const ran: string[] = [];
    const tool = echoTool({ run: async ({ text }) => ({ content: String(ran.push(text)) }) });
    const script = scriptedModel([
      reply("", [toolUse("a", "Echo", { text: "first" })]),
      cut("b"),
      { kind: "failed", failure: lost },
      reply("", [toolUse("c", "Echo", { text: "second" })]),
      "Done.",
    ]);
    const run = agentRun(withRetry(script, { clock: noWait, random: () => 0.5 }), [tool]);
    expect(await run.start()).toEqual({ kind: "completed" });
    expect(ran).toEqual(["first", "second"]);
    expect(run.events.filter(({ type }) => type === "retrying")).toHaveLength(2);
    expect(run.lines()).not.toContainEqual(expect.stringContaining("#b"));
  });
});

describe("invariant 3: a reply cut inside a tool call never runs that call", () => {
  it.each([
    ["a cut stream", cut("a"), "failed"],
    ["an abort", { ...cut("a"), kind: "aborted" } as ModelOutcome, "aborted"],
    ["a token limit", reply("", [toolUse("a", "Echo", { text: "a" })], "max_tokens"), "completed"],
  ])("%s", async (_, outcome, end) => {
    const ran: string[] = [];
    const tool = echoTool({ run: async ({ text }) => ({ content: String(ran.push(text)) }) });
    const run = agentRun(scriptedModel([outcome, "I go on in small steps."]), [tool]);
    expect((await run.start()).kind).toBe(end);
    expect(ran).toEqual([]);
    expect(run.lines()).not.toContain("start a");
    expect(run.results()).toEqual([expect.objectContaining({ tool_use_id: "a", is_error: true })]);
  });
});

describe("invariant 4: a run ends in one of four ways, as data", () => {
  const again = () => reply("", [toolUse("a", "Echo", { text: "a" })]);

  it("completed", async () => {
    const run = agentRun(scriptedModel(["Done."]));
    expect(await run.start()).toEqual({ kind: "completed" });
    expect(run.lines().at(-1)).toBe("end completed");
  });

  it("aborted, before the first request too", async () => {
    const run = agentRun(scriptedModel([]));
    expect(await run.start(AbortSignal.abort())).toEqual({ kind: "aborted" });
    expect(run.lines().at(-1)).toBe("end aborted");
  });

  it("ended by a tool, after its batch", async () => {
    const stop = echoTool({ name: "Stop", run: async () => ({ content: "ok", endRun: "Shut down." }) });
    const calls = [toolUse("a", "Stop", { text: "" }), toolUse("b", "Echo", { text: "still" })];
    const run = agentRun(scriptedModel([reply("", calls)]), [stop, echoTool()]);
    expect(await run.start()).toEqual({ kind: "ended", by: "tool", reason: "Shut down." });
    expect(run.lines().slice(-3)).toEqual(["start b", "result b: still", "end ended: Shut down."]);
  });

  it("ended by the limit of turns", async () => {
    const run = agentRun(scriptedModel([again(), again()]), [echoTool()]);
    const outcome = await run.start(undefined, { maxTurns: 2 });
    expect(outcome).toEqual({ kind: "ended", by: "limit", reason: "The run reached its limit of 2 turns." });
  });

  it("ended after three replies in a row of nothing but bad input", async () => {
    const bad = (id: string) => reply("", [toolUse(id, "Echo"), toolUse(`${id}2`, "Nothing")]);
    const half = reply("", [toolUse("m", "Echo"), toolUse("n", "Echo", { text: "good" })]);
    const run = agentRun(scriptedModel([bad("a"), bad("b"), half, bad("c"), bad("d"), bad("e")]), [echoTool()]);
    expect(await run.start()).toMatchObject({
      kind: "ended",
      by: "limit",
      reason: expect.stringMatching(/^3 replies/),
    });
  });

  it("failed, with the sentence for the person", async () => {
    const failure = { reason: "no_key", message: "Set an API key.", retryable: false } as const;
    const run = agentRun(scriptedModel([{ kind: "failed", failure }]));
    expect(await run.start()).toEqual({ kind: "failed", failure });
    expect(run.lines().at(-1)).toBe("end failed: Set an API key.");
  });

  it("failed by a refusal, which is not sent again", async () => {
    const run = agentRun(scriptedModel([reply("I will not.", [], "refusal"), "Gladly."]));
    expect(await run.start()).toMatchObject({ kind: "failed", failure: { reason: "api_refused", retryable: false } });
    expect(JSON.stringify(toMessages(run.transcript))).not.toMatch(/Go\.|I will not/);
  });
});

describe("invariant 5: the transcript is an append-only JSONL file; resume is replay plus repair", () => {
  it("what was stored, line by line, is the transcript in memory, and a second run goes on from it", async () => {
    const stored: string[] = [];
    const store = {
      emit: async (event: { type: string; record?: unknown }) =>
        void (event.record && stored.push(JSON.stringify(event.record))),
    };
    const script = [reply("Look.", [toolUse("a", "Echo", { text: "a" })]), "Done."];
    const first = agentRun(scriptedModel(script), [echoTool()], store);
    await first.start();
    const records = stored.map((line) => transcriptRecordSchema.parse(JSON.parse(line)));
    expect(records).toEqual(first.transcript.slice(1));

    const model = scriptedModel(["Welcome back."]);
    const second = agentRun(model, [echoTool()]);
    second.transcript.push(...records.slice(0, 2));
    expect(await second.start()).toEqual({ kind: "completed" });
    expect(apiFaults(model.requests[0]!.messages)).toEqual([]);
    expect(model.requests[0]!.messages.at(-1)?.content).toEqual([
      expect.objectContaining({ tool_use_id: "a", is_error: true }),
    ]);
  });

  it("a record is in the store before anything that follows from it", async () => {
    const order: string[] = [];
    const tool = echoTool({ run: async () => ({ content: String(order.push("tool runs")) }) });
    const run = agentRun(scriptedModel([reply("", [toolUse("a", "Echo", { text: "a" })]), "Done."]), [tool], {
      authorize: async () => {
        order.push("authorized");
        return { allow: true };
      },
      emit: async (event) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (event.type === "record") order.push(event.record.kind);
      },
    });
    await run.start();
    expect(order).toEqual(["reply", "authorized", "tool_start", "tool runs", "tool_result", "reply", "run_end"]);
  });

  it("a record that cannot be stored stops the run, and no tool runs", async () => {
    const ran: string[] = [];
    const tool = echoTool({ run: async ({ text }) => ({ content: String(ran.push(text)) }) });
    const run = agentRun(scriptedModel([reply("", [toolUse("a", "Echo", { text: "a" })])]), [tool], {
      emit: () => Promise.reject(new Error("The disk is full.")),
    });
    await expect(run.start()).rejects.toThrow("The disk is full.");
    expect(ran).toEqual([]);
  });
});
