import { describe, expect, it } from "vitest";
import { isUnfinished } from "../../../src/agent/unfinishedRun.ts";
import type { TranscriptRecord } from "../../../src/protocol/transcript.ts";
import { type AgentRun, agentRun, echoTool } from "../../support/agentRun.ts";
import { reply, type ScriptStep, scriptedModel, toolUse } from "../../support/scriptedModel.ts";

const two = [toolUse("a", "Echo", { text: "a" }), toolUse("b", "Echo", { text: "b" })];

/** A run that was killed behind its n-th record, and goes on over what was stored. */
async function killedAt(count: number, steps: ScriptStep[], repeatable = false): Promise<AgentRun & { ran: string[] }> {
  const ran: string[] = [];
  const tool = echoTool({
    repeatable,
    run: async ({ text }) => {
      ran.push(text);
      return { content: text };
    },
  });
  const first = agentRun(scriptedModel(steps), [tool]);
  await first.start();
  const stored = first.transcript.slice(0, count);
  const replies = stored.filter(({ kind }) => kind === "reply").length;
  ran.splice(0);
  const next = agentRun(scriptedModel(steps.slice(replies)), [tool]);
  next.transcript.splice(0, 1, ...structuredClone(stored));
  await next.start();
  return { ...next, ran };
}

function results(transcript: readonly TranscriptRecord[]): string[] {
  return transcript.flatMap((record) => (record.kind === "tool_result" ? [record.result.tool_use_id] : []));
}

describe("a run whose process died", () => {
  const steps = [reply("", two), "Done."];

  it("goes on behind any record: every call gets one result, and none that began runs again", async () => {
    const whole = agentRun(scriptedModel(steps), [echoTool()]);
    await whole.start();
    for (let count = 1; count < whole.transcript.length; count += 1) {
      const { transcript, ran, lines } = await killedAt(count, steps);
      const begun = whole.transcript
        .slice(0, count)
        .flatMap((record) => (record.kind === "tool_start" ? [record.toolUseId] : []));
      expect(results(transcript), `killed behind record ${count}`).toEqual(["a", "b"]);
      expect(ran).toEqual(["a", "b"].filter((id) => !begun.includes(id)));
      expect(lines().at(-1)).toBe("end completed");
      expect(lines().filter((line) => line.startsWith("reply"))).toHaveLength(2);
    }
  });

  it("says of a call that began that it may have run", async () => {
    const { lines } = await killedAt(3, steps);
    expect(lines().slice(2)).toEqual([
      "start a",
      "error a: Interrupted: this call may have run. Check what it did before you make it again.",
      "start b",
      "result b: b",
      "reply end_turn: Done.",
      "end completed",
    ]);
  });

  it("makes a call again that only waits for a decision", async () => {
    const { ran, lines } = await killedAt(3, steps, true);
    expect(ran).toEqual(["a", "b"]);
    expect(lines()).toContain("result a: a");
  });

  it("asks the model for nothing where the last reply was the end", async () => {
    const { lines } = await killedAt(2, ["All is done."]);
    expect(lines()).toEqual(["input person: Go.", "reply end_turn: All is done.", "end completed"]);
  });

  it("judges a call that did not begin now, not as it was judged before", async () => {
    const run = agentRun(scriptedModel(["I see."]), [echoTool()], {
      authorize: async () => ({ allow: false, reason: "Not any more." }),
    });
    run.transcript.push({
      kind: "reply",
      at: "2026-01-01T00:00:00.500Z",
      model: "scripted",
      content: two.slice(0, 1),
      stopReason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
    await run.start();
    expect(run.lines().slice(2)).toEqual(["error a: Not any more.", "reply end_turn: I see.", "end completed"]);
  });

  it("runs nothing of a reply that was cut, or that a token limit ended", async () => {
    for (const stopReason of ["max_tokens", "refusal", null]) {
      const run = agentRun(scriptedModel(["I see."]), [echoTool()]);
      run.transcript.push({
        kind: "reply",
        at: "2026-01-01T00:00:00.500Z",
        model: "scripted",
        content: two.slice(0, 1),
        stopReason,
        usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
        ...(stopReason === null ? { incomplete: true } : {}),
      });
      await run.start();
      expect(run.lines().filter((line) => line.startsWith("start"))).toEqual([]);
    }
  });
});

describe("isUnfinished", () => {
  it("is true from the first record of a run to the one before its end", async () => {
    const run = agentRun(scriptedModel([reply("", two), "Done."]), [echoTool()]);
    await run.start();
    expect(isUnfinished([])).toBe(false);
    const ends = run.transcript.map((_, index) => isUnfinished(run.transcript.slice(0, index + 1)));
    expect(ends).toEqual([...run.transcript.slice(0, -1).map(() => true), false]);
  });
});
