import type { APIError } from "@anthropic-ai/sdk";
import { errorCode, isMusterError, MusterError } from "../base/errors.ts";
import type { ModelFailure } from "./types.ts";

/** What a failure's sentence names. `key` is cut out of everything that the other side says. */
export interface FailureContext {
  address: string;
  model: string;
  key: string;
}

/** The error for a missing or unusable key; `detail` follows “no usable API key”. */
export function noKey(detail: string): MusterError {
  const what = `There is no usable API key${detail}. `;
  return new MusterError(
    "no_key",
    `${what}Set an API key (the command “Set API Key…”, or ANTHROPIC_API_KEY), then try again.`,
  );
}

/** Nothing came for `ms` milliseconds. */
export function silentApi({ address }: FailureContext, ms: number): ModelFailure {
  const message = `The API at ${address} sent nothing for ${ms / 1000} seconds. Check the network, then try again.`;
  return { reason: "api_unreachable", message, retryable: true };
}

/** A stream that ended before its last event; `begun`: it had sent at least one. */
export function unfinished(begun: boolean, context: FailureContext): ModelFailure {
  return begun ? lostConnection(context) : foreignAnswer(context);
}

/** What a request threw. `begun`: its stream had sent at least one event. */
export function failureOf(error: unknown, begun: boolean, context: FailureContext): ModelFailure {
  if (isMusterError(error, "no_key")) return { reason: "no_key", message: error.message, retryable: false };
  if (isApiError(error) && (error.status !== undefined || error.headers)) return refusal(error, context);
  if (error instanceof SyntaxError) return foreignAnswer(context);
  return begun ? lostConnection(context) : unreachable(error, context);
}

/** By its fields, so that the SDK need not be loaded for this. */
function isApiError(error: unknown): error is APIError {
  return error instanceof Error && "apiMessage" in error && "headers" in error;
}

function lostConnection({ address }: FailureContext): ModelFailure {
  const message = `The connection to the API at ${address} was lost in the middle of a reply. Check the network, then try again.`;
  return { reason: "api_unreachable", message, retryable: true };
}

/** The other side answers, but not as the Messages API does. */
function foreignAnswer({ address }: FailureContext): ModelFailure {
  const message = `The server at ${address} does not answer as the Messages API does. Check the base URL, then try again.`;
  return { reason: "api_unreachable", message, retryable: false };
}

/** Failures below HTTP: names, connections, certificates. */
function unreachable(error: unknown, { address }: FailureContext): ModelFailure {
  const code = causeCode(error);
  const message = `Cannot reach the API at ${address}${code ? ` (${code})` : ""}. Check the network and the base URL, then try again.`;
  return { reason: "api_unreachable", message, retryable: !/CERT|TLS|SSL|INVALID_URL/.test(code ?? "") };
}

/**
 * What the API said: an HTTP status, or an error event in a stream, which has a type and no status. Rules:
 * https://platform.claude.com/docs/en/api/errors; a 429 that does not say when to come again is no passing one. The
 * scripted server of the demo names its own errors `script_error`.
 */
function refusal(error: APIError, context: FailureContext): ModelFailure {
  const kind = kindOf(error);
  const failure: ModelFailure = {
    reason: "api_refused",
    message:
      String(error.type) === "script_error"
        ? `The scripted model cannot go on (${redact(error.apiMessage ?? error.message, context.key)}).`
        : `${sentenceOf(kind, error, context)}, then try again.`,
    ...pace(error, kind),
  };
  if (error.status !== undefined) failure.status = error.status;
  if (kind !== "unknown_model" && kind !== "passing" && kind !== "refused") failure.cause = kind;
  return failure;
}

function sentenceOf(kind: Kind, error: APIError, { address, model, key }: FailureContext): string {
  const said = redact(error.apiMessage ?? error.message, key);
  const sentences: Record<Kind, string> = {
    auth: `The API refused the key (${said}). Set another API key`,
    spend_limit: `The account's spending limit is reached (${said}). Raise it or add credit`,
    unknown_model: `The API at ${address} does not know “${model}” (${said}). Choose another model or base URL`,
    prompt_too_long: `The conversation is too long for ${model} (${said}). Start a new one or take a model with more context`,
    request_too_large: `The request is too large for the API (${said}). Leave out images and large files`,
    rate_limited: `The API's rate limit is reached (${said}). Wait a little`,
    overloaded: `The API is overloaded (${said}). Wait a little`,
    passing: `The API failed (${said}). Wait a little`,
    refused: `The API refused the request (${said}). Check the model and the settings`,
  };
  return sentences[kind];
}

const PASSING: ReadonlySet<Kind> = new Set(["rate_limited", "overloaded", "passing"]);

type Kind = NonNullable<ModelFailure["cause"]> | "unknown_model" | "passing" | "refused";

function kindOf(error: APIError): Kind {
  const { status, type } = error;
  const words = `${error.errorCode ?? ""} ${error.apiMessage ?? ""}`;
  if (status === 402 || type === "billing_error" || /spend_limit|credit balance/i.test(words)) return "spend_limit";
  if (status === 401 || status === 403 || type === "authentication_error" || type === "permission_error") return "auth";
  if (status === 404 || type === "not_found_error") return "unknown_model";
  if (status === 413) return "request_too_large";
  if (status === 429 || type === "rate_limit_error") return "rate_limited";
  if (status === 529 || type === "overloaded_error") return "overloaded";
  if (/prompt is too long|exceeds? (the )?context|context (window|length|limit)/i.test(words)) return "prompt_too_long";
  if (status === 408 || status === 409 || (status ?? 0) >= 500) return "passing";
  return status === undefined && type !== "invalid_request_error" ? "passing" : "refused";
}

/** Whether and when to ask again: `x-should-retry` decides where it is sent, then the kind and `retry-after`. */
function pace(error: APIError, kind: Kind): Pick<ModelFailure, "retryable" | "retryAfterMs"> {
  if (!PASSING.has(kind)) return { retryable: false };
  const header = (name: string) => error.headers?.get(name) ?? undefined;
  const retryAfterMs = afterMs(header("retry-after-ms"), header("retry-after"));
  const asked = { true: true, false: false }[header("x-should-retry") ?? ""];
  const retryable = asked ?? (kind !== "rate_limited" || retryAfterMs !== undefined || error.status === undefined);
  return retryAfterMs === undefined ? { retryable } : { retryable, retryAfterMs };
}

/** `retry-after` is seconds or a date. */
function afterMs(ms: string | undefined, secondsOrDate: string | undefined): number | undefined {
  const wait = ms === undefined ? Number(secondsOrDate ?? Number.NaN) * 1000 : Number(ms);
  if (Number.isFinite(wait)) return Math.max(0, wait);
  const date = Date.parse(secondsOrDate ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The first code in a chain of causes, which begins with “fetch failed”. */
function causeCode(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const code = errorCode(cause);
    if (code) return code;
  }
  return undefined;
}

/** One line of at most 300 characters: gateways answer with whole pages. */
function redact(said: string, key: string): string {
  const line = said
    .replaceAll(key || "\0", "…")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/\.$/, "");
  return line.length > 300 ? `${line.slice(0, 300)}…` : line || "without an explanation";
}
