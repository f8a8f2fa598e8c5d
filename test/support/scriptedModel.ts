import type { Model, ModelEvent, ModelOutcome, ModelRequest } from "../../src/agent/types.ts";
import { type ReplyBlock, ZERO_USAGE } from "../../src/protocol/transcript.ts";

/** One answer of a scripted model: a reply's text, an outcome, or a stream of its own. */
export type ScriptStep =
  | string
  | ModelOutcome
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent> | ModelOutcome);

/** A model that answers by a script, in order, and keeps the requests. One request too many is an error. */
export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[];
}

/** Answers the first request by the first step, and so on. */
export function scriptedModel(steps: readonly ScriptStep[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *stream(request, signal) {
      const step = steps[requests.length];
      requests.push(structuredClone(request));
      if (step === undefined) throw new Error(`The script has no answer to request ${requests.length}.`);
      const answer = typeof step === "function" ? step(request, signal) : typeof step === "string" ? reply(step) : step;
      if ("kind" in answer) yield { type: "finished", outcome: answer };
      else yield* answer;
    },
  };
}

/** A whole reply: text first, then calls. */
export function reply(text: string, calls: readonly ReplyBlock[] = [], stopReason?: string): ModelOutcome {
  const content: ReplyBlock[] = text === "" ? [...calls] : [{ type: "text", text }, ...calls];
  const usage = { ...ZERO_USAGE, input_tokens: 10, output_tokens: 5 };
  return {
    kind: "reply",
    content,
    stopReason: stopReason ?? (calls.length > 0 ? "tool_use" : "end_turn"),
    usage,
    model: "scripted",
  };
}

/** A call, as a block of a reply. */
export function toolUse(id: string, name: string, input: Record<string, unknown> = {}): ReplyBlock {
  return { type: "tool_use", id, name, input };
}
