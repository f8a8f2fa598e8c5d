import { stat } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import type { Tool, ToolOutput } from "../types.ts";
import {
  explainFileError,
  failTool,
  hiddenBelow,
  rebase,
  resolveToolPath,
  shownPath,
  type ToolPath,
} from "./filePaths.ts";
import { findProgram } from "./findProgram.ts";
import { searchByLines } from "./searchByLines.ts";
import { searchByRipgrep } from "./searchByRipgrep.ts";
import type { FileHits, SearchQuery } from "./searchTypes.ts";
import { cutText } from "./textFile.ts";
import type { ToolEnvironment } from "./toolEnvironment.ts";

const HEAD_LIMIT = 250;
const MAX_LINE_LENGTH = 500;
const MAX_LENGTH = 30_000;

const lineCount = z.int().min(0);
const inputSchema = z.strictObject({
  pattern: z.string().min(1).describe("The regular expression to look for."),
  path: z.optional(z.string().describe("A folder or one file; the working folder by default.")),
  glob: z.optional(z.string().describe("Only files whose names match, for example *.ts or src/**/*.{css,scss}.")),
  output_mode: z.optional(
    z
      .enum(["files_with_matches", "content", "count"])
      .describe(
        "What to give: the paths of the files (default), the lines that match, or the number of them in each file.",
      ),
  ),
  "-i": z.optional(z.boolean().describe("Take small and capital letters as the same.")),
  "-n": z.optional(z.boolean().describe("Number the lines; true where nothing is said. Only with content.")),
  "-A": z.optional(lineCount.describe("How many lines to show after each match. Only with content.")),
  "-B": z.optional(lineCount.describe("How many lines to show before each match. Only with content.")),
  "-C": z.optional(lineCount.describe("How many lines to show before and after each match. Only with content.")),
  head_limit: z.optional(z.int().min(1).describe(`Give at most so many rows; ${HEAD_LIMIT} where nothing is said.`)),
  multiline: z.optional(z.boolean().describe("Let a match go over several lines; the dot matches line ends too.")),
});
type GrepInput = z.infer<typeof inputSchema>;

const description = `Searches the text of files by a regular expression.
- Use it instead of grep, rg or find in Bash: it leaves out what .gitignore leaves out, and binary files.
- Special characters have to be escaped when you mean them: interface\\{\\} finds interface{}.
- First find the files (files_with_matches), then read them or look at the lines (content, with -C for what is around them).
- To find files by name, use Glob.`;

/** The tool Grep: by ripgrep where there is one, otherwise by its own search. */
export function searchTextTool(environment: ToolEnvironment): Tool<GrepInput> {
  let ripgrep: Promise<string | undefined> | undefined;
  const { ripgrepPaths = [], env, cwd } = environment;
  return {
    name: "Grep",
    description,
    inputSchema,
    parallel: true,
    async run(input, { signal }) {
      ripgrep ??= findProgram("rg", ripgrepPaths, env["PATH"], cwd);
      return search(input, environment, await ripgrep, signal);
    },
  };
}

async function search(
  input: GrepInput,
  environment: ToolEnvironment,
  ripgrep: string | undefined,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const target = await resolveToolPath(input.path ?? ".", environment);
  const stats = await stat(target.real).catch((error: unknown) => failTool(explainFileError(error, target.shown)));
  const query = queryOf(input, target, stats.isDirectory(), environment);
  const rows = createRows(input, (file) => shownPath(rebase(file, target), environment.cwd));
  if (ripgrep) await searchByRipgrep(query, { program: ripgrep, env: environment.env }, rows.add, signal);
  else await searchByLines(query, rows.add, signal);
  return { content: rows.finish() };
}

function queryOf(input: GrepInput, target: ToolPath, isFolder: boolean, environment: ToolEnvironment): SearchQuery {
  const around = input.output_mode === "content" ? (input["-C"] ?? 0) : undefined;
  return {
    pattern: input.pattern,
    root: isFolder ? target.real : path.dirname(target.real),
    ...(isFolder ? {} : { file: target.real }),
    ...(input.glob === undefined ? {} : { glob: input.glob }),
    ignoreCase: input["-i"] ?? false,
    multiline: input.multiline ?? false,
    before: around === undefined ? 0 : (input["-B"] ?? around),
    after: around === undefined ? 0 : (input["-A"] ?? around),
    firstOnly: (input.output_mode ?? "files_with_matches") === "files_with_matches",
    isHidden: hiddenBelow(target, environment),
  };
}

/** Collects rows until a limit is reached; `add` gives false when no further file is wanted. */
function createRows(input: GrepInput, show: (file: string) => string) {
  const limit = input.head_limit ?? HEAD_LIMIT;
  const rows: string[] = [];
  let length = 0;
  let more = false;

  function push(row: string): boolean {
    more = rows.length >= limit || length + row.length > MAX_LENGTH;
    if (more) return false;
    rows.push(row);
    length += row.length + 1;
    return true;
  }

  function add(hits: FileHits): boolean {
    const file = show(hits.file);
    if (input.output_mode === "count") return push(`${file}:${hits.count}`);
    if (input.output_mode !== "content") return push(file);
    return contentRows(hits, file, input["-n"] ?? true, rows.length > 0).every(push);
  }

  function finish(): string {
    if (rows.length === 0) return `Nothing matches ${input.pattern}.`;
    if (more) rows.push("(There is more. Narrow the pattern or the path, or raise head_limit.)");
    return rows.join("\n");
  }

  return { add, finish };
}

/** As grep writes them: `path:line:text` for a match, `path-line-text` around it, `--` where lines are left out. */
function contentRows({ lines }: FileHits, file: string, numbered: boolean, separate: boolean): string[] {
  const hasContext = lines.some(({ isMatch }) => !isMatch);
  return lines.flatMap(({ number, text, isMatch }, index) => {
    const mark = isMatch ? ":" : "-";
    const cut = cutText(text, MAX_LINE_LENGTH);
    const row = `${file}${mark}${numbered ? `${number}${mark}` : ""}${cut}${cut.length < text.length ? "…" : ""}`;
    const before = lines[index - 1];
    const gap = before ? before.number + 1 < number : separate;
    return gap && hasContext ? ["--", row] : [row];
  });
}
