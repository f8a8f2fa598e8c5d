/** A sentence in VS Code's display language. One that is not known stays as it is. */
export type Say = (sentence: string) => string;

/** Longer ones are a model's or a program's, and stay as they are. */
const MAX_LENGTH = 4_096;
const MAX_REMEMBERED = 2_000;
/** Sentences in sentences: *{0} This mode does not ask.* */
const MAX_DEPTH = 3;

/**
 * What is below the extension speaks English: its sentences stand in files, in terminals and before models. For the
 * window they are put into the display language here, by what they look like. `bundle`: English sentence → translation,
 * both with places `{0}`; undefined where VS Code speaks English.
 */
export function createSay(bundle: Readonly<Record<string, string>> | undefined): Say {
  if (!bundle) return (sentence) => sentence;
  const templates = Object.entries(bundle)
    .filter(([english]) => /\{\d\}/.test(english))
    .map(([english, translation]) => templateOf(english, translation))
    .sort((one, other) => other.literal - one.literal);
  const known = new Map(Object.entries(bundle));
  const fixed = known.size;
  const translate = (sentence: string, depth: number): string => {
    const exact = known.get(sentence);
    if (exact !== undefined || depth > MAX_DEPTH) return exact ?? sentence;
    for (const { pattern, fill } of templates) {
      const match = pattern.exec(sentence);
      if (match) return fill((place) => translate(match.groups?.[`p${place}`] ?? "", depth + 1));
    }
    return sentence;
  };
  return (sentence) => {
    if (sentence.length > MAX_LENGTH) return sentence;
    const translation = translate(sentence, 0);
    if (known.size < fixed + MAX_REMEMBERED) known.set(sentence, translation);
    return translation;
  };
}

interface Template {
  pattern: RegExp;
  /** Characters that stand for themselves: the most of them is the best match. */
  literal: number;
  fill(value: (place: string) => string): string;
}

function templateOf(english: string, translation: string): Template {
  const seen = new Set<string>();
  const source = english
    .split(/\{(\d)\}/)
    .map((part, at) => (at % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : placePattern(part, seen)))
    .join("");
  return {
    pattern: new RegExp(`^${source}$`, "s"),
    literal: english.replaceAll(/\{\d\}/g, "").length,
    fill: (value) => translation.replaceAll(/\{(\d)\}/g, (_, place: string) => value(place)),
  };
}

/** A place that comes a second time stands for the same value. */
function placePattern(place: string, seen: Set<string>): string {
  if (seen.has(place)) return `\\k<p${place}>`;
  seen.add(place);
  return `(?<p${place}>.*?)`;
}
