/** The amount that a person typed, in USD, or a sentence that says what is wrong with it. */
export function budgetAmount(typed: string, spent: number): number | string {
  const text = typed.trim().replace(/^\$/, "");
  const amount = /^\d{1,7}([.,]\d{1,2})?$/.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
  if (Number.isNaN(amount)) return "Type an amount in USD, such as 10 or 7.50.";
  return amount > spent ? amount : "That much is spent already: choose a higher budget.";
}
