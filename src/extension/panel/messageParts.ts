import type { HostMessage, MessagePart } from "../../protocol/panelMessages.ts";

/** Bytes of UTF-8 that a message to the webview may have as JSON, its envelope besides. */
const MAX_BYTES = 250_000;
/** Characters of a part: three bytes at most for each, in the JSON that the text becomes once more. */
const PART_CHARACTERS = 80_000;

/** What is posted for a message: itself, or parts below 256 KB in which the webview puts it together again. */
export function messageParts(message: HostMessage): (HostMessage | MessagePart)[] {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) <= MAX_BYTES) return [message];
  const count = Math.ceil(text.length / PART_CHARACTERS);
  return Array.from({ length: count }, (_, index) => ({
    type: "part",
    index,
    count,
    text: text.slice(index * PART_CHARACTERS, (index + 1) * PART_CHARACTERS),
  }));
}
