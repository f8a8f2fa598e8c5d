import { describe, expect, it } from "vitest";
import { UNPARSED_INPUT } from "../../../src/agent/toolCalls.ts";
import type { AgentInput } from "../../../src/agent/types.ts";
import { deferred } from "../../../src/base/deferred.ts";
import { agentRun, echoTool, person } from "../../support/agentRun.ts";
import { reply, scriptedModel, toolUse } from "../../support/scriptedModel.ts";

describe("the person's words", () => {
  it("enter a running run before its next request, and keep it going when they come as it would rest", async () => {
    const inputs: AgentInput[][] = [
      [],
      [person("Faster.")],
      [{ ...person("One more thing."), msgIds: ["m1"] }],
      [],
      [],
    ];
    const model = scriptedModel([reply("", [toolUse("a", "Echo", { text: "a" })]), "Done.", "That too."]);
    const run = agentRun(model, [echoTool()], { takeSteering: async () => inputs.shift() ?? [] });
    expect(await run.start()).toEqual({ kind: "completed" });
    expect(run.lines()).toEqual([
      "input person: Go.",
      "reply tool_use: Echo#a",
      "start a",
      "result a: a",
      "input person: Faster.",
      "reply end_turn: Done.",
      "input person: One more thing.",
      "reply end_turn: That too.",
      "end completed",
    ]);
    expect(run.transcript).toContainEqual(expect.objectContaining({ msgIds: ["m1"] }));
    expect(model.requests[1]!.messages.at(-1)?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "a" },
      { type: "text", text: "Faster." },
    ]);
  });
});

describe("a batch of calls", () => {
  it("runs consecutive parallel calls side by side and the others alone, results as they end", async () => {
    const log: string[] = [];
    const gates = { slow: deferred<void>(), write: deferred<void>() };
    const read = echoTool({
      name: "Look",
      parallel: true,
      run: async ({ text }) => {
        log.push(`${text} begins`);
        if (text === "slow") await gates.slow.promise;
        else gates.slow.resolve();
        log.push(`${text} ends`);
        return { content: text };
      },
    });
    const write = echoTool({
      run: async ({ text }) => {
        log.push(`${text} runs`);
        return { content: text };
      },
    });
    const calls = [
      toolUse("a", "Look", { text: "slow" }),
      toolUse("b", "Look", { text: "fast" }),
      toolUse("c", "Echo", { text: "write" }),
      toolUse("d", "Look", { text: "late" }),
    ];
    const run = agentRun(scriptedModel([reply("", calls), "Done."]), [read, write]);
    await run.start();
    expect(log).toEqual([
      "slow begins",
      "fast begins",
      "fast ends",
      "slow ends",
      "write runs",
      "late begins",
      "late ends",
    ]);
    expect(run.results().map((result) => result.tool_use_id)).toEqual(["b", "a", "c", "d"]);
  });

  it("tells the model why an input is refused, and runs nothing for it", async () => {
    const calls = [
      toolUse("a", "Echo", { text: 7, more: 1 }),
      toolUse("b", "Nope"),
      toolUse("c", "Echo", { [UNPARSED_INPUT]: '{"text":' }),
    ];
    const judged: string[] = [];
    const run = agentRun(scriptedModel([reply("", calls), "Sorry."]), [echoTool()], {
      authorize: async (call) => {
        judged.push(call.id);
        return { allow: true };
      },
    });
    await run.start();
    expect(judged).toEqual([]);
    expect(run.results().map(({ content }) => content)).toEqual([
      'The input of Echo is not valid. text: Invalid input: expected string, received number; Unrecognized key: "more"',
      "There is no tool named Nope. The tools are: Echo.",
      'The input of Echo is not a JSON object: {"text":',
    ]);
  });

  it("judges each call when it is its turn, and runs a changed input that the model is told of", async () => {
    const order: string[] = [];
    const tool = echoTool({
      run: async ({ text }) => {
        order.push(`run ${text}`);
        return { content: text };
      },
    });
    const calls = ["a", "b", "c"].map((id) => toolUse(id, "Echo", { text: id }));
    const run = agentRun(scriptedModel([reply("", calls), "Done."]), [tool], {
      authorize: async (call) => {
        order.push(`judge ${call.id}`);
        if (call.id === "c") throw new Error("The rules cannot be read.");
        return call.id === "a" ? { allow: true, input: { text: "changed" } } : { allow: true, input: { text: 1 } };
      },
    });
    await run.start();
    expect(order).toEqual(["judge a", "run changed", "judge b", "judge c"]);
    expect(run.results().map(({ content }) => content)).toEqual([
      'This call ran with a changed input: {"text":"changed"}\n\nchanged',
      expect.stringContaining("changed input. The input of Echo is not valid."),
      "The permission for this call could not be decided: The rules cannot be read.",
    ]);
  });

  it("tells of start and end with the time it took", async () => {
    const run = agentRun(scriptedModel([reply("", [toolUse("a", "Echo", { text: "a" })]), "Done."]), [echoTool()]);
    await run.start();
    expect(run.events.filter(({ type }) => type === "tool_start" || type === "tool_end")).toEqual([
      { type: "tool_start", call: { id: "a", name: "Echo", input: { text: "a" } } },
      { type: "tool_end", id: "a", name: "Echo", ok: true, ms: expect.any(Number) },
    ]);
  });
});

