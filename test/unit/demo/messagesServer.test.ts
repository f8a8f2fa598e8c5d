import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../../src/demo/fault.ts";
import type { MessagesServerOptions } from "../../../src/demo/messagesServer.ts";
import { always, call, type MemberScript, scriptedTeam, steps } from "../../../src/demo/script.ts";
import { converse, post, readEvents, requestBody, resultOf, toolNamed } from "../../support/messagesClient.ts";
import { useServers } from "../../support/servers.ts";

const start = useServers();
const serve = (script: MemberScript, options?: MessagesServerOptions) => start(scriptedTeam({ nora: script }), options);

const LONG_TEXT = "A longer answer that is sent in several pieces, so that a person sees how it is written. ".repeat(4);
const READ = call("Read", { file_path: "src/offers.js", note: "ümlaut 😀 ".repeat(20) });

describe("a streamed reply", () => {
  it("has the API's events in order, with text and tool input in several pieces", async () => {
    const { url } = await serve(steps([{ text: LONG_TEXT, calls: [READ] }]));
    const response = await post(url, requestBody({ stream: true, tools: [toolNamed("Read")] }));
    const events = await readEvents(response);

    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(events.map((event) => event.type).filter((type, at, all) => type !== all[at - 1])).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    const deltas = events.filter((event) => event.type === "content_block_delta").map((event) => event.delta);
    const texts = deltas.filter((delta) => delta.type === "text_delta").map((delta) => delta.text);
    const inputs = deltas.filter((delta) => delta.type === "input_json_delta").map((delta) => delta.partial_json);
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.join("")).toBe(LONG_TEXT);
    expect(inputs.length).toBeGreaterThan(3);
    expect(JSON.parse(inputs.join(""))).toEqual(READ.input);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
    expect(events[0]!.message.usage["input_tokens"]).toBeGreaterThan(0);
    expect(events.at(-2)!.usage["output_tokens"]).toBeGreaterThan(LONG_TEXT.length / 4);
  });

  it("is read by the SDK, thinking and tool calls included, and what the SDK gives back is accepted", async () => {
    const { url, failures } = await serve(
      steps([{ thinking: "Let me look first.", text: LONG_TEXT, calls: [READ, READ] }, "Done."]),
    );
    const client = new Anthropic({ apiKey: "test", baseURL: url, maxRetries: 0 });
    const tools = [toolNamed("Read")] as unknown as Anthropic.Tool[];
    const system = "Your name: nora";
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read it." }];
    const common = { model: "demo-scripted", max_tokens: 500, system, tools, thinking: { type: "adaptive" as const } };
    const streamed: string[] = [];
    const first = await client.messages
      .stream({ ...common, messages })
      .on("text", (text) => streamed.push(text))
      .finalMessage();

    expect(first.content.map((block) => block.type)).toEqual(["thinking", "text", "tool_use", "tool_use"]);
    expect(streamed.join("")).toBe(LONG_TEXT);
    expect(first.content[2]).toMatchObject({ name: "Read", input: READ.input });
    expect(first.stop_reason).toBe("tool_use");

    const results = first.content
      .filter((block) => block.type === "tool_use")
      .map((block) => ({ type: "tool_result" as const, tool_use_id: block.id, content: "text" }));
    messages.push(
      { role: "assistant", content: first.content as Anthropic.ContentBlockParam[] },
      { role: "user", content: results },
    );
    const second = await client.messages.stream({ ...common, messages }).finalMessage();
    expect(second.content).toMatchObject([{ type: "text", text: "Done." }]);
    expect(second.stop_reason).toBe("end_turn");
    expect(failures).toEqual([]);
  });

  it("is sent as one JSON body where the request does not ask for a stream", async () => {
    const { url } = await serve(steps([{ text: "Hello.", calls: [call("Read", { file_path: "a" })] }]));
    const response = await post(url, requestBody({ tools: [toolNamed("Read")] }));
    expect(await response.json()).toMatchObject({
      type: "message",
      role: "assistant",
      model: "demo-scripted",
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "Hello." },
        { type: "tool_use", name: "Read", input: { file_path: "a" } },
      ],
    });
  });
});

