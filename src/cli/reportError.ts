import type { MusterError } from "../base/errors.ts";
import type { CliIo } from "./cliIo.ts";
import { withCommands } from "./commandAdvice.ts";
import { asMusterError, exitCodeOf } from "./exitCodes.ts";
import { tellSentence } from "./tellSentence.ts";

/**
 * The one place that tells of errors: `muster: SENTENCE` on standard error and, with `--json`, `{"error":{reason,message}}`
 * on standard output. Returns the exit code.
 */
export function reportError(error: unknown, io: CliIo, options: { json: boolean; debug: boolean }): number {
  const known = asMusterError(error);
  tellSentence(io, withCommands(known.message));
  if (options.debug && error instanceof Error) io.stderr.write(`${error.stack ?? ""}\n`);
  if (options.json) io.stdout.write(`${errorJson(known)}\n`);
  return exitCodeOf(known.reason);
}

/** The JSON form of an error. */
function errorJson(error: MusterError): string {
  return JSON.stringify({ error: { reason: error.reason, message: withCommands(error.message) } });
}
