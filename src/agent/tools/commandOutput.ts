import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What the model is shown at most: half of it from the beginning, half from the end. */
const MAX_LENGTH = 30_000;
const HALF = MAX_LENGTH / 2;
/** A command that writes more than this is ended. */
export const MAX_OUTPUT_BYTES = 50 * 1024 * 1024;
/** Of binary output so many bytes are shown, in hex. */
const BINARY_SAMPLE = 64;

/** The output of one command: what is to be shown in memory, and all of it in a file once it is too long to be shown. */
export interface CommandOutput {
  /** Takes a piece of one of the two streams. False: that is enough. */
  add(stream: "stdout" | "stderr", chunk: Buffer): boolean;
  /** The text for the model. No piece may come after. */
  finish(): Promise<string>;
}

/** `folder` gives the place for the file, when one is needed. */
export function createCommandOutput(folder: () => Promise<string>): CommandOutput {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const early: Buffer[] = [];
  let spill: Spill | undefined;
  let bytes = 0;
  let length = 0;
  let head = "";
  let tail = "";

  function addText(text: string): void {
    length += text.length;
    const room = HALF - head.length;
    head += text.slice(0, room);
    tail += text.slice(room);
    if (tail.length > 2 * HALF) tail = tail.slice(-HALF);
  }

  function keep(chunk: Buffer): void {
    if (spill) spill.write(chunk);
    else early.push(chunk);
    if (spill || bytes <= MAX_LENGTH) return;
    spill = createSpill(folder);
    for (const piece of early) spill.write(piece);
  }

  return {
    add(stream, chunk) {
      bytes += chunk.length;
      addText(decoders[stream].decode(chunk, { stream: true }));
      if (bytes - chunk.length <= MAX_OUTPUT_BYTES) keep(chunk);
      return bytes <= MAX_OUTPUT_BYTES;
    },
    async finish() {
      addText(decoders.stdout.decode() + decoders.stderr.decode());
      const file = await spill?.close();
      const whole = file ? ` The whole output is in ${file}.` : "";
      if (looksBinary(head)) {
        const sample = Buffer.concat(early).subarray(0, BINARY_SAMPLE).toString("hex");
        return `(${bytes} bytes of binary output, beginning with ${sample}.${whole})`;
      }
      if (length <= MAX_LENGTH) return tidy(head + tail);
      const end = tail.slice(-HALF);
      const note = `… (${length - head.length - end.length} characters are left out here.${whole}) …`;
      return `${tidy(head)}\n${note}\n${tidy(end)}`;
    },
  };
}

/**
 * Where the outputs of one member go: a folder that only this person can enter, made when it is first needed. One that was
 * not given goes when `lifetime` aborts, and is not made after that; `onMake` is told of it before it is there, so that
 * whoever removes it knows of it however this process ends. Rejects where it cannot be made.
 */
export function outputFolder(
  given: string | undefined,
  lifetime: AbortSignal | undefined,
  onMake: (folder: string) => void,
): () => Promise<string> {
  let made: Promise<string> | undefined;
  const make = async () => {
    if (given === undefined) {
      lifetime?.throwIfAborted();
      const own = path.join(os.tmpdir(), `muster-output-${randomUUID()}`);
      onMake(own);
      const remove = () => void rm(own, { recursive: true, force: true, maxRetries: 3 }).catch(leaveBehind);
      lifetime?.addEventListener("abort", remove, { once: true });
      await mkdir(own, { mode: 0o700 });
      if (lifetime?.aborted) remove();
      return own;
    }
    await mkdir(given, { recursive: true, mode: 0o700 });
    return given;
  };
  return () => {
    made ??= make();
    return made;
  };
}

function leaveBehind(): void {
  // the system clears its folder of temporary files
}

interface Spill {
  write(chunk: Buffer): void;
  /** The file's path once all is in it; undefined where it could not be written: that costs the file, not the command. */
  close(): Promise<string | undefined>;
}

function createSpill(folder: () => Promise<string>): Spill {
  const source = new PassThrough();
  const write = async () => {
    const file = path.join(await folder(), `${randomUUID()}.txt`);
    await pipeline(source, createWriteStream(file, { mode: 0o600, flags: "wx" }));
    return file;
  };
  const written = write().catch(() => undefined);
  return {
    write: (chunk) => void source.write(chunk),
    close() {
      source.end();
      return written;
    },
  };
}

/** More than a tenth of its beginning is no text: control characters, or bytes that are not UTF-8. */
function looksBinary(head: string): boolean {
  const strange = [...head].filter((char) => char === "\uFFFD" || (/\p{Cc}/u.test(char) && !TEXT_CONTROLS.has(char)));
  return strange.length > head.length / 10;
}

const TEXT_CONTROLS: ReadonlySet<string> = new Set(["\t", "\n", "\f", "\r", "\u001B"]);

/** Half a character at a cut, a NUL and blank lines around the text tell nothing. */
function tidy(text: string): string {
  const whole = text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return whole
    .replaceAll("\0", "\\0")
    .replace(/^\s*\n/, "")
    .trimEnd();
}
