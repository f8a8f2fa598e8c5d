/**
 * What a text holds that a person cannot see or that changes the order in which it is shown, in a few words; undefined
 * where it holds nothing such. Tabs and newlines are visible, and so is the mark that makes an emoji of a sign.
 */
export function hiddenCharacter(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  const found = HIDDEN.exec(text.replace(EMOJI_MARK, "$1"))?.[0];
  if (found === undefined) return undefined;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${nameOf(found)} (U+${code})`;
}

const PLAIN = /^[\t\n\x20-\x7e]*$/;
const EMOJI_MARK = /(\p{Emoji})\ufe0f/gu;
const HIDDEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f]|\p{Bidi_Control}|\p{Default_Ignorable_Code_Point}|\p{Co}|\p{Cs}|\p{Zl}|\p{Zp}|(?! )\p{Zs}/u;

function nameOf(char: string): string {
  if (/\p{Bidi_Control}/u.test(char)) return "a character that turns the direction of text";
  if (/\p{Zs}|\p{Zl}|\p{Zp}/u.test(char)) return "a blank that is no ordinary blank";
  if (/\p{Cc}/u.test(char)) return "a control character";
  return "an invisible character";
}
