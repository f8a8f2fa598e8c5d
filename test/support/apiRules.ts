import type { ModelMessage } from "../../src/agent/types.ts";

type Block = { type: string; [key: string]: unknown };

/** What the Messages API would refuse in a list of messages, as sentences; empty where it would take them. */
export function apiFaults(messages: readonly ModelMessage[]): string[] {
  const faults: string[] = [];
  if (messages[0]?.role !== "user") faults.push("the first message is not the user's");
  if (messages.at(-1)?.role !== "user") faults.push("the last message is not the user's");
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    const content = message.content as Block[];
    if (before?.role === message.role) faults.push(`messages ${index - 1} and ${index} are both the ${message.role}'s`);
    if (content.length === 0) faults.push(`message ${index} is empty`);
    for (const block of content) faults.push(...blockFaults(block, index));
    if (message.role === "assistant")
      faults.push(...replyFaults(content, messages[index + 1]?.content as Block[], index));
    else faults.push(...resultFaults(content, before?.content as Block[] | undefined, index));
  });
  return faults;
}

function blockFaults(block: Block, index: number): string[] {
  const faults: string[] = [];
  if (block.type === "text" && String(block.text).trim() === "") faults.push(`message ${index} has blank text`);
  if (block.type === "thinking" && !block.signature) faults.push(`message ${index} has unsigned thinking`);
  if (block.type === "tool_result" && block.is_error) {
    if (block.content === "" || (Array.isArray(block.content) && block.content.length === 0))
      faults.push(`message ${index} has an error result without text`);
    if (Array.isArray(block.content) && block.content.some(({ type }) => type !== "text"))
      faults.push(`message ${index} has an error result with more than text`);
  }
  if (block.type === "tool_result" && Array.isArray(block.content))
    for (const inner of block.content) faults.push(...blockFaults(inner, index));
  return faults;
}

function replyFaults(content: Block[], next: Block[] | undefined, index: number): string[] {
  const faults: string[] = [];
  const calls = content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  const answered = (next ?? []).filter(({ type }) => type === "tool_result").map((block) => block.tool_use_id);
  if (content.at(-1)?.type.endsWith("thinking")) faults.push(`message ${index} ends with thinking`);
  if (new Set(calls).size < calls.length) faults.push(`message ${index} uses an id twice`);
  for (const id of calls)
    if (!answered.includes(id)) faults.push(`call ${String(id)} has no result in the next message`);
  return faults;
}

function resultFaults(content: Block[], before: Block[] | undefined, index: number): string[] {
  const faults: string[] = [];
  const calls = (before ?? []).filter(({ type }) => type === "tool_use").map(({ id }) => id);
  const results = content.filter(({ type }) => type === "tool_result");
  const ids = results.map((block) => block.tool_use_id);
  if (content.slice(0, results.length).some(({ type }) => type !== "tool_result"))
    faults.push(`message ${index} has results behind other content`);
  if (new Set(ids).size < ids.length) faults.push(`message ${index} has two results of one call`);
  for (const id of ids)
    if (!calls.includes(id)) faults.push(`result ${String(id)} in message ${index} has no call before it`);
  return faults;
}
