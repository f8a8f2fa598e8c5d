import * as z from "zod";
import type { Tool } from "../types.ts";
import type { FileAccess } from "./fileAccess.ts";
import { lineEndOf, withLineEnds } from "./textFile.ts";

const inputSchema = z.strictObject({
  file_path: z.string().describe("The file to write, absolute or relative to the working folder."),
  content: z.string().describe("The whole new content of the file."),
});
type WriteInput = z.infer<typeof inputSchema>;

const description = `Writes a whole file: makes a new one (with the folders that it needs), or replaces an existing one.
- To change part of a file use Edit: it is shorter and cannot lose what you did not mean to touch.
- An existing file must have been read by you before, and must not have been changed by anybody since.
- The line ends of an existing file are kept.
- Write files that the job needs; do not add notes, summaries or documentation that nobody asked for.`;

/** The tool Write. */
export function writeFileTool(files: FileAccess): Tool<WriteInput> {
  return {
    name: "Write",
    description,
    inputSchema,
    parallel: false,
    async run({ file_path, content }, { toolUseId }) {
      let existed = false;
      const target = await files.change({
        file: file_path,
        toolUseId,
        tool: "Write",
        compute: (before) => {
          existed = before !== undefined;
          return before ? withLineEnds(content, lineEndOf(before.text)) : content;
        },
      });
      const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length;
      return { content: `${existed ? "Replaced" : "Created"} ${target.shown} (${lines} lines).` };
    },
  };
}
