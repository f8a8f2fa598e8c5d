import { expect, it } from "vitest";
import { budgetAmount } from "../../../../src/extension/limits/budgetAmount.ts";

it.each([
  ["10", 10],
  [" $7.50 ", 7.5],
  ["7,5", 7.5],
])("an amount is read: %s", (typed, amount) => expect(budgetAmount(typed, 5)).toBe(amount));

it.each(["", "ten", "-3", "1e9", "0x20", "5", "3", "Infinity", "12345678"])("%s is no budget above $5", (typed) => {
  expect(budgetAmount(typed, 5)).toMatch(/^(Type an amount|That much is spent)/);
});
