import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Disposable } from "../base/disposable.ts";
import { Emitter, type Event } from "../base/emitter.ts";
import { errorCode, MusterError } from "../base/errors.ts";

/** The terminal's side of a stream. `columns`: undefined where it is no terminal. */
export interface OutputStream {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  /** Colours: on a terminal, unless $NO_COLOR is set or it is a dumb one. */
  readonly colors: boolean;
  write(text: string): void;
}

/** Standard input, output and error of the process as the commands use them. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdinIsTerminal: boolean;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Nothing can be written any more: nobody reads the output (`muster … | head -1`), or `outputFault` says why. */
  readonly onOutputClosed: Event<void>;
  /** Why a stream could not be written, such as a full disk; null where it could, or where its reader only went away. */
  readonly outputFault: MusterError | null;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** Resolves when all output has left the process. */
  flush(): Promise<void>;
}

/** The streams of this process. Dispose to stop listening to them. */
export function processIo(env: NodeJS.ProcessEnv): CliIo & Disposable {
  const closed = new Emitter<void>();
  let fault: MusterError | null = null;
  const onError = (stream: NodeJS.WriteStream, what: string) => (error: unknown) => {
    if (!isReaderGone(error, stream)) fault ??= writeFault(error, what);
    closed.fire();
  };
  const streams = [process.stdout, process.stderr];
  const listeners = [
    onError(process.stdout, "The output could not be written"),
    onError(process.stderr, "Standard error could not be written"),
  ] as const;
  process.stdout.on("error", listeners[0]);
  process.stderr.on("error", listeners[1]);
  return {
    get outputFault() {
      return fault;
    },
    stdin: process.stdin,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdout: outputStream(process.stdout, env),
    stderr: outputStream(process.stderr, env),
    onOutputClosed: closed.event,
    readInput: () => text(process.stdin),
    flush: async () => {
      await Promise.all(streams.map((stream) => new Promise<void>((resolve) => stream.write("", () => resolve()))));
    },
    dispose: () => {
      process.stdout.off("error", listeners[0]);
      process.stderr.off("error", listeners[1]);
    },
  };
}

/** EIO is a terminal that hung up; of a file, it is the disk. */
function isReaderGone(error: unknown, stream: NodeJS.WriteStream): boolean {
  const code = errorCode(error);
  return code === "EPIPE" || code === "ECONNRESET" || (code === "EIO" && stream.isTTY === true);
}

function writeFault(error: unknown, what: string): MusterError {
  const code = errorCode(error) ?? "no reason given";
  if (code === "ENOSPC" || code === "EDQUOT")
    return new MusterError("disk_full", `${what}: the disk is full. Free some space and try again.`, { cause: error });
  const advice = "Check the place that it goes to, or send it elsewhere.";
  return new MusterError("root_unreadable", `${what} (${code}). ${advice}`, { cause: error });
}

function outputStream(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): OutputStream {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    get columns() {
      return isTerminal ? stream.columns : undefined;
    },
    colors: isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb",
    write: (text) => {
      if (!stream.destroyed) stream.write(text);
    },
  };
}
