import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/errors.ts";
import { SerialQueue } from "../../base/serial.ts";
import type { CommandGuard } from "./commandGuard.ts";
import { explainFileError, failTool, resolveToolPath, type ToolPath } from "./filePaths.ts";
import { BOM, type DecodedText, decodeText } from "./textFile.ts";
import type { FileChange, ToolEnvironment } from "./toolEnvironment.ts";

/** Files up to this size are read whole, and only such files can be changed. */
export const MAX_WHOLE_BYTES = 10 * 1024 * 1024;

/** The files of one member, with what it has seen of each: nobody overwrites what they have not read. */
export interface FileAccess {
  readonly environment: ToolEnvironment;
  /** Keeps that the member has read this version of the file. */
  noteRead(real: string, version: FileVersion): void;
  /** Changes a file as a whole; `compute` makes the new text of the old one and may throw a sentence. */
  change(request: ChangeRequest): Promise<ToolPath>;
}

export interface FileVersion {
  size: number;
  mtimeMs: number;
  /** Of the content; absent where it was not read whole. */
  hash?: string;
}

/** `compute` gets undefined for a file that does not exist, and gives text without a byte order mark. */
export interface ChangeRequest {
  file: string;
  toolUseId: string;
  tool: FileChange["tool"];
  compute: (before: DecodedText | undefined) => string;
}

/** The files of one member's tools: what it has seen is kept here, so each member gets its own. */
export function createFileAccess(environment: ToolEnvironment): FileAccess {
  const seen = new Map<string, FileVersion | SeenBefore>();
  let restored: Promise<void> | undefined;
  const queue = environment.fileQueue ?? new SerialQueue();
  return {
    environment,
    noteRead: (real, version) => void seen.set(real, version),
    async change(request) {
      const target = await resolveToolPath(request.file, environment);
      try {
        restored ??= restore(seen, environment);
        await restored;
        return await queue.run(target.real, () => changeFile(target, request, environment, seen));
      } catch (error) {
        if (errorCode(error)) failTool(explainFileError(error, target.shown));
        throw error;
      }
    },
  };
}

/** What the member had seen before this process began. */
interface SeenBefore {
  until: number;
}

async function restore(seen: Map<string, FileVersion | SeenBefore>, environment: ToolEnvironment): Promise<void> {
  for (const { file, until } of environment.seenBefore ?? []) {
    const target = await resolveToolPath(file, environment).catch(() => undefined); // gone, or out of reach now
    const known = target && seen.get(target.real);
    if (target && (!known || ("until" in known && known.until < until))) seen.set(target.real, { until });
  }
}

/** Hex SHA-256: tells whether a file is still the one that was read. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function changeFile(
  target: ToolPath,
  request: ChangeRequest,
  environment: ToolEnvironment,
  seen: Map<string, FileVersion | SeenBefore>,
): Promise<ToolPath> {
  const before = await readForChange(target, request.tool, seen);
  const bom = before?.decoded.bom ? BOM : "";
  const after = bom + request.compute(before?.decoded);
  const { toolUseId, tool } = request;
  const change = { path: target.real, before: before && bom + before.decoded.text, after, toolUseId, tool };
  await environment.onFileChange?.(change);
  try {
    await requireUnchanged(target, before?.version);
    seen.set(target.real, await save(target.real, Buffer.from(after), before?.mode, environment.guard));
  } catch (error) {
    await environment.onFileChangeFailed?.(change);
    throw error;
  }
  await environment.onFileChanged?.(change);
  return target;
}

interface Before {
  decoded: DecodedText;
  version: FileVersion;
  mode: number;
}

/** Undefined: there is no such file. Rejects with a sentence where the member must not change what is there. */
async function readForChange(
  target: ToolPath,
  tool: string,
  seen: ReadonlyMap<string, FileVersion | SeenBefore>,
): Promise<Before | undefined> {
  const { real, shown } = target;
  const stats = await statOrNothing(real);
  if (!stats) return undefined;
  if (!stats.isFile()) failTool(`${shown} is not a file, so ${tool} cannot change it.`);
  if (stats.size > MAX_WHOLE_BYTES)
    failTool(`${shown} is too large for ${tool} (${stats.size} bytes). Change it with a command.`);
  const known = seen.get(real);
  if (!known) failTool(`${shown} exists and you have not read it. Read it first, then ${tool} it.`);
  const bytes = await readFile(real);
  const hash = hashOf(bytes);
  if (!isSame(known, { size: stats.size, mtimeMs: stats.mtimeMs, hash }))
    failTool(`${shown} has been changed since you read it. Read it again, then make your change anew.`);
  const decoded = decodeText(bytes);
  if (decoded?.encoding !== "utf-8")
    failTool(`${shown} is not UTF-8 text, so ${tool} cannot change it. Use a command.`);
  return { decoded, version: { size: stats.size, mtimeMs: stats.mtimeMs, hash }, mode: stats.mode & 0o7777 };
}

function isSame(known: FileVersion | SeenBefore, now: FileVersion): boolean {
  if ("until" in known) return now.mtimeMs <= known.until;
  return known.hash === undefined ? known.size === now.size && known.mtimeMs === now.mtimeMs : known.hash === now.hash;
}

/** Another writer may have come while the change was being stored or shown. */
async function requireUnchanged({ real, shown }: ToolPath, version: FileVersion | undefined): Promise<void> {
  const now = await statOrNothing(real);
  if (now?.size === version?.size && now?.mtimeMs === version?.mtimeMs) return;
  failTool(`${shown} was changed by somebody else at the same moment, so nothing was written. Read it again.`);
}

async function statOrNothing(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes beside the file and renames, so that no reader ever sees half of it. */
async function save(
  file: string,
  bytes: Buffer,
  mode: number | undefined,
  guard: CommandGuard | undefined,
): Promise<FileVersion> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = path.join(path.dirname(file), `.${randomUUID()}.tmp`);
  guard?.keep(temporary);
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    guard?.forget(temporary);
  }
  const { size, mtimeMs } = await stat(file);
  return { size, mtimeMs, hash: hashOf(bytes) };
}
