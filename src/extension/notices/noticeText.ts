import { codePointName, hiddenCharacters } from "../../base/hiddenCharacters.ts";

const MAX_LENGTH = 500;

/**
 * Text for a notification, of which a part comes from a model or a file. VS Code makes a link of `[text](address)` there,
 * for commands too, and one click would run them: so the two halves are kept apart. What nobody sees is written out.
 */
export function noticeText(text: string): string {
  let shown = [...text].slice(0, MAX_LENGTH).join("");
  for (const hidden of new Set(hiddenCharacters(shown))) shown = shown.replaceAll(hidden, `⟨${codePointName(hidden)}⟩`);
  return shown.replace(/\]\s*\(/g, "] (");
}

/**
 * Text for a row of a quick pick, of which a part comes from a model or a file. VS Code draws an icon for `$(name)` there,
 * so that what a command substitutes would not be seen: `echo $(whoami)`.
 */
export function rowText(text: string): string {
  return text.replace(/\$\((?=[A-Za-z0-9-]+(?:~[A-Za-z]+)?\))/g, "\\$(");
}
