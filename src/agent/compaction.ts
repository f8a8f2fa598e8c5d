import { AbortedError } from "../base/abort.ts";
import { type RecordOf, type TranscriptRecord, textOf, totalTokens, type Usage } from "../protocol/transcript.ts";
import { toMessages } from "./messages.ts";
import type { Model, ModelMessage, ModelOutcome, ModelRequest } from "./types.ts";

/** Keeps what is sent of a long transcript inside the model's context. The transcript itself is never changed. */
export interface Compactor {
  /**
   * The request for a transcript. `build` makes a request of messages; it may be called twice, and its first request
   * is sent for the summary when one is due. `contextWindow` in tokens. Rejects with AbortedError.
   */
  prepare(
    transcript: readonly TranscriptRecord[],
    contextWindow: number,
    parts: PrepareParts,
    signal: AbortSignal,
  ): Promise<ModelRequest>;
  /** The next request is made shorter whatever the estimate says: the API has found it too long. */
  demand(): void;
}

/** What a request is made with. `onSummary` is told what each summary cost, before anything else is asked. */
export interface PrepareParts {
  build: (messages: ModelMessage[]) => ModelRequest;
  onSummary?: (spent: { model: string; usage: Usage }) => Promise<void>;
}

const START_AT = 0.8;
/** The turns that stay as they are, at most this share of the context. */
const KEPT_TURNS = 10;
const KEPT_SHARE = 0.4;
const MAX_FAILURES = 3;
const SUMMARY_TOKENS = 8_000;
const CHARS_PER_TOKEN = 3.5;
const TOKENS_PER_IMAGE = 1_600;

const ASK = `The conversation is about to be shortened: everything above this message will be replaced by what you write now, and only the last few turns stay. Do not call a tool. Write the notes that you need to go on as if nothing had happened:
- what the goal is, in the words of whoever gave it, with every condition and every later correction;
- what is done: files that were made or changed, commands that matter and what came of them, decisions and their reasons;
- what is known about the code that was not obvious, with paths and names;
- what was said to whom and by whom, and what was promised;
- what is in hand now, and the next step.
Be exact with names, paths, numbers and error texts. Leave out what no longer matters.`;

const HEADER = "Earlier parts of this conversation were replaced by these notes, which you wrote:";

/** A summary stands for all records before `upTo`. `madeAt` is the transcript's length when it was made. */
interface Summary {
  upTo: number;
  madeAt: number;
  record: RecordOf<"input">;
}

/**
 * A compactor for one member, which keeps its last summary in memory. At 80 % of the context the older turns are
 * replaced by notes that the same model writes; the last ones stay whole. After three failures in a row it gives up,
 * and the request is sent as it is.
 */
export function createCompactor(model: Model): Compactor {
  let summary: Summary | undefined;
  let failures = 0;
  let demanded = false;

  const prepare: Compactor["prepare"] = async (transcript, contextWindow, parts, signal) => {
    const { build } = parts;
    const request = build(toMessages(shorten(transcript, summary)));
    const due =
      demanded ||
      sizeOf(transcript, summary, request) > Math.min(START_AT * contextWindow, contextWindow - request.maxTokens);
    if (!due || failures >= MAX_FAILURES) return request;
    const upTo = cutBefore(transcript, summary?.upTo ?? 0, KEPT_SHARE * contextWindow);
    if (upTo === undefined) return request;
    demanded = false;
    const old = shorten(transcript.slice(0, upTo), summary);
    const notes = await summarize(fitting(old, START_AT * contextWindow), parts, signal);
    failures = notes === undefined ? failures + 1 : 0;
    if (notes === undefined) return request;
    summary = { upTo, madeAt: transcript.length, record: noteRecord(notes, transcript[upTo]?.at ?? "") };
    return build(toMessages(shorten(transcript, summary)));
  };

  /** Undefined: there is no text to use. */
  async function summarize(
    messages: ModelMessage[],
    { build, onSummary }: PrepareParts,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { volatile: _, ...request } = build(withQuestion(messages));
    const outcome = await outcomeOf(
      model,
      { ...request, maxTokens: Math.min(request.maxTokens, SUMMARY_TOKENS) },
      signal,
    );
    if (outcome && outcome.kind !== "failed" && totalTokens(outcome.usage) > 0)
      await onSummary?.({ model: outcome.model, usage: outcome.usage });
    if (signal.aborted) throw new AbortedError();
    if (outcome?.kind !== "reply") return undefined;
    return textOf(outcome.content).trim() || undefined;
  }

  return {
    prepare,
    demand() {
      demanded = true;
    },
  };
}

function shorten(transcript: readonly TranscriptRecord[], summary: Summary | undefined): readonly TranscriptRecord[] {
  return summary ? [summary.record, ...transcript.slice(summary.upTo)] : transcript;
}

/** Tokens of the request: what the API counted for the last one, and an estimate of what came behind it. */
function sizeOf(transcript: readonly TranscriptRecord[], summary: Summary | undefined, request: ModelRequest): number {
  const last = transcript.findLastIndex(({ kind }) => kind === "reply");
  const reply = transcript[last];
  if (reply?.kind !== "reply" || last < (summary?.madeAt ?? 0) || totalTokens(reply.usage) === 0)
    return estimate(request.messages) + estimateOf([request.system, request.tools]);
  return totalTokens(reply.usage) + estimate(toMessages(transcript.slice(last + 1)));
}

/**
 * The index of the reply from which on everything stays: pairs are whole on both sides of it. The last turn always
 * stays. Undefined: there is nothing before it.
 */
function cutBefore(transcript: readonly TranscriptRecord[], from: number, room: number): number | undefined {
  const replies = transcript.flatMap(({ kind }, index) => (kind === "reply" && index > from ? [index] : []));
  const last = replies.slice(-KEPT_TURNS);
  return last.find((index) => estimate(toMessages(transcript.slice(index))) <= room) ?? last.at(-1);
}

/** The messages of these records without the oldest turns, where they would not fit into `room`. */
function fitting(records: readonly TranscriptRecord[], room: number): ModelMessage[] {
  for (let from = 0; ; ) {
    const messages = toMessages(records.slice(from));
    const next = records.findIndex(({ kind }, index) => kind === "reply" && index > from);
    if (next === -1 || estimate(messages) <= room) return messages;
    from = next;
  }
}

function withQuestion(messages: ModelMessage[]): ModelMessage[] {
  const question = { type: "text", text: ASK };
  const last = messages.at(-1);
  if (last?.role !== "user") return [...messages, { role: "user", content: [question] }];
  return [...messages.slice(0, -1), { role: "user", content: [...last.content, question] }];
}

async function outcomeOf(model: Model, request: ModelRequest, signal: AbortSignal): Promise<ModelOutcome | undefined> {
  for await (const event of model.stream(request, signal)) if (event.type === "finished") return event.outcome;
  return undefined;
}

function noteRecord(notes: string, at: string): RecordOf<"input"> {
  return { kind: "input", at, origin: "system", content: [{ type: "text", text: `${HEADER}\n\n${notes}` }] };
}

function estimate(messages: readonly ModelMessage[]): number {
  return messages.reduce(
    (sum, { content }) => sum + content.reduce<number>((part, block) => part + estimateOf(block), 0),
    0,
  );
}

/** Images cost by their size on the screen, not by their bytes. */
function estimateOf(value: unknown): number {
  let images = 0;
  const json = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || !("type" in inner) || inner.type !== "image") return inner;
    images += 1;
    return "";
  });
  return json.length / CHARS_PER_TOKEN + images * TOKENS_PER_IMAGE;
}
