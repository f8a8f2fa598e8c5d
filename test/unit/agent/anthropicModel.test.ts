import { describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../../src/agent/anthropicModel.ts";
import { toMessages } from "../../../src/agent/messages.ts";
import { UNPARSED_INPUT } from "../../../src/agent/toolCalls.ts";
import type { ModelOutcome, ModelRequest } from "../../../src/agent/types.ts";
import {
  type Answer,
  answerEvents,
  blockEvents,
  messageStart,
  replyEvents,
  startAnswerServer,
  writeEvent,
} from "../../support/answerServer.ts";
import { ask, KEY, request, toolUse } from "../../support/askModel.ts";

describe("a reply", () => {
  it("is streamed in pieces and whole at the end, with its usage", async () => {
    const blocks = [{ type: "text", text: "I read it." }, toolUse];
    await using server = await startAnswerServer([answerEvents(replyEvents(blocks, "tool_use"))]);
    const { events, outcome } = await ask({ baseUrl: server.url });
    expect(events.slice(0, -1)).toEqual([
      { type: "text_delta", text: "I rea" },
      { type: "text_delta", text: "d it." },
      { type: "tool_use_started", id: "tu_1", name: "Read" },
    ]);
    expect(outcome).toEqual({
      kind: "reply",
      content: blocks,
      stopReason: "tool_use",
      model: "model-x",
      usage: { input_tokens: 7, output_tokens: 42, cache_read_input_tokens: 30, cache_creation_input_tokens: 0 },
    });
  });

  it("goes round with its thinking and signatures as they came", async () => {
    const blocks = [
      { type: "thinking", thinking: "Let me see: 1 + 1.", signature: "EqQBCkYIBBgCKkA=/+" },
      { type: "redacted_thinking", data: "opaque==" },
      { type: "thinking", thinking: "", signature: "only-signed" },
      { type: "text", text: "Two." },
      toolUse,
    ];
    await using server = await startAnswerServer([
      answerEvents(replyEvents(blocks, "tool_use")),
      answerEvents(replyEvents([{ type: "text", text: "Done." }])),
    ]);
    const first = await ask({ baseUrl: server.url }, { thinking: "adaptive" });
    if (first.outcome.kind !== "reply") throw new Error("no reply");
    expect(first.outcome.content).toEqual(blocks);
    const at = "2026-01-01T00:00:00.000Z";
    const { content, stopReason, usage, model } = first.outcome;
    const messages = toMessages([
      { kind: "input", at, origin: "person", content: [{ type: "text", text: "Go." }] },
      { kind: "reply", at, content, stopReason, usage, model },
    ]);
    await ask({ baseUrl: server.url }, { messages, thinking: "adaptive" });
    expect(server.requests[1]?.body.messages[1]).toEqual({ role: "assistant", content: blocks });
  });

  it("keeps a call whose input is not JSON apart, and drops one that the token limit cut", async () => {
    const broken = { type: "tool_use", id: "tu_2", name: "Write", json: '{"file_path": "a' };
    const empty = { type: "tool_use", id: "tu_3", name: "List", json: "" };
    await using server = await startAnswerServer([
      answerEvents(replyEvents([toolUse, broken, empty], "tool_use")),
      answerEvents(replyEvents([toolUse, broken], "max_tokens")),
      answerEvents(replyEvents([toolUse, empty], "max_tokens")),
    ]);
    const contents = [];
    for (const _ of "123") {
      const { outcome } = await ask({ baseUrl: server.url });
      contents.push(outcome.kind === "reply" && outcome.content);
    }
    const kept = { type: "tool_use", id: "tu_2", name: "Write", input: { [UNPARSED_INPUT]: broken.json } };
    expect(contents).toEqual([
      [toolUse, kept, { type: "tool_use", id: "tu_3", name: "List", input: {} }],
      [toolUse],
      [toolUse],
    ]);
  });

  it("passes over events and blocks that it does not know", async () => {
    const [start, ...rest] = replyEvents([
      { type: "hologram", light: 3 },
      { type: "text", text: "Hello." },
    ]);
    await using server = await startAnswerServer([
      answerEvents([start!, { type: "ping" }, { type: "sparkle" }, ...rest]),
    ]);
    expect((await ask({ baseUrl: server.url })).outcome).toMatchObject({ content: [{ type: "text", text: "Hello." }] });
  });
});

describe("a request", () => {
  it("carries the key, the tools, thinking and the cache marks, and leaves out what is empty", async () => {
    await using server = await startAnswerServer(Array(3).fill(answerEvents(replyEvents([]))));
    const messages: ModelRequest["messages"] = [
      { role: "user", content: [{ type: "text", text: "Go." }] },
      { role: "assistant", content: [{ type: "text", text: "Yes?" }] },
      {
        role: "user",
        content: [
          { type: "text", text: "First." },
          { type: "text", text: "Second." },
        ],
      },
    ];
    const tool = { name: "Read", description: "Reads.", input_schema: { type: "object", properties: {} } };
    const system = [{ text: "Fixed.", cache: true }, { text: " " }, { text: "Changing." }];
    await ask({ baseUrl: `${server.url}/` }, { messages, tools: [tool], system, thinking: "adaptive" });
    await ask({ baseUrl: server.url });
    await ask({ baseUrl: server.url }, { thinking: "between_tools" });
    const mark = { cache_control: { type: "ephemeral" } };
    expect(server.requests[0]).toMatchObject({ path: "/v1/messages", headers: { authorization: `Bearer ${KEY}` } });
    expect(server.requests[0]?.body).toEqual({
      model: "model-x",
      max_tokens: 100,
      stream: true,
      system: [
        { type: "text", text: "Fixed.", ...mark },
        { type: "text", text: "Changing." },
      ],
      messages: [
        messages[0],
        messages[1],
        { role: "user", content: [messages[2]?.content[0], { type: "text", text: "Second.", ...mark }] },
      ],
      tools: [tool],
      thinking: { type: "adaptive", display: "summarized" },
    });
    expect(Object.keys(server.requests[1]?.body ?? {}).toSorted()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
    ]);
    expect(server.requests[2]?.body).toMatchObject({ thinking: { type: "between_tools" } });
    expect(JSON.stringify(messages)).not.toContain("cache_control");
  });
});

