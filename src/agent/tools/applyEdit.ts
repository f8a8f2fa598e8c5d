import { lineEndOf, withLineEnds } from "./textFile.ts";

/** What Edit is asked to do with a text. */
export interface TextEdit {
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

/** The outcome of an edit on a text: the new text with the lines where it changed, or why it cannot be made. */
export type EditResult = { ok: true; text: string; lines: number[] } | { ok: false; reason: string };

/**
 * Makes an edit on a text. Line ends in the two strings match whatever the text has, and the new text gets those of
 * the lines that it replaces.
 */
export function applyEdit(text: string, edit: TextEdit): EditResult {
  const { old_string, new_string, replace_all = false } = edit;
  if (old_string === "") return no("old_string is empty. Give the text to replace, or use Write for a whole file.");
  if (withLineEnds(old_string, "\n") === withLineEnds(new_string, "\n"))
    return no("old_string and new_string are the same, so there is nothing to change.");
  const places = [...text.matchAll(patternOf(old_string))];
  const lines = places.map(({ index }) => text.slice(0, index).split("\n").length);
  if (lines.length === 0)
    return no("old_string was not found. Read the file again and copy the text exactly, without line numbers.");
  if (lines.length > 1 && !replace_all)
    return no(
      `old_string was found in ${lines.length} places (lines ${listLines(lines)}). Add lines around it until it is unique, or set replace_all.`,
    );
  const usual = lineEndOf(text);
  const replaced = text.replace(patternOf(old_string), (found) =>
    withLineEnds(new_string, found.includes("\n") ? lineEndOf(found) : usual),
  );
  return { ok: true, text: replaced, lines };
}

/** The old text literally, each of its line ends as either kind. */
function patternOf(old: string): RegExp {
  const lines = withLineEnds(old, "\n").split("\n");
  return new RegExp(lines.map((line) => line.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("\r?\n"), "g");
}

function no(reason: string): EditResult {
  return { ok: false, reason };
}

/** Numbers of lines as a person reads them: the first ten. */
export function listLines(lines: readonly number[]): string {
  return lines.length > 10 ? `${lines.slice(0, 10).join(", ")}, …` : lines.join(", ");
}
