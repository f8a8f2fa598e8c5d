import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import { throwIfAborted } from "../../base/abort.ts";
import { failTool } from "./filePaths.ts";
import type { FileHits, FoundLine, SearchQuery, TakeHits } from "./searchTypes.ts";

/** Text of ripgrep's JSON output; `bytes` (base64) where it is not UTF-8. */
const textSchema = z.union([
  z.object({ text: z.string() }).transform(({ text }) => text),
  z.object({ bytes: z.string() }).transform(({ bytes }) => Buffer.from(bytes, "base64").toString("latin1")),
]);
const linesSchema = z.object({ path: textSchema, lines: textSchema, line_number: z.number() });
/** The kinds of event that are used here (https://docs.rs/grep-printer, JSON). */
const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("begin"), data: z.object({ path: textSchema }) }),
  z.object({ type: z.literal("match"), data: linesSchema }),
  z.object({ type: z.literal("context"), data: linesSchema }),
  z.object({ type: z.literal("end"), data: z.object({ path: textSchema }) }),
  z.object({ type: z.literal("summary") }),
]);

/** Searches by ripgrep, one file after the other in order of the paths. Rejects with what it says of a bad pattern. */
export async function searchByRipgrep(
  query: SearchQuery,
  { program, env }: { program: string; env: Readonly<Record<string, string>> },
  take: TakeHits,
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal);
  const child = spawn(program, argumentsOf(query), {
    cwd: query.root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const onAbort = () => child.kill("SIGKILL");
  signal.addEventListener("abort", onAbort, { once: true });
  const ended = new Promise<number | null | Error>((resolve) => child.once("close", resolve).once("error", resolve));
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(0, 2000);
  });
  try {
    if (await readHits(child.stdout, query, take)) return;
    const end = await ended;
    throwIfAborted(signal);
    if (end instanceof Error) failTool(`ripgrep cannot be started: ${end.message}`);
    if (end === 2 && complaint) failTool(complaint.trim());
  } catch (error) {
    throwIfAborted(signal); // what was read of a killed program ends in the middle of a line
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    child.kill("SIGKILL");
  }
}

function argumentsOf(query: SearchQuery): string[] {
  const { glob } = query;
  return [
    "--json",
    "--no-config",
    "--no-messages",
    "--hidden",
    "--no-require-git",
    "--no-ignore-global",
    "--no-ignore-exclude",
    "--no-ignore-dot",
    "--sort=path",
    "--glob=!.git",
    ...(glob === undefined || query.file ? [] : globArguments(glob)),
    ...(query.ignoreCase ? ["--ignore-case"] : []),
    ...(query.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(query.before ? [`--before-context=${query.before}`] : []),
    ...(query.after ? [`--after-context=${query.after}`] : []),
    ...(query.firstOnly ? ["--max-count=1"] : []),
    "--regexp",
    query.pattern,
    "--",
    query.file ? path.basename(query.file) : ".",
  ];
}

/** A `--glob` brings back what .gitignore leaves out, a file type does not; but a type knows only names, no folders. */
function globArguments(glob: string): string[] {
  if (glob.startsWith("!") || glob.includes("/")) return [`--glob=${glob.replace(/^\.\//, "")}`];
  return [`--type-add=wanted:${glob}`, "--type=wanted"];
}

/** Resolves to true when the taker has had enough; the rest is not read. */
async function readHits(output: NodeJS.ReadableStream, query: SearchQuery, take: TakeHits): Promise<boolean> {
  let hits: FileHits | undefined;
  for await (const line of createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY })) {
    const event = eventSchema.parse(JSON.parse(line));
    if (event.type === "begin") hits = { file: path.resolve(query.root, event.data.path), count: 0, lines: [] };
    else if (event.type === "match" || event.type === "context") addLines(hits, event);
    else if (event.type === "end" && hits && !query.isHidden(hits.file) && !take(hits)) return true;
  }
  return false;
}

type LineEvent = { type: "match" | "context"; data: z.infer<typeof linesSchema> };

function addLines(hits: FileHits | undefined, { type, data }: LineEvent): void {
  if (!hits) return;
  const isMatch = type === "match";
  if (isMatch) hits.count += 1;
  const texts = data.lines.replace(/\r?\n$/, "").split(/\r?\n/);
  hits.lines.push(...texts.map((text, index): FoundLine => ({ number: data.line_number + index, text, isMatch })));
}
