import { expect, it } from "vitest";
import type { Usage } from "../../../../src/protocol/transcript.ts";
import { billOf, billsOf, costOf, knownCost, tokensOf } from "../../../../src/team/limits/cost.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";

const usage = (input: number, output = 0, read = 0, written = 0) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
});
const { haiku, sonnet, opus } = DEFAULT_MODELS;

const paid = (model: string, used: Usage) => billOf(model, { usage: used, at: "2026-11-27T10:00:00.000Z" });

it("each kind of token counts at its price, and a price that is not known is not guessed", () => {
  const all = usage(1e6, 1e6, 1e6, 1e6);
  expect(costOf([paid(sonnet.id, all)], DEFAULT_MODELS)).toBeCloseTo(2 + 10 + 0.1 + 2.5);
  expect(costOf([paid(opus.id, all)], DEFAULT_MODELS)).toBeCloseTo(4 + 20 + 0.2 + 5);
  const unknown = [paid(sonnet.id, all), paid("somebody-else", all)];
  expect(costOf(unknown, DEFAULT_MODELS)).toBeNull();
  expect(tokensOf(unknown)).toBe(8e6);
  expect(knownCost(unknown, DEFAULT_MODELS)).toBeCloseTo(14.6);
});

it("a model is known under its id with a date too, and only under that", () => {
  expect(costOf([paid(`${sonnet.id}-20261001`, usage(1e6))], DEFAULT_MODELS)).toBeCloseTo(2);
  expect(costOf([paid(`${sonnet.id}-fast`, usage(1e6))], DEFAULT_MODELS)).toBeNull();
});

it("where long prompts have a price of their own it is taken reply by reply, cached tokens included", () => {
  const reply = (input: number, read: number) => ({
    ...{ kind: "reply" as const, at: "", model: haiku.id, content: [], stopReason: "end_turn" },
    usage: usage(input, 1_000, read),
  });
  const bills = billsOf([reply(50_000, 50_000), reply(50_000, 50_000), reply(1, 100_000)]);
  expect(bills).toHaveLength(2);
  const short = (100_000 * 0.1 + 2_000 * 0.5 + 100_000 * 0.01) / 1e6;
  const long = (1 * 0.5 + 1_000 * 2.5 + 100_000 * 0.05) / 1e6;
  expect(costOf(bills, DEFAULT_MODELS)).toBeCloseTo(short + long, 10);
});