describe("text that differs in every request", () => {
  it("stands behind the cache mark of the last user message", async () => {
    await using server = await startAnswerServer([answerEvents(replyEvents([]))]);
    await ask({ baseUrl: server.url }, { volatile: "<team-state>now</team-state>" });
    expect(server.requests[0]?.body["messages"]).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Go.", cache_control: { type: "ephemeral" } },
          { type: "text", text: "<team-state>now</team-state>" },
        ],
      },
    ]);
  });
});

describe("a stream that breaks off", () => {
  const begun = [messageStart(), ...blockEvents({ type: "text", text: "Look:" }, 0), ...blockEvents(toolUse, 1)];
  const half = [...begun, ...blockEvents({ type: "text", text: "unfinished" }, 2).slice(0, 2)];

  it.each<[string, Answer]>([
    ["ends without message_stop", answerEvents(half)],
    [
      "is closed in the middle",
      async (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const event of half) writeEvent(response, event);
        await new Promise((resolve) => setTimeout(resolve, 50));
        response.destroy();
      },
    ],
    [
      "has an error event",
      answerEvents([...half, { type: "error", error: { type: "api_error", message: "Internal" } }]),
    ],
  ])("one that %s is cut: whole blocks are kept, it may be asked again", async (_, answer) => {
    await using server = await startAnswerServer([answer]);
    const { outcome } = await ask({ baseUrl: server.url });
    expect(outcome).toMatchObject({ kind: "cut", failure: { retryable: true }, usage: { input_tokens: 7 } });
    expect(outcome).toHaveProperty("content", [{ type: "text", text: "Look:" }, toolUse]);
  });

  it("one that falls silent is given up, and pings count as life", async () => {
    const silent: Answer = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      writeEvent(response, messageStart());
      for (let ping = 0; ping < 6; ping++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        writeEvent(response, { type: "ping" });
      }
      for (const event of blockEvents({ type: "text", text: "Still here." }, 0)) writeEvent(response, event);
    };
    await using server = await startAnswerServer([silent, () => {}]);
    const first = await ask({ baseUrl: server.url, idleTimeoutMs: 400 });
    expect(first.outcome).toMatchObject({
      kind: "cut",
      content: [{ text: "Still here." }],
      failure: { retryable: true },
    });
    const second = await ask({ baseUrl: server.url, idleTimeoutMs: 400 });
    expect(second.outcome).toMatchObject({
      kind: "failed",
      failure: { reason: "api_unreachable", message: expect.stringContaining("sent nothing for 0.4 seconds") },
    });
    await server.hungUp;
  });

  it("one that is aborted ends at once with what was whole, and the connection is closed", async () => {
    const controller = new AbortController();
    const open: Answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of half) writeEvent(response, event);
    };
    await using server = await startAnswerServer([open]);
    const model = createAnthropicModel({ apiKey: async () => KEY, baseUrl: server.url });
    let outcome: ModelOutcome | undefined;
    for await (const event of model.stream(request, controller.signal)) {
      if (event.type === "tool_use_started") controller.abort();
      if (event.type === "finished") outcome = event.outcome;
    }
    expect(outcome).toMatchObject({ kind: "aborted", content: [{ text: "Look:" }] });
    await server.hungUp;
  });

  it("a request that is aborted before it is sent is not sent", async () => {
    await using server = await startAnswerServer([]);
    expect((await ask({ baseUrl: server.url }, {}, AbortSignal.abort())).outcome.kind).toBe("aborted");
    expect(server.requests).toEqual([]);
  });

  it("the connection is closed when the reader leaves", async () => {
    const open: Answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of half) writeEvent(response, event);
    };
    await using server = await startAnswerServer([open]);
    const model = createAnthropicModel({ apiKey: async () => KEY, baseUrl: server.url });
    for await (const _ of model.stream(request, new AbortController().signal)) break;
    await server.hungUp;
  });
});
