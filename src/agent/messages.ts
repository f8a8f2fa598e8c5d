import type {
  ImageBlock,
  ReplyBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
  TranscriptRecord,
} from "../protocol/transcript.ts";
import type { ModelMessage } from "./types.ts";

/** Results that stand in for those that a transcript lacks. */
export const MAY_HAVE_RUN = "Interrupted: this call may have run. Check what it did before you make it again.";
const DID_NOT_RUN = "Interrupted: this call did not run.";

/** Put where a request would otherwise hold two replies in a row, or end with one. */
const CONTINUE = "Continue from where you stopped.";
const HEAD_MISSING = "The beginning of this conversation is not kept.";
const WITHHELD = "The content of this message was left out, because the model declined to answer it.";
const NO_OUTPUT = "(no output)";

/**
 * What the Messages API is sent for a transcript: replay plus repair. Any records, also the first n of a transcript,
 * give a list that the API accepts, except that records without any content give an empty list.
 *
 * Repairs: a `tool_use` without a result gets an error result; results without their `tool_use` are dropped, of
 * several the first is kept; user content in a row becomes one message with the results first; blank text, unsigned
 * thinking and thinking at the end of a reply are dropped; a refused reply goes, together with what it refused.
 */
export function toMessages(records: readonly TranscriptRecord[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const turn of splitTurns(records)) {
    if (turn.refused) withholdLast(messages);
    const reply = turn.refused ? [] : cleanReply(turn.reply);
    if (reply.length > 0) {
      if (messages.length === 0) addUser(messages, [text(HEAD_MISSING)]);
      if (messages.at(-1)?.role === "assistant") addUser(messages, [text(CONTINUE)]);
      messages.push({ role: "assistant", content: reply });
    }
    addUser(messages, [...resultsFor(reply, turn), ...turn.inputs.filter(hasContent)]);
  }
  if (messages.at(-1)?.role === "assistant") addUser(messages, [text(CONTINUE)]);
  return messages;
}

/** A reply with all that was recorded until the next one; the first turn has no reply. */
interface Turn {
  reply: readonly ReplyBlock[];
  refused: boolean;
  inputs: (TextBlock | ImageBlock)[];
  started: Set<string>;
  results: Map<string, ToolResultBlock>;
}

function splitTurns(records: readonly TranscriptRecord[]): Turn[] {
  let turn = newTurn([], false);
  const turns = [turn];
  for (const record of records) {
    if (record.kind === "reply") {
      turn = newTurn(record.content, record.stopReason === "refusal");
      turns.push(turn);
    } else if (record.kind === "input") turn.inputs.push(...record.content);
    else if (record.kind === "tool_start") turn.started.add(record.toolUseId);
    else if (record.kind === "tool_result" && !turn.results.has(record.result.tool_use_id))
      turn.results.set(record.result.tool_use_id, record.result);
  }
  return turns;
}

function newTurn(reply: readonly ReplyBlock[], refused: boolean): Turn {
  return { reply, refused, inputs: [], started: new Set(), results: new Map() };
}

/** The API refuses blank text, thinking without its signature, thinking as a last block and an id used twice. */
function cleanReply(content: readonly ReplyBlock[]): ReplyBlock[] {
  const ids = new Set<string>();
  const kept = content.filter((block) => {
    if (block.type === "text") return hasContent(block);
    if (block.type === "thinking") return block.signature !== "";
    if (block.type !== "tool_use") return true;
    if (ids.has(block.id)) return false;
    ids.add(block.id);
    return true;
  });
  return kept.slice(0, kept.findLastIndex((block) => !block.type.endsWith("thinking")) + 1);
}

/** One result for each call of `reply`, in order of the calls. */
function resultsFor(reply: readonly ReplyBlock[], turn: Turn): ToolResultBlock[] {
  return reply
    .filter((block): block is ToolUseBlock => block.type === "tool_use")
    .map(({ id }) => {
      const result = turn.results.get(id);
      if (result) return cleanResult(result);
      return errorResult(id, turn.started.has(id) ? MAY_HAVE_RUN : DID_NOT_RUN);
    });
}

/** The API refuses blank text in a result, and anything but text in an error result. */
function cleanResult(result: ToolResultBlock): ToolResultBlock {
  if (typeof result.content === "string")
    return result.content.trim() === "" ? { ...result, content: NO_OUTPUT } : result;
  const content = result.content.filter((block) => hasContent(block) && (!result.is_error || block.type === "text"));
  return { ...result, content: content.length > 0 ? content : NO_OUTPUT };
}

function errorResult(toolUseId: string, content: string): ToolResultBlock {
  return { type: "tool_result", tool_use_id: toolUseId, content, is_error: true };
}

function addUser(messages: ModelMessage[], content: readonly unknown[]): void {
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === "user") last.content = [...last.content, ...content];
  else messages.push({ role: "user", content });
}

/** Sent again, what a model declined would be declined again, so only the pairs of its results stay. */
function withholdLast(messages: ModelMessage[]): void {
  const last = messages.at(-1);
  if (last?.role !== "user") return;
  const results = last.content.filter(isResult);
  last.content = [...results.map((result) => ({ ...result, content: WITHHELD })), text(WITHHELD)];
}

function isResult(block: unknown): block is ToolResultBlock {
  return typeof block === "object" && block !== null && "type" in block && block.type === "tool_result";
}

function hasContent(block: TextBlock | ImageBlock): boolean {
  return block.type !== "text" || block.text.trim() !== "";
}

function text(value: string): TextBlock {
  return { type: "text", text: value };
}
