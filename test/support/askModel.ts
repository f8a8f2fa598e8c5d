import { type AnthropicModelOptions, createAnthropicModel } from "../../src/agent/anthropicModel.ts";
import type { ModelEvent, ModelFailure, ModelOutcome, ModelRequest } from "../../src/agent/types.ts";
import { type Answer, startAnswerServer } from "./answerServer.ts";

/** The key of every request. */
export const KEY = "sk-test-1234567890";

/** What is asked where a test does not ask for more. */
export const request: ModelRequest = {
  model: "model-x",
  system: [],
  messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
  tools: [],
  maxTokens: 100,
  thinking: "off",
};

/** Asks once; gives the events of the stream and its outcome. */
export async function ask(
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

/** The failure of a request that gets this answer. */
export async function failureAfter(answer: Answer): Promise<ModelFailure> {
  await using server = await startAnswerServer([answer]);
  const { outcome } = await ask({ baseUrl: server.url });
  if (outcome.kind !== "failed" && outcome.kind !== "cut") throw new Error(`The outcome is ${outcome.kind}.`);
  return outcome.failure;
}

/** A whole call of a reply. */
export const toolUse = { type: "tool_use", id: "tu_1", name: "Read", input: { file_path: "a.txt", limit: 3 } };