describe("usage", () => {
  it("counts a prompt that is sent again as read from the cache, and only what is new as written", async () => {
    const { url } = await serve(always("Noted."));
    const system = [
      {
        type: "text",
        text: `Your name: nora\n${"Long instructions. ".repeat(600)}`,
        cache_control: { type: "ephemeral" },
      },
    ];
    const usageOf = async (messages: unknown) =>
      (await (await post(url, requestBody({ system, messages }))).json()).usage;
    const first = await usageOf([{ role: "user", content: "One." }]);
    const second = await usageOf([
      { role: "user", content: "One." },
      { role: "assistant", content: "Noted." },
      { role: "user", content: [{ type: "text", text: "Two.", cache_control: { type: "ephemeral" } }] },
    ]);
    expect(first).toMatchObject({ cache_read_input_tokens: 0 });
    expect(first.cache_creation_input_tokens).toBeGreaterThan(2000);
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
    expect(second.cache_creation_input_tokens).toBeGreaterThan(0);
    expect(second.input_tokens).toBe(0);
  });
});

describe("faults", () => {
  const body = () => requestBody({ stream: true, tools: [toolNamed("Read")] });

  it("answers 429 with retry-after, and the retry gets the reply that was due", async () => {
    const { url, inject } = await serve(steps(["One.", "Two."]));
    inject({ kind: "status", status: 429, retryAfterSeconds: 3 });
    const refused = await post(url, body());
    expect([refused.status, refused.headers.get("retry-after"), (await refused.json()).error.type]).toEqual([
      429,
      "3",
      "rate_limit_error",
    ]);
    expect(await (await post(url, body())).text()).toContain("One.");
  });

  it("answers 529 as often as it was told, to the member that was named", async () => {
    const { url, inject } = await serve(always("Hello."));
    inject({ kind: "status", status: 529 }, { member: "theo" });
    inject({ kind: "status", status: 529 }, { member: "nora", times: 2 });
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await post(url, body())).status);
    expect(statuses).toEqual([529, 529, 200]);
  });

  it("cuts a stream inside a tool call, and the retry gets the same reply whole", async () => {
    const delivered: string[] = [];
    const fault: Fault = { kind: "cut", afterPieces: 3 };
    const { url } = await serve(steps([{ calls: [READ], fault, delivered: () => delivered.push("whole") }, "Two."]));
    await expect(readEvents(await post(url, body()))).rejects.toThrow();
    expect(delivered).toEqual([]);
    const events = await readEvents(await post(url, body()));
    expect(events.at(-1)).toMatchObject({ type: "message_stop" });
    expect(delivered).toEqual(["whole"]);
  });

  it("sends what came before the cut", async () => {
    const { url } = await serve(steps([{ text: LONG_TEXT, fault: { kind: "cut", afterPieces: 2 } }]));
    const response = await post(url, body());
    const reader = response.body!.getReader();
    let text = "";
    const end = await (async () => {
      for (;;) {
        const part = await reader.read();
        if (part.done) return "ended";
        text += new TextDecoder().decode(part.value);
      }
    })().catch(() => "broken");
    expect(end).toBe("broken");
    expect(text.match(/text_delta/g)).toHaveLength(2);
  });

  it("sends an error event in the middle, which the SDK throws", async () => {
    const { url } = await serve(steps([{ text: LONG_TEXT, fault: { kind: "error_event", afterPieces: 2 } }]));
    const client = new Anthropic({ apiKey: "test", baseURL: url, maxRetries: 0 });
    const params = {
      model: "m",
      max_tokens: 10,
      system: "Your name: nora",
      messages: [{ role: "user" as const, content: "Hi." }],
    };
    await expect(client.messages.stream(params).finalMessage()).rejects.toThrow(/Overloaded/);
  });

  it("ends a reply at its token limit inside a tool call, and by a refusal", async () => {
    const { url } = await serve(steps([{ calls: [READ], fault: { kind: "max_tokens", afterPieces: 3 } }]));
    const cut = await readEvents(await post(url, body()));
    expect(cut.slice(-3).map((event) => event.type)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
    expect(cut.at(-2)!.delta.stop_reason).toBe("max_tokens");
    const json = cut
      .flatMap((event) => (event.delta?.partial_json === undefined ? [] : [event.delta.partial_json]))
      .join("");
    expect(() => JSON.parse(json)).toThrow();

    const again = await serve(
      steps([{ text: LONG_TEXT, fault: { kind: "refusal", afterPieces: 0, explanation: "Not this." } }]),
    );
    const refused = await readEvents(await post(again.url, body()));
    expect(refused.map((event) => event.type)).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(refused.at(-2)!.delta).toMatchObject({
      stop_reason: "refusal",
      stop_details: { type: "refusal", explanation: "Not this." },
    });
  });

  it("stalls until the client goes away, closes without an answer, and comes late", async () => {
    const { url, inject, requests } = await serve(always(LONG_TEXT));
    const abort = new AbortController();
    inject({ kind: "stall", afterPieces: 1 });
    const stalled = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "anthropic-version": "2023-06-01", "x-api-key": "k" },
      body: JSON.stringify(body()),
      signal: abort.signal,
    });
    const first = await stalled.body!.getReader().read();
    expect(new TextDecoder().decode(first.value)).toContain("message_start");
    abort.abort();
    await expect.poll(() => requests[0]!.status).toBe(0);

    inject({ kind: "hang_up" });
    await expect(post(url, body())).rejects.toThrow();
    inject({ kind: "slow", ms: 120 });
    const late = await readEvents(await post(url, body()));
    expect(late.at(-1)).toMatchObject({ type: "message_stop" });
    expect(requests.at(-1)!.endedAt! - requests.at(-1)!.at).toBeGreaterThanOrEqual(100);
  });

  it("frees its port when it is closed in the middle of replies", async () => {
    const { url, port, close, requests } = await serve(always(LONG_TEXT), {
      pace: { firstByteMs: 0, pieceMs: 60_000 },
    });
    const pending = post(url, body()).then((response) => response.text());
    pending.catch(() => undefined);
    await expect.poll(() => requests.length).toBe(1);
    await close();
    await expect(pending).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });
});

