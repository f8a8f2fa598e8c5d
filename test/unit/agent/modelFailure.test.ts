import { describe, expect, it } from "vitest";
import type { ModelFailure } from "../../../src/agent/types.ts";
import { type Answer, answerError, answerEvents, startAnswerServer } from "../../support/answerServer.ts";
import { ask, failureAfter, KEY } from "../../support/askModel.ts";

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
      "400, of a scripted model",
      answerError(400, "script_error", 'Script of "nora", step 8: expected a, came b.'),
      { reason: refused, status: 400, retryable: false },
      /^The scripted model cannot go on \(Script of "nora", step 8: expected a, came b\)\.$/,
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
