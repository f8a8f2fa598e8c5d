import { parseJson } from "../base/json.ts";
import type { Mail, ToolResult } from "./incoming.ts";
import type { Turn } from "./script.ts";

/** What a script is sent is not what it expects; the server answers with HTTP 400 and says so. */
export class ScriptMismatch extends Error {
  readonly expected: string;
  readonly came: string;

  constructor(expected: string, came: string) {
    super(`expected ${expected}, came ${came}`);
    this.name = "ScriptMismatch";
    this.expected = expected;
    this.came = came;
  }
}

/** Fails the step unless `ok`. Both texts complete the sentence "expected …, came …". */
export function expectThat(ok: boolean, expected: string, came: string): asserts ok {
  if (!ok) throw new ScriptMismatch(expected, came);
}

/** The text of the result at `index` (order of the calls): it must match and, unless `isError` is given, be no error. */
export function expectResult(
  turn: Turn,
  match: RegExp | string = "",
  options: { index?: number; isError?: boolean } = {},
): string {
  const { index = 0, isError = false } = options;
  const { results } = turn.incoming;
  const result = results[index];
  if (result === undefined) {
    throw new ScriptMismatch(
      index === 0 ? "a tool result" : `at least ${index + 1} tool results`,
      `${results.length} of them and the text ${quote(turn.incoming.text)}`,
    );
  }
  return checkResult(result, match, isError);
}

/** The text of a result that must match and be an error or none. */
export function checkResult(result: ToolResult, match: RegExp | string = "", isError = false): string {
  const kind = (error: boolean) => (error ? "an error" : "a result");
  const wanted = match === "" ? "" : ` with ${shown(match)}`;
  expectThat(
    result.isError === isError && matches(result.text, match),
    `${kind(isError)} of ${result.name}${wanted}`,
    `${kind(result.isError)}: ${quote(result.text)}`,
  );
  return result.text;
}

/** The object that a result's text is, as the team tools write it. */
export function resultObject(result: ToolResult): Record<string, unknown> {
  const text = checkResult(result);
  const value = parseJson(text);
  expectThat(
    typeof value === "object" && value !== null,
    `a result of ${result.name} that is a JSON object`,
    quote(text),
  );
  return value as Record<string, unknown>;
}

/** The new mail from a member whose text matches. */
export function expectMail(turn: Turn, from: string, match: RegExp | string = ""): Mail {
  const mail = turn.incoming.mail.find((entry) => entry.from === from && matches(entry.text, match));
  if (mail === undefined) {
    throw new ScriptMismatch(`a message from ${from} with ${shown(match)}`, quote(turn.incoming.text));
  }
  return mail;
}

/** All new text, results apart; it must match. */
export function expectText(turn: Turn, match: RegExp | string): string {
  expectThat(matches(turn.incoming.text, match), `a text with ${shown(match)}`, quote(turn.incoming.text));
  return turn.incoming.text;
}

/** A text for an error message: in quotes, on one line, its middle left out where it is long. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line === ""
    ? "nothing"
    : JSON.stringify(line.length > 400 ? `${line.slice(0, 250)} … ${line.slice(-140)}` : line);
}

function matches(text: string, match: RegExp | string): boolean {
  return typeof match === "string" ? text.includes(match) : match.test(text);
}

function shown(match: RegExp | string): string {
  return typeof match === "string" ? JSON.stringify(match) : String(match);
}
