/** A number of things in English: `1 line`, `3 lines`. `thing`: its singular, whose plural ends with an s. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
