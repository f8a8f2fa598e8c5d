/** An amount of USD as a budget is told: `$3.42`, and `$5` where there are no cents. */
export function dollars(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : `$${amount.toFixed(2)}`;
}
