/** The first words of a message, without the marks of Markdown that would only be noise in a row. At most 300 characters. */
export function firstWords(text: string): string {
  return withoutPairs(text.slice(0, 300).replace(LINE_MARKS, "").trim()).replace(/\s+/g, " ");
}

/** What makes a heading, a quotation, or the edge of a block of code out of a line. */
const LINE_MARKS = /^[ \t]*(?:(?:#{1,6}[ \t]|>|`{3,})[ \t]*)+/gm;
/** Code, or words between stars, which are not those of a path with a pattern. */
const PAIRS = /(`+)([^`\n]+)\1|(?<![*/\w])(\*{1,3})(?![\s*])([^\n]+?)(?<![\s*])\3(?!\*)/g;

/** Code stands as it was written; in other words that were marked there may be more marks. */
function withoutPairs(text: string): string {
  return text.replace(PAIRS, (_all, _ticks, code?: string, _stars?: string, words?: string) =>
    words === undefined ? (code ?? "") : withoutPairs(words),
  );
}
