import { type Logger, silentLogger } from "../base/logger.ts";
import type { CliContext } from "./context.ts";
import { visibleText } from "./render/visibleText.ts";

/** The log of a command: on standard error with MUSTER_DEBUG, else nowhere. */
export function cliLogger({ env, io }: Pick<CliContext, "env" | "io">): Logger {
  if (!env["MUSTER_DEBUG"]) return silentLogger;
  const write = (level: string) => (message: string, detail?: unknown) => {
    const more = detail === undefined ? "" : ` ${detailText(detail)}`;
    io.stderr.write(`${level} ${visibleText(message)}${visibleText(more)}\n`);
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

function detailText(detail: unknown): string {
  if (detail instanceof Error) return detail.stack ?? detail.message;
  return typeof detail === "string" ? detail : (JSON.stringify(detail) ?? String(detail));
}
