/** The line that stands in the place of so many characters. */
export function leftOut(characters: number): string {
  return `… ${characters} characters are not shown …`;
}
