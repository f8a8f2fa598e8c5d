import * as z from "zod";
import type { Tool } from "../types.ts";
import type { FileAccess } from "./fileAccess.ts";
import { failTool } from "./filePaths.ts";
import { lineEndOf, withLineEnds } from "./textFile.ts";

const inputSchema = z.strictObject({
  file_path: z.string().describe("The file to change, absolute or relative to the working folder."),
  old_string: z.string().describe("The text to replace, exactly as it is in the file."),
  new_string: z.string().describe("The text to put in its place; empty removes it."),
  replace_all: z.optional(z.boolean().describe("Replace every place where old_string is found, not one only.")),
});
type EditInput = z.infer<typeof inputSchema>;

const description = `Replaces text in a file that you have read.
- old_string must be in the file exactly as you give it, blanks and indentation included, without the line numbers that Read shows.
- It must be found in one place only. If it is found in more, add lines around it until it is unique, or set replace_all to change every one (to rename something, say).
- Keep it short: the lines that change, and as much around them as makes them unique.
- The file must not have been changed by anybody since you read it. Your own edits do not count: you can edit one file several times.
- Line ends and everything else in the file stay as they are.`;

/** The outcome of an edit on a text: the new text with the lines where it changed, or why it cannot be made. */
export type EditResult = { ok: true; text: string; lines: number[] } | { ok: false; reason: string };

/** The tool Edit. */
export function editFileTool(files: FileAccess): Tool<EditInput> {
  return {
    name: "Edit",
    description,
    inputSchema,
    parallel: false,
    async run(input, { toolUseId }) {
      let lines: number[] = [];
      const target = await files.change({
        file: input.file_path,
        toolUseId,
        tool: "Edit",
        compute: (before) => {
          if (!before) failTool(`${input.file_path} does not exist. Make it with Write.`);
          const result = applyEdit(before.text, input);
          if (!result.ok) failTool(`${input.file_path}: ${result.reason}`);
          lines = result.lines;
          return result.text;
        },
      });
      const where = lines.length === 1 ? `line ${lines[0]}` : `${lines.length} places (lines ${listLines(lines)})`;
      return { content: `Changed ${target.shown} at ${where}.` };
    },
  };
}

/**
 * Makes an edit on a text. Line ends in the two strings match whatever the text has, and the new text gets those of
 * the lines that it replaces.
 */
export function applyEdit(
  text: string,
  edit: Pick<EditInput, "old_string" | "new_string" | "replace_all">,
): EditResult {
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

function listLines(lines: readonly number[]): string {
  return lines.length > 10 ? `${lines.slice(0, 10).join(", ")}, …` : lines.join(", ");
}
