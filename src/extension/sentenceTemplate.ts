/** A sentence with places `{0}` to `{9}`, each of which stands for any text, the empty one too. */
export interface SentenceTemplate {
  /** Characters that stand for themselves. */
  readonly literal: number;
  /**
   * What stands in the places of `sentence`, by their digits; null where it is another sentence. Where there are several
   * ways, the first places are the shortest. Takes time in proportion to the length of `sentence`.
   */
  match(sentence: string): ReadonlyMap<string, string> | null;
}

/**
 * The template of a text such as `No rule covers {0}.` A place may come again, for the same value, only where there is no
 * other: a text of another kind fits no sentence.
 */
export function sentenceTemplate(text: string): SentenceTemplate {
  const parts = text.split(/\{(\d)\}/);
  const literals = parts.filter((_, index) => index % 2 === 0);
  const places = parts.filter((_, index) => index % 2 === 1);
  const literal = literals.reduce((sum, { length }) => sum + length, 0);
  const different = new Set(places).size;
  if (different === places.length) return { literal, match: (sentence) => matchEach(sentence, literals, places) };
  if (different > 1) return { literal, match: () => null };
  return { literal, match: (sentence) => matchSame(sentence, literals, places[0] ?? "") };
}

/**
 * Each literal where it first comes after the one before: a later place would leave less room for what follows, so none is
 * tried.
 */
function matchEach(
  sentence: string,
  literals: readonly string[],
  places: readonly string[],
): ReadonlyMap<string, string> | null {
  const [first = "", ...others] = literals;
  const last = others.pop() ?? "";
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return null;
  const values = new Map<string, string>();
  let at = first.length;
  for (const [index, literal] of others.entries()) {
    const found = sentence.indexOf(literal, at);
    if (found < 0) return null;
    values.set(places[index] ?? "", sentence.slice(at, found));
    at = found + literal.length;
  }
  const end = sentence.length - last.length;
  return at > end ? null : values.set(places.at(-1) ?? "", sentence.slice(at, end));
}

/** One value in every place: its length follows from the sentence's. */
function matchSame(sentence: string, literals: readonly string[], place: string): ReadonlyMap<string, string> | null {
  const [first = "", ...others] = literals;
  const length = (sentence.length - literals.join("").length) / others.length;
  if (!Number.isInteger(length) || length < 0) return null;
  const value = sentence.slice(first.length, first.length + length);
  return literals.join(value) === sentence ? new Map([[place, value]]) : null;
}