describe("an abort", () => {
  it("ends a wait for permission, and the calls behind it", async () => {
    const controller = new AbortController();
    const calls = [toolUse("a", "Echo", { text: "a" }), toolUse("b", "Echo", { text: "b" })];
    const run = agentRun(scriptedModel([reply("", calls)]), [echoTool()], {
      authorize: () => {
        queueMicrotask(() => controller.abort());
        return new Promise(() => {});
      },
    });
    expect(await run.start(controller.signal)).toEqual({ kind: "aborted" });
    expect(run.lines().slice(2)).toEqual([
      "error a: Interrupted: this call did not run.",
      "error b: Interrupted: this call did not run.",
      "end aborted",
    ]);
  });

  it("ends a wait for the request, and keeps words that had been taken", async () => {
    const controller = new AbortController();
    const run = agentRun(scriptedModel([]), [], {
      takeSteering: async () => {
        controller.abort();
        return [person("Wait.")];
      },
      prepareRequest: () => new Promise(() => {}),
    });
    expect(await run.start(controller.signal)).toEqual({ kind: "aborted" });
    expect(run.lines()).toEqual(["input person: Go.", "input person: Wait.", "end aborted"]);
  });
});

describe("stop reasons", () => {
  it("pause_turn goes on", async () => {
    const model = scriptedModel([reply("I pause.", [], "pause_turn"), "Done."]);
    expect(await agentRun(model).start()).toEqual({ kind: "completed" });
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ role: "user", content: [{ type: "text" }] });
  });

  it("a token limit goes on with a word to the model, three times in a row end the run", async () => {
    const long = () => reply("Very long", [], "max_tokens");
    const model = scriptedModel([long(), long(), long()]);
    const run = agentRun(model);
    expect(await run.start()).toMatchObject({ kind: "ended", by: "limit" });
    expect(run.lines().filter((line) => line.startsWith("input system"))).toHaveLength(2);
  });

  it("deltas and retries are told while the reply is written", async () => {
    const failure = { reason: "api_refused", message: "Busy.", retryable: true } as const;
    const model = scriptedModel([
      async function* () {
        yield { type: "thinking_delta", text: "Hm" };
        yield { type: "retrying", attempt: 1, delayMs: 5, failure };
        yield { type: "text_delta", text: "Do" };
        yield { type: "finished", outcome: reply("Done.") };
      },
    ]);
    const run = agentRun(model);
    await run.start();
    expect(run.events.slice(0, 3).map(({ type }) => type)).toEqual(["thinking_delta", "retrying", "text_delta"]);
  });
});
