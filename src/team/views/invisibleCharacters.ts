/**
 * Code points (`U+200B`) of a text that nobody sees, that look like a blank but are none, or that change the order of
 * what is seen; in order, new line and tab and the joiners inside emoji left out.
 */
export function invisibleCharacters(text: string): string[] {
  return [...text.matchAll(INVISIBLE)]
    .filter(
      ({ 0: character, index }) =>
        !(EMOJI_JOINERS.has(character) && EMOJI_END.test(text.slice(Math.max(index - 8, 0), index))),
    )
    .map(([character]) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
}

/** Control, format and ignorable characters, separators of lines, and every blank but the plain one. */
const INVISIBLE = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/gu;

const EMOJI_JOINERS = new Set(["\u200D", "\uFE0F"]);
const EMOJI_END = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?$/u;
