import { codePointName, hiddenCharacters } from "../base/hiddenCharacters.ts";

/** The first hidden character of a text in a few words; undefined where it has none. */
export function hiddenCharacter(text: string): string | undefined {
  const [found] = hiddenCharacters(text);
  return found === undefined ? undefined : `${nameOf(found)} (${codePointName(found)})`;
}

function nameOf(char: string): string {
  if (/\p{Bidi_Control}/u.test(char)) return "a character that turns the direction of text";
  if (/\p{Zs}|\p{Zl}|\p{Zp}/u.test(char)) return "a blank that is no ordinary blank";
  if (/\p{Cc}/u.test(char)) return "a control character";
  return "an invisible character";
}
