import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import * as z from "zod";
import { errorCode } from "../../base/errors.ts";
import type { Tool, ToolOutput } from "../types.ts";
import { type FileAccess, hashOf, MAX_WHOLE_BYTES } from "./fileAccess.ts";
import { explainFileError, failTool, resolveToolPath, type ToolPath } from "./filePaths.ts";
import { imageBlock, imageFault, imageInfo } from "./imageFile.ts";
import { cutText, decodeText } from "./textFile.ts";

const MAX_LINES = 2000;
const MAX_LINE_LENGTH = 2000;
const MAX_LENGTH = 100_000;

const inputSchema = z.strictObject({
  file_path: z.string().describe("The file, absolute or relative to the working folder."),
  offset: z.optional(z.int().min(1).describe("The first line to read; 1 is the top of the file.")),
  limit: z.optional(z.int().min(1).describe(`How many lines to read; ${MAX_LINES} where nothing is said.`)),
});
type ReadInput = z.infer<typeof inputSchema>;

const description = `Reads one file and gives its lines with their numbers, or shows an image (PNG, JPEG, GIF, WebP).
- Without offset and limit you get up to ${MAX_LINES} lines from the top. Read a long file in parts, or find the right lines with Grep first.
- The number and the tab in front of a line are not part of the file: leave them out when you quote text for Edit.
- A line of more than ${MAX_LINE_LENGTH} characters is cut; a note at the end says what else was left out.
- You must have read a file before you change it, and again after somebody else changed it.
- It reads files only. For the contents of a folder use Glob, or ls in Bash.
- To read several files, ask for all of them in one turn.`;

/** The tool Read. */
export function readFileTool(files: FileAccess): Tool<ReadInput> {
  return { name: "Read", description, inputSchema, parallel: true, run: (input) => readAny(input, files) };
}

async function readAny(input: ReadInput, files: FileAccess): Promise<ToolOutput> {
  const target = await resolveToolPath(input.file_path, files.environment);
  try {
    const stats = await stat(target.real);
    if (stats.isDirectory()) failTool(`${target.shown} is a folder. List it with Glob, or with ls in Bash.`);
    if (!stats.isFile()) failTool(`${target.shown} is not a regular file, so it cannot be read.`);
    const { size, mtimeMs } = stats;
    if (size <= MAX_WHOLE_BYTES) return await readWhole(input, target, files, mtimeMs);
    files.noteRead(target.real, { size, mtimeMs });
    return await readPart(input, target);
  } catch (error) {
    if (errorCode(error)) failTool(explainFileError(error, target.shown));
    throw error;
  }
}

async function readWhole(input: ReadInput, target: ToolPath, files: FileAccess, mtimeMs: number): Promise<ToolOutput> {
  const bytes = await readFile(target.real);
  const image = imageInfo(bytes);
  if (image) {
    const fault = imageFault(image, bytes);
    return fault ? { content: fault, isError: true } : { content: [imageBlock(image, bytes)] };
  }
  const decoded = decodeText(bytes);
  if (!decoded) failTool(`${target.shown} is binary (${bytes.length} bytes), so there is no text to read.`);
  files.noteRead(target.real, { size: bytes.length, mtimeMs, hash: hashOf(bytes) });
  const lines = decoded.text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  const notes = decoded.encoding === "utf-8" ? [] : [`The file is read as ${decoded.encoding}, not as UTF-8.`];
  const view = createView(input);
  for (const line of lines) if (!view.add(line)) break;
  return view.finish(target, notes, lines.length);
}

/** Large files are streamed: only the lines that were asked for are kept. */
async function readPart(input: ReadInput, target: ToolPath): Promise<ToolOutput> {
  const stream = createReadStream(target.real, "utf8");
  const view = createView(input);
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.includes("\0")) failTool(`${target.shown} is binary, so there is no text to read.`);
      if (!view.add(line)) break;
    }
  } finally {
    stream.destroy();
  }
  return view.finish(target, [], undefined);
}

/** The window of lines that was asked for, as text. `add` gives false when no further line is wanted. */
function createView({ offset = 1, limit = MAX_LINES }: ReadInput) {
  const shown: string[] = [];
  let line = 0;
  let length = 0;
  let cut = false;
  let more = false;

  function add(text: string): boolean {
    line += 1;
    if (line < offset) return true;
    const kept = cutText(text, MAX_LINE_LENGTH);
    const note = kept.length < text.length ? ` … (${text.length - kept.length} more characters)` : "";
    const row = `${String(line).padStart(6)}\t${kept}${note}`;
    more = shown.length >= limit || length + row.length > MAX_LENGTH;
    if (more) return false;
    cut ||= note !== "";
    shown.push(row);
    length += row.length + 1;
    return true;
  }

  function finish(target: ToolPath, notes: string[], total: number | undefined): ToolOutput {
    if (total === 0) return { content: `(${target.shown} is empty.)` };
    if (shown.length === 0)
      return {
        content: `${target.shown} has ${total ?? line} lines, so there is nothing at line ${offset}.`,
        isError: true,
      };
    const last = offset + shown.length - 1;
    if (more) notes.push(`Lines ${offset} to ${last}${total ? ` of ${total}` : ""}; read on with offset ${last + 1}.`);
    if (cut) notes.push("Long lines are cut.");
    return { content: [shown.join("\n"), ...notes.map((note) => `(${note})`)].join("\n") };
  }

  return { add, finish };
}
