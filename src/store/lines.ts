import { dirname } from "node:path";
import { errorCode } from "../base/errors.ts";
import { withDir } from "./folders.ts";
import type { StoreFs } from "./storeFs.ts";

/** Where an append-only file of JSON Lines lies; `top` is the folder that must exist already. */
export interface LineFile {
  path: string;
  top: string | null;
}

/**
 * What to do with a last line that a killed writer left unfinished: `truncate` where this process is the only writer,
 * else `newline`: the fragment becomes a line of its own, which readers skip.
 */
export type TornLine = "truncate" | "newline";

/** A line that is not JSON; `line` counts from 1. */
export interface BadLine {
  line: number;
  text: string;
}

/** Values of complete lines from `offset` on, and where the next read begins. */
export interface LinesRead {
  values: unknown[];
  bad: BadLine[];
  /** Bytes from the start of the file to the end of the last complete line. */
  next: number;
  /** An unfinished last line, which its writer may still complete. */
  torn: boolean;
}

/**
 * Appends values, one a line, in one write; resolves to the size before. Where that fails no part of it stays in a file
 * of one writer.
 */
export async function appendLines(
  fs: StoreFs,
  file: LineFile,
  values: readonly unknown[],
  options: { torn: TornLine; durable?: boolean },
): Promise<number> {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
  const sync = options.durable === true;
  return await withDir(fs, dirname(file.path), file.top, async () => {
    try {
      const { size, torn } = await fs.append(file.path, text, { sync });
      if (!torn) return size;
      const prefix = options.torn === "newline" ? "\n" : await keepIfComplete(fs, file.path, size);
      return (await fs.append(file.path, prefix + text, { sync, force: true })).size;
    } catch (error) {
      if (options.torn === "truncate") await cutTornLine(fs, file.path);
      throw error;
    }
  });
}

/** Reads complete lines from a byte offset on; a missing file has none. */
export async function readLines(fs: StoreFs, path: string, offset = 0): Promise<LinesRead> {
  const bytes = await readFrom(fs, path, offset);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const read: LinesRead = { values: [], bad: [], next: offset + end, torn: end < bytes.length };
  const lines = bytes.subarray(0, end).toString("utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    try {
      read.values.push(JSON.parse(line));
    } catch {
      read.bad.push({ line: index + 1, text: line.slice(0, 200) });
    }
  }
  return read;
}

const NEWLINE = 10;
const BLOCK = 64 * 1024;

async function readFrom(fs: StoreFs, path: string, offset: number): Promise<Buffer> {
  try {
    if (offset === 0) return (await fs.read(path)).bytes;
    const { size } = await fs.stat(path);
    return size > offset ? await fs.readRange(path, offset, size - offset) : Buffer.alloc(0);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

/** Resolves to what must be written before the next line: the fragment is cut off, unless only its newline is missing. */
async function keepIfComplete(fs: StoreFs, path: string, size: number): Promise<string> {
  const start = await startOfLastLine(fs, path, size);
  const tail = (await fs.readRange(path, start, size - start)).toString("utf8");
  try {
    JSON.parse(tail);
    return "\n"; // only its newline is missing
  } catch {
    await fs.truncate(path, start);
    return "";
  }
}

async function cutTornLine(fs: StoreFs, path: string): Promise<void> {
  try {
    const size = await sizeOf(fs, path);
    if (size > 0) await fs.truncate(path, await startOfLastLine(fs, path, size));
  } catch {
    // the next append mends it
  }
}

async function startOfLastLine(fs: StoreFs, path: string, size: number): Promise<number> {
  for (let end = size; end > 0; end -= BLOCK) {
    const start = Math.max(0, end - BLOCK);
    const at = (await fs.readRange(path, start, end - start)).lastIndexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
  }
  return 0;
}

async function sizeOf(fs: StoreFs, path: string): Promise<number> {
  try {
    return (await fs.stat(path)).size;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return 0;
    throw error;
  }
}
