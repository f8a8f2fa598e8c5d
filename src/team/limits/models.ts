import * as z from "zod";
import type { ModelRequest } from "../../agent/types.ts";

const rates = { input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() };

/** What a model can do and costs. Prices in USD for a million tokens; `longPrompt`: those of a reply to more than 100,000. */
export const modelInfoSchema = z.object({
  id: z.string().min(1),
  contextWindow: z.number().positive(),
  maxOutput: z.number().positive(),
  price: z.nullable(z.object({ ...rates, longPrompt: z.exactOptional(z.object(rates)) })),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/** Models by alias. */
export const MODEL_ALIASES = ["haiku", "sonnet", "opus"] as const;
export type ModelAlias = (typeof MODEL_ALIASES)[number];
export type ModelCatalog = Readonly<Record<ModelAlias, ModelInfo>>;

/**
 * The newest id of each family in the list of @anthropic-ai/sdk 1.14. Window, longest reply and prices: the page
 * "Specifications" of each model, platform.claude.com/docs/en/models/{haiku,sonnet,opus}-5-5/overview, read in November
 * 2026. Their windows of 1M tokens need no flag and cost no more, but for Haiku's prompts of more than 100,000 tokens
 * (cached ones counted), whose whole reply has another price. Sonnet's cache reads cost half since 7 October 2026. A
 * cache write is the one that lives 5 minutes, which is what we ask for.
 */
export const DEFAULT_MODELS: ModelCatalog = {
  haiku: model("claude-haiku-5-5", {
    ...{ input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    longPrompt: { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
  }),
  sonnet: model("claude-sonnet-5-5", { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 }),
  opus: model("claude-opus-5-5", { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }),
};

/**
 * The model behind an alias or a full id, with or without the date that the API adds. An unknown id gets a 200k window
 * and no price. `inherit` is not a model.
 */
export function resolveModel(given: string, catalog: ModelCatalog): ModelInfo {
  const alias = MODEL_ALIASES.find((name) => name === given);
  if (alias) return catalog[alias];
  const id = given.replace(/-20\d{6}$/, "");
  return Object.values(catalog).find((info) => info.id === given || info.id === id) ?? { ...UNKNOWN_MODEL, id: given };
}

/**
 * What a model is asked for. Newer ones think also where nothing is said of it, and give what they say between tool calls
 * as thinking without a text: `off` asks for the least that each can do and that a person can read. Source:
 * platform.claude.com/docs/en/models/{sonnet,opus}-5-5, "migration guide" and "What's new", read in November 2026.
 */
export function thinkingOf(id: string, setting: "off" | "adaptive"): ModelRequest["thinking"] {
  if (setting === "adaptive") return "adaptive";
  if (/^claude-sonnet-5-5(-|$)/.test(id)) return "between_tools";
  return /^claude-opus-5-5(-|$)/.test(id) ? "adaptive" : "off";
}

/** What is taken for a model that nobody described: no Claude model since 2025 has less. */
const UNKNOWN_MODEL: Omit<ModelInfo, "id"> = { contextWindow: 200_000, maxOutput: 32_000, price: null };

/** What a person should know of a model without a known price, one sentence; null for any other. */
export function unknownModel(given: string, catalog: ModelCatalog): string | null {
  const { id, price, contextWindow, maxOutput } = resolveModel(given, catalog);
  if (price !== null) return null;
  return `Nothing is known of the model ${id}: it is taken to have ${contextWindow} tokens of context and replies of up to ${maxOutput}, and no budget counts it. The setting muster.models can say more.`;
}

function model(id: string, price: NonNullable<ModelInfo["price"]>): ModelInfo {
  return { id, contextWindow: 1_000_000, maxOutput: 128_000, price };
}
