import { addUsage, type TranscriptRecord, totalTokens, type Usage, ZERO_USAGE } from "../../protocol/transcript.ts";
import { type ModelCatalog, resolveModel } from "./models.ts";

/** Prompts above this have a price of their own with some models, in tokens. */
const LONG_PROMPT = 100_000;

/**
 * What the API counted for replies of one model. `long`: those whose prompts were longer than 100,000 tokens. `at`: when
 * the last of them came, in ms; 0 where its record does not tell.
 */
export interface Bill {
  model: string;
  long: boolean;
  usage: Usage;
  at: number;
}

/** What a member used that lives or is gone. */
export interface MemberBills {
  name: string;
  bills: readonly Bill[];
}

/** The bill of one reply or summary, by the time of its record (ISO). */
export function billOf(model: string, { usage, at }: { usage: Usage; at: string }): Bill {
  const prompt = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  return { model, long: prompt > LONG_PROMPT, usage, at: Date.parse(at) || 0 };
}

/** Adds a bill to those of its kind. */
export function withBill(bills: readonly Bill[], bill: Bill): Bill[] {
  const same = (other: Bill) => other.model === bill.model && other.long === bill.long;
  const before = bills.find(same);
  const usage = addUsage(before?.usage ?? ZERO_USAGE, bill.usage);
  return [...bills.filter((other) => !same(other)), { ...bill, usage, at: Math.max(before?.at ?? 0, bill.at) }];
}

/** Everything that the API counted for these records, by the models that replied. */
export function billsOf(records: readonly TranscriptRecord[]): Bill[] {
  return records.reduce<Bill[]>(
    (bills, record) =>
      record.kind === "reply" || record.kind === "summary" ? withBill(bills, billOf(record.model, record)) : bills,
    [],
  );
}

/** Tokens of all bills together. */
export function tokensOf(bills: readonly Bill[]): number {
  return bills.reduce((sum, { usage }) => sum + totalTokens(usage), 0);
}

/** USD for these bills; null where one of the models has no known price. */
export function costOf(bills: readonly Bill[], models: ModelCatalog): number | null {
  const costs = bills.map((bill) => priceOf(bill, models));
  return costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}

/** USD at least: what has no known price is left out. */
export function knownCost(bills: readonly Bill[], models: ModelCatalog): number {
  return bills.reduce((sum, bill) => sum + (priceOf(bill, models) ?? 0), 0);
}

function priceOf({ model, long, usage }: Bill, models: ModelCatalog): number | null {
  const { price } = resolveModel(model, models);
  if (!price) return null;
  const { input, output, cacheRead, cacheWrite } = (long ? price.longPrompt : undefined) ?? price;
  const sum =
    usage.input_tokens * input +
    usage.output_tokens * output +
    usage.cache_read_input_tokens * cacheRead +
    usage.cache_creation_input_tokens * cacheWrite;
  return sum / 1_000_000;
}
