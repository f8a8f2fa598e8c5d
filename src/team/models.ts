import * as z from "zod";

/** What a model can do and costs. Prices in USD for a million tokens. */
export const modelInfoSchema = z.object({
  id: z.string().min(1),
  contextWindow: z.number().positive(),
  maxOutput: z.number().positive(),
  price: z.nullable(z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/** Models by alias. */
export const MODEL_ALIASES = ["haiku", "sonnet", "opus"] as const;
export type ModelAlias = (typeof MODEL_ALIASES)[number];
export type ModelCatalog = Readonly<Record<ModelAlias, ModelInfo>>;

/** The newest id of each family in the list of @anthropic-ai/sdk 1.14. */
export const DEFAULT_MODELS: ModelCatalog = {
  haiku: model("claude-haiku-5-5", { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }),
  sonnet: model("claude-sonnet-5-5", { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }),
  opus: model("claude-opus-5-5", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }),
};

/** The model behind an alias or a full id. An unknown id gets a 200k window and no price. `inherit` is not a model. */
export function resolveModel(given: string, catalog: ModelCatalog): ModelInfo {
  const alias = MODEL_ALIASES.find((name) => name === given);
  if (alias) return catalog[alias];
  return Object.values(catalog).find((info) => info.id === given) ?? { ...UNKNOWN, id: given };
}

const UNKNOWN: Omit<ModelInfo, "id"> = { contextWindow: 200_000, maxOutput: 32_000, price: null };

function model(id: string, price: NonNullable<ModelInfo["price"]>): ModelInfo {
  return { id, contextWindow: 200_000, maxOutput: 32_000, price };
}
