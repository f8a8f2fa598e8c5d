import { sentenceTemplate } from "./sentenceTemplate.ts";

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
  const own = new Map(Object.entries(bundle));
  const templates = [...own]
    .filter(([english]) => /\{\d\}/.test(english))
    .map(([english, translation]) => ({ ...sentenceTemplate(english), english, translation }))
    .sort((one, other) => begins(other) - begins(one) || other.literal - one.literal); // the most of it is the best match
  const remembered = new Map<string, string>();
  const quote = (words: string) => (isSentence(words) ? own.get(words) : undefined) ?? words;
  const translate = (sentence: string, depth: number): string => {
    const exact = own.get(sentence) ?? remembered.get(sentence);
    if (exact !== undefined || depth > MAX_DEPTH) return exact ?? sentence;
    for (const { english, translation, match } of templates) {
      const values = match(sentence);
      if (!values) continue;
      const quoted = QUOTING.get(english) ?? "";
      return translation.replaceAll(/\{(\d)\}/g, (_, place: string) => {
        const value = values.get(place) ?? "";
        return quoted.includes(place) ? quote(value) : translate(value, depth + 1);
      });
    }
    return sentence;
  };
  return (sentence) => {
    if (sentence.length > MAX_LENGTH) return sentence;
    const translation = translate(sentence, 0);
    if (remembered.size < MAX_REMEMBERED) remembered.set(sentence, translation);
    return translation;
  };
}

/**
 * Sentences with the digits of those of their places that hold what a person, a model or a file says. It stays as it is,
 * unless it is a sentence of ours.
 */
export const QUOTING: ReadonlyMap<string, string> = new Map([
  ["Plan: {0}", "0"],
  ["Run {0}", "0"],
  ["Edit {0}", "0"],
  ["Write {0}", "0"],
  ["Fetch {0}", "0"],
  ["Spawn {0}", "0"],
  ["Use {0} {1}", "01"],
  ["gave #{0} {1}", "01"],
  ["finished #{0}: {1}", "01"],
  ["asks to stop: {0}", "0"],
  ["does not stop: {0}", "0"],
  ["sent a plan: {0}", "0"],
  ["sent the plan back: {0}", "0"],
  ["asks to use {0}: {1}", "01"],
  ["{0}, after a message {1}", "1"],
  ["sent something that this version does not know: {0}", "0"],
]);

/** 1: a sentence of this template begins as that does; 0: with any text, so that it may be one of another template. */
function begins({ english }: { english: string }): number {
  return /^\{\d\}/.test(english) ? 0 : 1;
}

function isSentence(words: string): boolean {
  return words.includes(" ") && words.endsWith(".");
}
