import { inspect } from "node:util";
import type * as vscode from "vscode";
import type { Logger } from "../base/logger.ts";
import { redact } from "./redact.ts";

/** A logger that writes to VS Code's output channel. `secrets`: what must never be in it. */
export function channelLogger(channel: vscode.LogOutputChannel, secrets: () => Iterable<string>): Logger {
  const line = (message: string, detail: unknown) =>
    redact(detail === undefined ? message : `${message} ${detailText(detail)}`, secrets());
  return {
    debug: (message, detail) => channel.debug(line(message, detail)),
    info: (message, detail) => channel.info(line(message, detail)),
    warn: (message, detail) => channel.warn(line(message, detail)),
    error: (message, detail) => channel.error(line(message, detail)),
  };
}

function detailText(detail: unknown): string {
  if (typeof detail === "string") return detail;
  if (detail instanceof Error) return detail.stack ?? detail.message;
  return inspect(detail, { depth: 4, breakLength: 120, maxStringLength: 2_000 });
}
