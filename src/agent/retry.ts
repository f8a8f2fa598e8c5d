import { isAborted } from "../base/abort.ts";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import { ZERO_USAGE } from "../protocol/transcript.ts";
import type { RequestLimiter } from "./requestLimiter.ts";
import type { Model, ModelEvent, ModelFailure, ModelOutcome, ModelRequest } from "./types.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const MAX_TRIES = 8;
/** Waits of one request together. A longer `retryAfterMs` fails at once: the person knows more than a silent wait. */
const MAX_TOTAL_WAIT_MS = 600_000;
/** Tries of an address that never answered: a wrong one is to be told soon. */
const TRIES_BEFORE_FIRST_CONTACT = 3;

/** `random` gives a number in [0, 1). */
export interface RetryPorts {
  clock: Clock;
  random: () => number;
  limiter?: RequestLimiter;
  /** Somebody has written to the member meanwhile: a wait between tries ends, but for what the API asked for. */
  onHurry?: (listener: () => void) => Disposable;
  /** What is known of the API; the models of one API share it. */
  contact?: ApiContact;
}

/** `made`: the API has answered. `closedUntil`: when it takes requests again, by what it said itself (`retry-after`), in ms. */
export interface ApiContact {
  made: boolean;
  closedUntil: number;
}

/** Of an API that nobody has asked yet. */
export function newContact(): ApiContact {
  return { made: false, closedUntil: 0 };
}

/**
 * A model that asks again after failures that pass: exponential waits with full jitter, at least what the API asked
 * for. A reply that was cut is void and asked for again, so this belongs around the stream and never around a tool.
 * A slot of `limiter` is held while a request is open, not while waiting. What the API asks one model to wait, all that
 * share its contact wait. An abort ends every wait at once.
 */
export function withRetry(model: Model, ports: RetryPorts): Model {
  const contact = ports.contact ?? newContact();
  return { stream: (request, signal) => streamWithRetry(model, ports, contact, request, signal) };
}

async function* streamWithRetry(
  model: Model,
  ports: RetryPorts,
  contact: ApiContact,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let waited = 0;
  let again = false;
  try {
    for (let attempt = 1; ; attempt++) {
      const outcome = yield* streamOnce(model, { ...ports, contact }, request, { again, signal });
      again = true;
      const failure = failureOf(outcome);
      contact.made ||= failure?.reason !== "api_unreachable";
      const tries = contact.made ? MAX_TRIES : TRIES_BEFORE_FIRST_CONTACT;
      const delayMs = failure ? waitBefore(attempt, failure, ports.random) : 0;
      if (!failure?.retryable || attempt >= tries || waited + delayMs > MAX_TOTAL_WAIT_MS) {
        yield { type: "finished", outcome };
        return;
      }
      contact.closedUntil = Math.max(contact.closedUntil, ports.clock.now() + (failure.retryAfterMs ?? 0));
      yield { type: "retrying", attempt, delayMs, failure };
      if (await isCutShort(ports, delayMs, signal)) attempt -= 1;
      else waited += delayMs;
    }
  } catch (error) {
    if (!signal.aborted || !isAborted(error)) throw error;
    yield { type: "finished", outcome: { kind: "aborted", content: [], usage: ZERO_USAGE, model: request.model } };
  }
}

/** Waits between two tries. Resolves to whether a message ended the wait: then the next try is one more than were to be made. */
async function isCutShort({ clock, onHurry }: RetryPorts, delayMs: number, signal: AbortSignal): Promise<boolean> {
  const hurry = new AbortController();
  const subscription = onHurry?.(() => hurry.abort());
  try {
    await clock.sleep(delayMs, AbortSignal.any([signal, hurry.signal]));
    return false;
  } catch (error) {
    if (signal.aborted || !isAborted(error)) throw error;
    return true;
  } finally {
    subscription?.dispose();
  }
}

type SharedPorts = RetryPorts & { contact: ApiContact };

/** Waits until the API takes requests and there is a slot; gives the slot back while it waits. */
async function* openSlot(
  { clock, limiter, contact }: SharedPorts,
  { again, signal }: TryOptions,
): AsyncGenerator<ModelEvent, Slot> {
  let hasWaited = again;
  for (;;) {
    const until = contact.closedUntil;
    if (until > clock.now()) {
      hasWaited = true;
      yield { type: "closed", until };
      await clock.sleep(until - clock.now(), signal);
    }
    const release = await limiter?.acquire(signal);
    if (contact.closedUntil > clock.now()) {
      release?.(); // closed while it waited for the slot
      continue;
    }
    return { release, hasWaited };
  }
}

interface Slot {
  release: (() => void) | undefined;
  hasWaited: boolean;
}

/** `again`: it is not the first try. */
interface TryOptions {
  again: boolean;
  signal: AbortSignal;
}

/** Passes the parts of one stream on, all but the last, which it returns. */
async function* streamOnce(
  model: Model,
  ports: SharedPorts,
  request: ModelRequest,
  options: TryOptions,
): AsyncGenerator<ModelEvent, ModelOutcome> {
  const { release, hasWaited } = yield* openSlot(ports, options);
  try {
    if (hasWaited) yield { type: "asking" };
    for await (const event of model.stream(request, options.signal)) {
      if (event.type === "finished") return event.outcome;
      yield event;
    }
  } finally {
    release?.();
  }
  throw new Error("A model's stream ended without its outcome.");
}

function failureOf(outcome: ModelOutcome): ModelFailure | undefined {
  return outcome.kind === "failed" || outcome.kind === "cut" ? outcome.failure : undefined;
}

function waitBefore(attempt: number, { retryAfterMs = 0 }: ModelFailure, random: () => number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return Math.round(retryAfterMs + random() * longest);
}
