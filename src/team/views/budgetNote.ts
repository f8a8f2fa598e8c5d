import { type ModelCatalog, resolveModel } from "../limits/models.ts";

/**
 * What a person with a budget has to know of models (aliases or ids) whose price is not known: nothing of theirs is
 * counted. Null where there is no such model.
 */
export function budgetNote(models: Iterable<string>, catalog: ModelCatalog): string | null {
  const ids = [...models].map((model) => resolveModel(model, catalog)).filter(({ price }) => price === null);
  const names = [...new Set(ids.map(({ id }) => id))].join(", ");
  if (names === "") return null;
  return `What ${names} costs is not known: no budget counts it, nothing is marked at 80 % and nobody is paused for it. Give the price in the setting muster.models, or choose another model.`;
}