describe("records", () => {
  it("tell who asked what, when, and what was answered", async () => {
    const { url, requests, onRequest } = await serve(steps([{ step: "greet", text: "Hello." }]), { keep: 2 });
    const seen: (string | null)[] = [];
    onRequest((record) => seen.push(record.member));
    await post(url, requestBody(), { "x-test": "1" });
    expect(requests).toMatchObject([
      {
        member: "nora",
        step: 1,
        stepName: "greet",
        status: 200,
        headers: { "x-test": "1" },
        reply: [{ type: "text", text: "Hello." }],
      },
    ]);
    expect(seen).toEqual(["nora"]);
    for (let round = 0; round < 3; round += 1)
      await post(url, requestBody({ messages: [{ role: "user", content: `Round ${round}` }] }));
    expect(requests.map((record) => record.request.messages[0]!.content)).toEqual(["Round 1", "Round 2"]);
  });

  it("say of a request whose member is not named that no script can answer", async () => {
    const { url } = await serve(always("Hello."));
    const unnamed = await post(url, requestBody({ system: "Work." }));
    expect((await unnamed.json()).error.message).toContain("Your name: NAME");
    const unknown = converse(url, { system: "Your name: zoe" });
    await expect(unknown.say("Hello.")).rejects.toThrow('There is no script for the member "zoe"');
    expect(resultOf({ type: "tool_use", id: "a" }, "b")).toEqual({
      type: "tool_result",
      tool_use_id: "a",
      content: "b",
    });
  });
});
