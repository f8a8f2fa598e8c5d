import * as z from "zod";
import type { Tool } from "../types.ts";
import { applyEdit, listLines } from "./applyEdit.ts";
import type { FileAccess } from "./fileAccess.ts";
import { failTool } from "./filePaths.ts";

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
