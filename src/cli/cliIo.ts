import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Disposable } from "../base/disposable.ts";
import { Emitter, type Event } from "../base/emitter.ts";
import { errorCode } from "../base/errors.ts";

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
  /** Nobody reads the output any more (`muster … | head -1`). */
  readonly onOutputClosed: Event<void>;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** Resolves when all output has left the process. */
  flush(): Promise<void>;
}

/** The streams of this process. Dispose to stop listening to them. */
export function processIo(env: NodeJS.ProcessEnv): CliIo & Disposable {
  const closed = new Emitter<void>();
  const onError = (error: unknown) => {
    if (errorCode(error) !== "EPIPE" && errorCode(error) !== "EIO") throw error;
    closed.fire();
  };
  const streams = [process.stdout, process.stderr];
  for (const stream of streams) stream.on("error", onError);
  return {
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
      for (const stream of streams) stream.off("error", onError);
    },
  };
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
