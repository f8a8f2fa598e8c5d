import type { TranscriptRecord } from "../../protocol/transcript.ts";
import { wrap } from "../terminal/cells.ts";
import type { Conversation } from "./conversation.ts";
import { itemText } from "./terminalText.ts";

/** A conversation, and what its member does at the moment: the calls that have no result yet, and what it waits for. */
export class OpenCalls {
  /** What the member waits for, a sentence of our own; null: for nothing. */
  wait: string | null = null;
  readonly conversation: Conversation;
  /** Places of the calls that have begun to run. */
  private readonly begun = new Set<number>();

  constructor(conversation: Conversation) {
    this.conversation = conversation;
  }

  /** The next record, which the conversation holds already. */
  take(record: TranscriptRecord): void {
    const at = record.kind === "tool_start" ? this.conversation.calls.get(record.toolUseId) : undefined;
    if (at !== undefined) this.begun.add(at);
  }

  /** The call that waits for a decision, or the last one that runs; no row where no call is open. */
  callRows(width: number): string[] {
    const open = this.conversation.items.flatMap((item, at) =>
      item.type === "tool" && item.state === "running" ? [{ item, at }] : [],
    );
    const asks = this.wait === null ? undefined : open.find(({ at }) => !this.begun.has(at));
    const shown = asks ?? open.at(-1);
    if (!shown) return [];
    const more = open.length > 1 ? ` (+${open.length - 1})` : "";
    return [itemText(shown.item, width - more.length).trimEnd() + more];
  }

  waitRows(width: number, say: (sentence: string) => string = (sentence) => sentence): string[] {
    if (this.wait === null) return [];
    const rows = wrap(say(this.wait), width - 2).split("\n");
    return rows.map((row) => `  \x1b[33m${row}\x1b[39m`);
  }
}
