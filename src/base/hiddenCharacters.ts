/**
 * The characters of a text that nobody sees, that look like a blank and are none, or that change the order in which text
 * is shown; in order. New line and tab are seen, and so are the marks and joiners inside an emoji.
 */
export function hiddenCharacters(text: string): string[] {
  if (PLAIN.test(text)) return [];
  return [...text.matchAll(HIDDEN)]
    .filter(
      ({ 0: char, index }) => !isPartOfEmoji(char, text.slice(Math.max(0, index - 8), index), text.slice(index + 1)),
    )
    .map(([char]) => char);
}

/** A character as it is told of: `U+200B`. */
export function codePointName(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A text of others as one line, for where lines say something of our own: what nobody sees is written out, and so are new
 * lines and tabs: `⟨U+000A⟩`.
 */
export function writtenInLine(text: string): string {
  const hidden = [...new Set(hiddenCharacters(text)), "\n", "\t"];
  return hidden.reduce((shown, char) => shown.replaceAll(char, `⟨${codePointName(char)}⟩`), text);
}

const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Format, control, private, unassigned and ignorable characters, separators of lines, and every blank but the plain one. */
const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\t\n])\p{Cc}|(?! )\p{Zs}/gu;

/** A joiner stands between two emoji (👩‍💻); the mark that makes an emoji of a sign stands behind it (❤️, 1️⃣). */
function isPartOfEmoji(char: string, before: string, after: string): boolean {
  if (char === "\u200d") return EMOJI_END.test(before) && EMOJI.test(after);
  if (char !== "\ufe0f") return false;
  return EMOJI_END.test(before) || (/[0-9#*]$/.test(before) && after.startsWith("\u20e3"));
}

const EMOJI_END = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?$/u;
const EMOJI = /^\p{Extended_Pictographic}/u;
