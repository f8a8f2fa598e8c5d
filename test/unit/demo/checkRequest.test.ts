import { describe, expect, it } from "vitest";
import type { MessagesServerOptions } from "../../../src/demo/messagesServer.ts";
import { always, type MemberScript, scriptedTeam, steps } from "../../../src/demo/script.ts";
import { post, requestBody, toolNamed } from "../../support/messagesClient.ts";
import { useServers } from "../../support/servers.ts";

const start = useServers();
const serve = (script: MemberScript, options?: MessagesServerOptions) => start(scriptedTeam({ nora: script }), options);

describe("refusals", () => {
  const call1 = { type: "tool_use", id: "toolu_1", name: "Read", input: {} };
  const result1 = { type: "tool_result", tool_use_id: "toolu_1", content: "x" };
  const tools = [toolNamed("Read")];
  const user = { role: "user", content: "Hello." };
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ["no model", { model: undefined }, /^model: /],
    ["no max_tokens", { max_tokens: undefined }, /^max_tokens: /],
    ["max_tokens 0", { max_tokens: 0 }, /^max_tokens: /],
    ["no messages", { messages: [] }, /at least one message/],
    ["a first message of the assistant", { messages: [{ role: "assistant", content: "Hi." }, user] }, /first message/],
    ["a last message of the assistant", { messages: [user, { role: "assistant", content: "Hi." }] }, /last message/],
    ["an unknown role", { messages: [user, { role: "system", content: "Hi." }] }, /messages\.1\.role/],
    [
      "an empty text",
      { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] },
      /messages\.0\.content\.0.*non-empty/,
    ],
    ["empty content", { messages: [{ role: "user", content: [] }] }, /non-empty content/],
    ["a call of the user", { messages: [{ role: "user", content: [call1] }], tools }, /cannot have `tool_use`/],
    [
      "a call without a result",
      { messages: [user, { role: "assistant", content: [call1] }, user], tools },
      /tool_use without a tool_result.*toolu_1/,
    ],
    [
      "two results for a call",
      {
        messages: [user, { role: "assistant", content: [call1] }, { role: "user", content: [result1, result1] }],
        tools,
      },
      /more than one tool_result.*toolu_1/,
    ],
    [
      "a result without a call",
      { messages: [{ role: "user", content: [result1] }], tools },
      /toolu_1, which is no tool_use/,
    ],
    [
      "a result behind a text",
      {
        messages: [
          user,
          { role: "assistant", content: [call1] },
          { role: "user", content: [{ type: "text", text: "a" }, result1] },
        ],
        tools,
      },
      /must come before/,
    ],
    [
      "calls without tools",
      { messages: [user, { role: "assistant", content: [call1] }, { role: "user", content: [result1] }] },
      /defines no tools/,
    ],
    [
      "a changed thinking block",
      {
        messages: [user, { role: "assistant", content: [{ type: "thinking", thinking: "b", signature: "abc" }] }, user],
      },
      /messages\.1\.content\.0: Invalid `signature`/,
    ],
    ["two tools of one name", { tools: [toolNamed("Read"), toolNamed("Read")] }, /unique/],
    ["a tool without a schema", { tools: [{ name: "Read" }] }, /input_schema/],
    [
      "five cache marks",
      {
        system: ["a", "b", "c", "d", "e"].map((text) => ({ type: "text", text, cache_control: { type: "ephemeral" } })),
      },
      /cache_control: at most 4/,
    ],
    ["a thinking budget above max_tokens", { thinking: { type: "enabled", budget_tokens: 2000 } }, /budget_tokens/],
  ];
  it.each(cases)("refuses %s with HTTP 400", async (_name, changes, message) => {
    const { url, failures } = await serve(always("Hello."));
    const response = await post(url, requestBody(changes));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringMatching(message) },
    });
    expect(failures).toEqual([expect.stringMatching(message)]);
  });

  it("accepts calls with their results in messages that the API joins", async () => {
    const { url } = await serve(steps(["One."]));
    const messages = [
      user,
      { role: "assistant", content: [call1] },
      { role: "user", content: [result1] },
      { role: "user", content: "And this." },
    ];
    // The script has one step for a conversation with one reply: it is replayed, and a second one is asked for.
    expect((await post(url, requestBody({ messages, tools }))).status).toBe(400);
    expect((await post((await serve(always("One."))).url, requestBody({ messages, tools }))).status).toBe(200);
  });

  it.each([
    ["no key", { "x-api-key": "" }, undefined, 401, "authentication_error"],
    ["a wrong key", {}, "right", 401, "authentication_error"],
  ])("answers %s with HTTP 401", async (_name, headers, apiKey, status, type) => {
    const { url, requests } = await serve(always("Hello."), apiKey === undefined ? {} : { apiKey });
    const response = await post(url, requestBody(), headers);
    expect(response.status).toBe(status);
    expect((await response.json()).error.type).toBe(type);
    expect(requests).toEqual([]);
  });

  it("takes the right key, also as a bearer token, and keeps none in its record", async () => {
    const { url, requests } = await serve(always("Hello."), { apiKey: "right" });
    expect((await post(url, requestBody(), { "x-api-key": "right" })).status).toBe(200);
    expect((await post(url, requestBody(), { "x-api-key": "", authorization: "Bearer right" })).status).toBe(200);
    expect(JSON.stringify(requests)).not.toContain("right");
  });

  it("answers a body that is not JSON, another path, and a prompt over the context window as the API does", async () => {
    const { url } = await serve(always("Hello."), { contextWindow: 500 });
    expect((await post(url, "{")).status).toBe(400);
    expect((await fetch(`${url}/v1/models`)).status).toBe(404);
    const long = await post(url, requestBody({ messages: [{ role: "user", content: "word ".repeat(1000) }] }));
    expect((await long.json()).error.message).toMatch(/^prompt is too long: \d+ tokens > 500 maximum$/);
  });
});
