import { stat } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import type { Tool, ToolOutput } from "../types.ts";
import { explainFileError, failTool, hiddenBelow, rebase, resolveToolPath, shownPath } from "./filePaths.ts";
import { byPathParts, changedAt, listFiles } from "./listFiles.ts";
import type { ToolEnvironment } from "./toolEnvironment.ts";

const MAX_FILES = 200;
/** Of more files than this the times are not asked: the list is in the order of the alphabet. */
const MAX_SORTED_BY_TIME = 5000;

const inputSchema = z.strictObject({
  pattern: z.string().min(1).describe("The pattern, for example src/**/*.ts."),
  path: z.optional(z.string().describe("The folder to search, absolute or relative; the working folder by default.")),
});
type GlobInput = z.infer<typeof inputSchema>;

const description = `Finds files by their names and gives their paths, those changed last first.
- The pattern is relative to the folder: *.md finds files in the folder itself, **/*.md at any depth, src/**/*.{ts,tsx} below src.
- Files that .gitignore leaves out are not found, unless path itself lies in such a folder.
- At most ${MAX_FILES} paths are given; narrow the pattern if there are more.
- To find files by what is in them, use Grep.`;

/** The tool Glob. */
export function globFilesTool(environment: ToolEnvironment): Tool<GlobInput> {
  return {
    name: "Glob",
    description,
    inputSchema,
    parallel: true,
    run: (input, { signal }) => findFiles(input, environment, signal),
  };
}

async function findFiles(input: GlobInput, environment: ToolEnvironment, signal: AbortSignal): Promise<ToolOutput> {
  const folder = await resolveToolPath(input.path ?? ".", environment);
  const stats = await stat(folder.real).catch((error: unknown) => failTool(explainFileError(error, folder.shown)));
  if (!stats.isDirectory()) failTool(`${folder.shown} is a file. Give a folder as path.`);
  const pattern = patternBelow(input.pattern, folder.named);
  const found = await listFiles(folder.real, [pattern], { isHidden: hiddenBelow(folder, environment) }, signal);
  if (found.length === 0) return { content: `No file matches ${input.pattern}.` };
  const sorted = found.length > MAX_SORTED_BY_TIME ? found.toSorted(byPathParts) : await newestFirst(found);
  const rows = sorted.slice(0, MAX_FILES).map((file) => shownPath(rebase(file, folder), environment.cwd));
  const rest = found.length - rows.length;
  if (rest > 0) rows.push(`(${rest} more files match. Narrow the pattern.)`);
  return { content: rows.join("\n") };
}

/** The pattern relative to `folder`, which it must not leave: another folder is named by `path`, where it is judged. */
function patternBelow(pattern: string, folder: string): string {
  const slashed = pattern.replaceAll("\\", process.platform === "win32" ? "/" : "\\");
  const prefix = `${folder.split(path.sep).join("/").replace(/\/$/, "")}/`;
  const relative = slashed.startsWith(prefix) ? slashed.slice(prefix.length) : slashed.replace(/^(\.\/)+/, "");
  if (path.isAbsolute(relative) || relative.split("/").includes(".."))
    failTool(`The pattern ${pattern} leads out of the folder. Name the folder in path, and give a pattern below it.`);
  return relative;
}

async function newestFirst(files: readonly string[]): Promise<string[]> {
  const dated = await Promise.all(files.map(async (file) => ({ file, at: await changedAt(file) })));
  return dated.toSorted((a, b) => b.at - a.at || byPathParts(a.file, b.file)).map(({ file }) => file);
}
