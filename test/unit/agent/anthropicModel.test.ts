import { describe, expect, it } from "vitest";
import { type AnthropicModelOptions, createAnthropicModel } from "../../../src/agent/anthropicModel.ts";
import { toMessages } from "../../../src/agent/messages.ts";
import { UNPARSED_INPUT } from "../../../src/agent/toolCalls.ts";
import type { ModelEvent, ModelFailure, ModelOutcome, ModelRequest } from "../../../src/agent/types.ts";
import {
  type Answer,
  answerError,
  answerEvents,
  blockEvents,
  messageStart,
  replyEvents,
  startAnswerServer,
  writeEvent,
} from "../../support/answerServer.ts";

const KEY = "sk-test-1234567890";
const request: ModelRequest = {
  model: "model-x",
  system: [],
  messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
  tools: [],
  maxTokens: 100,
  thinking: "off",
};

async function ask(
  options: Partial<AnthropicModelOptions>,
  asked: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<{ events: ModelEvent[]; outcome: ModelOutcome }> {
  const model = createAnthropicModel({ apiKey: async () => KEY, ...options });
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ ...request, ...asked }, signal)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "finished") throw new Error("The stream has no outcome.");
  return { events, outcome: last.outcome };
}

async function failureAfter(answer: Answer): Promise<ModelFailure> {
  await using server = await startAnswerServer([answer]);
  const { outcome } = await ask({ baseUrl: server.url });
  if (outcome.kind !== "failed" && outcome.kind !== "cut") throw new Error(`The outcome is ${outcome.kind}.`);
  return outcome.failure;
}

const toolUse = { type: "tool_use", id: "tu_1", name: "Read", input: { file_path: "a.txt", limit: 3 } };

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
    await using server = await startAnswerServer([answerEvents(replyEvents([])), answerEvents(replyEvents([]))]);
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
      thinking: { type: "adaptive" },
    });
    expect(Object.keys(server.requests[1]?.body ?? {}).toSorted()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
    ]);
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

describe("an unusable key", () => {
  it.each([
    ["missing", async () => undefined, /^There is no usable API key\. Set an API key/],
    ["blank", async () => " \n", /^There is no usable API key\. Set an API key/],
    ["not a key", async () => "sk-“quoted”", /holds characters that no key has\. Set an API key/],
    [
      "locked away",
      () => Promise.reject(new Error("the keyring is locked")),
      /: the keyring is locked\. Set an API key/,
    ],
  ])("%s: one sentence, and nothing is sent", async (_, apiKey, sentence) => {
    await using server = await startAnswerServer([]);
    const { outcome } = await ask({ baseUrl: server.url, apiKey });
    expect(outcome).toEqual({
      kind: "failed",
      failure: { reason: "no_key", message: expect.stringMatching(sentence), retryable: false },
    });
    expect(server.requests).toEqual([]);
  });
});

describe("a failure", () => {
  it("names the address that cannot be reached, without its password", async () => {
    const server = await startAnswerServer([]);
    await server[Symbol.asyncDispose]();
    const { outcome } = await ask({ baseUrl: server.url });
    const message = `Cannot reach the API at ${server.url} (ECONNREFUSED). Check the network and the base URL, then try again.`;
    expect(outcome).toEqual({ kind: "failed", failure: { reason: "api_unreachable", message, retryable: true } });
    const withPassword = await ask({ baseUrl: server.url.replace("//", "//me:secret@") });
    expect(withPassword.outcome).toMatchObject({ failure: { message: expect.stringContaining(`at ${server.url}`) } });
  });

  it("of a base URL that is none is not tried again", async () => {
    const { outcome } = await ask({ baseUrl: "not a url" });
    expect(outcome).toMatchObject({
      failure: { reason: "api_unreachable", retryable: false, message: expect.stringContaining("not a url") },
    });
  });

  const refused = "api_refused";
  it.each<[string, Answer, Partial<ModelFailure>, RegExp]>([
    [
      "400",
      answerError(400, "invalid_request_error", "max_tokens: too large"),
      { reason: refused, status: 400, retryable: false },
      /refused the request \(max_tokens: too large\)/,
    ],
    [
      "400, too long",
      answerError(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
      { cause: "prompt_too_long", retryable: false },
      /too long for model-x/,
    ],
    [
      "400, no credit",
      answerError(400, "invalid_request_error", "Your credit balance is too low"),
      { cause: "spend_limit", retryable: false },
      /add credit/,
    ],
    [
      "401",
      answerError(401, "authentication_error", `invalid x-api-key ${KEY}`),
      { cause: "auth", status: 401, retryable: false },
      /Set another API key/,
    ],
    ["402", answerError(402, "billing_error", "Pay first."), { cause: "spend_limit", retryable: false }, /Pay first\)/],
    [
      "403",
      answerError(403, "permission_error", "Not yours"),
      { cause: "auth", status: 403, retryable: false },
      /Not yours/,
    ],
    [
      "404",
      answerError(404, "not_found_error", "model: model-x"),
      { status: 404, retryable: false },
      /does not know “model-x”/,
    ],
    [
      "413",
      answerError(413, "request_too_large", "33 MB"),
      { cause: "request_too_large", retryable: false },
      /Leave out images/,
    ],
    ["408", answerError(408, "timeout_error", "Slow"), { retryable: true }, /The API failed \(Slow\)/],
    [
      "429 with a time",
      answerError(429, "rate_limit_error", "Slow down", { "retry-after": "7" }),
      { cause: "rate_limited", retryable: true, retryAfterMs: 7000 },
      /rate limit/,
    ],
    [
      "429 without a time",
      answerError(429, "rate_limit_error", "Slow down"),
      { cause: "rate_limited", retryable: false },
      /Wait a little/,
    ],
    [
      "429, spending limit",
      answerError(
        429,
        "rate_limit_error",
        "No more",
        { "retry-after": "7" },
        { error_code: "enforced_spend_limit_reached" },
      ),
      { cause: "spend_limit", retryable: false },
      /Raise it/,
    ],
    ["500", answerError(500, "api_error", "Oops"), { status: 500, retryable: true }, /The API failed \(Oops\)/],
    [
      "502 with a page",
      (response) => void response.writeHead(502).end(`<html>${"x".repeat(5000)}`),
      { status: 502, retryable: true },
      /^.{0,420}$/,
    ],
    [
      "503 that says not to",
      answerError(503, "api_error", "Closed", { "x-should-retry": "false" }),
      { retryable: false },
      /Closed/,
    ],
    [
      "529",
      answerError(529, "overloaded_error", "Overloaded", { "retry-after-ms": "1500" }),
      { cause: "overloaded", retryable: true, retryAfterMs: 1500 },
      /overloaded/,
    ],
    [
      "a web page",
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      { reason: "api_unreachable", retryable: false },
      /does not answer as the Messages API does/,
    ],
    [
      "an error event at once",
      answerEvents([{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }]),
      { cause: "overloaded", retryable: true },
      /overloaded/,
    ],
  ])("%s", async (_, answer, fields, sentence) => {
    const failure = await failureAfter(answer);
    expect(failure).toMatchObject(fields);
    expect(failure.message).toMatch(sentence);
    expect(failure.message).not.toContain(KEY);
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
