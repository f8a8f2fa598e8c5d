/**
 * A text from a file or a model with every character that a terminal would act on, or that hides or reorders text,
 * written out: `\x1b`, `\u202e`. Newlines and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (char, index: number) => (joinsEmoji(text, char, index) ? char : escapeOf(char)));
}

/** The same in one line: newlines become `⏎`, tabs blanks. */
export function visibleLine(text: string): string {
  return visibleText(text.trim())
    .replace(/\s*\r?\n\s*/g, " ⏎ ")
    .replace(/\t/g, " ");
}

/** C0 and C1 controls, format characters (bidi, zero width, tags), line and paragraph separators, lone surrogates. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\p{Cf}\p{Cs}]/gu;

/** The joiner inside an emoji (👩‍💻) is part of what is seen. */
function joinsEmoji(text: string, char: string, index: number): boolean {
  return (
    char === "\u200d" && EMOJI_END.test(text.slice(Math.max(0, index - 8), index)) && EMOJI.test(text.slice(index + 1))
  );
}

const EMOJI_END = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?$/u;
const EMOJI = /^\p{Extended_Pictographic}/u;

function escapeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
