import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { createContext, Script } from "node:vm";
import { throwIfAborted } from "../../base/abort.ts";
import { errorCode, errorMessage } from "../../base/errors.ts";
import { failTool } from "./filePaths.ts";
import { byPathParts, listFiles } from "./listFiles.ts";
import type { FileHits, FoundLine, SearchQuery, TakeHits } from "./searchTypes.ts";
import { BOM, isBinary } from "./textFile.ts";

/** A pattern may take this long for a batch of lines, or for a whole file with `multiline`. */
const MAX_MATCH_MS = 1000;
const BATCH_LINES = 2000;
const MAX_MULTILINE_BYTES = 10 * 1024 * 1024;
const SAMPLE_BYTES = 8192;

/** The search without ripgrep: the same files and lines, with JavaScript's regular expressions. */
export async function searchByLines(query: SearchQuery, take: TakeHits, signal: AbortSignal): Promise<void> {
  const pattern = compile(query);
  for (const file of await filesOf(query, signal)) {
    throwIfAborted(signal);
    const hits = await searchFile(file, pattern, query, signal);
    if (hits && hits.count > 0 && !take(hits)) return;
  }
}

/** Groups of flags at the beginning, as ripgrep takes them, become flags. */
function compile({ pattern, ignoreCase, multiline }: SearchQuery): RegExp {
  const [, inline = "", body = pattern] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(pattern) ?? [];
  const unicode = /\\[pPu]\{/.test(body) ? "u" : "";
  const flags = new Set([...inline, ...(ignoreCase ? "i" : ""), ...(multiline ? "ms" : ""), "g", ...unicode]);
  try {
    return new RegExp(body, [...flags].join(""));
  } catch (error) {
    return failTool(`The pattern cannot be used. ${errorMessage(error)}`);
  }
}

async function filesOf(query: SearchQuery, signal: AbortSignal): Promise<string[]> {
  if (query.file) return [query.file];
  const glob = query.glob?.replace(/^(!?)(\.?\/)/, "$1");
  const exclude = glob?.startsWith("!") ? [anyDepth(glob.slice(1))] : [];
  const include = glob === undefined || glob.startsWith("!") ? "**/*" : anyDepth(glob);
  const files = await listFiles(query.root, [include], { exclude, isHidden: query.isHidden }, signal);
  return files.toSorted(byPathParts);
}

/** A name without a folder means files at any depth. */
function anyDepth(glob: string): string {
  return glob.includes("/") ? glob : `**/${glob}`;
}

/** Undefined: the file is binary, or has gone. */
async function searchFile(
  file: string,
  pattern: RegExp,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<FileHits | undefined> {
  try {
    if (await looksBinary(file)) return undefined;
    return query.multiline ? await searchWhole(file, pattern, query) : await searchLines(file, pattern, query, signal);
  } catch (error) {
    if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      failTool("The pattern takes too long: it can match in too many ways. Make it simpler.");
    if (["ENOENT", "EACCES", "EPERM", "EISDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

async function looksBinary(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(SAMPLE_BYTES), position: 0 });
    return isBinary(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

async function searchLines(file: string, pattern: RegExp, query: SearchQuery, signal: AbortSignal): Promise<FileHits> {
  const collector = createCollector(file, query);
  const input = createReadStream(file, "utf8");
  let batch: string[] = [];
  const search = () => {
    const matches = inTime(() => batch.map((line) => line.search(pattern) !== -1));
    const enough = matches.some((isMatch, index) => !collector.add(batch[index] ?? "", isMatch));
    batch = [];
    return enough;
  };
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      throwIfAborted(signal);
      if (batch.push(line.replace(BOM, "")) >= BATCH_LINES && search()) return collector.hits;
    }
    search();
    return collector.hits;
  } finally {
    input.destroy();
  }
}

/** Keeps matching lines with the lines around them; `add` gives false when the rest of the file is not needed. */
function createCollector(file: string, { before, after, firstOnly }: SearchQuery) {
  const hits: FileHits = { file, count: 0, lines: [] };
  let recent: FoundLine[] = [];
  let number = 0;
  let wanted = 0;

  function add(text: string, isMatch: boolean): boolean {
    number += 1;
    const line = { number, text, isMatch };
    if (isMatch) {
      hits.count += 1;
      hits.lines.push(...recent, line);
      recent = [];
      wanted = after;
      return !firstOnly;
    }
    if (wanted > 0) {
      wanted -= 1;
      hits.lines.push(line);
    } else if (before > 0) recent = [...recent, line].slice(-before);
    return true;
  }

  return { hits, add };
}

async function searchWhole(file: string, pattern: RegExp, query: SearchQuery): Promise<FileHits | undefined> {
  if ((await stat(file)).size > MAX_MULTILINE_BYTES) return undefined;
  const text = await readFile(file, "utf8");
  const places = inTime(() =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => [index, index + found.length] as const),
  );
  const collector = createCollector(file, { ...query, firstOnly: false });
  let start = 0;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const end = start + line.length;
    const isMatch = places.some(([from, to]) => from <= end && (to > start || (to === from && from === start)));
    collector.add(line.replace(/\r$/, ""), isMatch);
    start = end + 1;
  }
  collector.hits.count = places.length;
  return collector.hits;
}

/** Runs matching that a pattern may make endless, and throws when it takes too long. Nothing else stops a RegExp. */
function inTime<T>(match: () => T): T {
  const context = createContext({ match });
  return TIMED.runInContext(context, { timeout: MAX_MATCH_MS }) as T;
}

const TIMED = new Script("match()");
