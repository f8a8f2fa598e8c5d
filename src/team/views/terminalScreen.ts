import stringWidth from "string-width";
import type { ConversationItem, MemberRef } from "../../protocol/panel.ts";
import { type TranscriptRecord, textOf } from "../../protocol/transcript.ts";
import { addRecord, type Conversation, emptyConversation } from "./conversation.ts";
import type { People } from "./people.ts";
import { StreamedText } from "./streamedText.ts";
import { cut, headText, itemText, plainText } from "./terminalText.ts";

/** Whose terminal it is. `about`: what stands behind the name in the first line. */
export interface TerminalOwner {
  member: MemberRef;
  about: string;
  people: People;
  /** The project's folder, null where it is not known. */
  cwd: string | null;
}

/** What stands below the transcript: what the person types, and where the cursor is in it (in UTF-16 units). */
export interface TypedLine {
  text: string;
  cursor: number;
}

/** Forgets what the terminal shows, its scrollback included. */
const CLEAR = "\x1b[2J\x1b[3J\x1b[H";
/** Goes up so many rows and erases from there to the end. */
const eraseRows = (rows: number) => `${rows > 0 ? `\x1b[${rows}A` : ""}\r\x1b[J`;

/**
 * A member's terminal: the transcript as it grows, and one line below it with the line that is being written, the tool
 * that runs, or what the person types. Each method returns what has to be written to the terminal.
 */
export class TerminalScreen {
  private readonly owner: TerminalOwner;
  private readonly conversation: Conversation;
  private columns: number;
  private typed: TypedLine | null = { text: "", cursor: 0 };
  private stream = new StreamedText();
  /** Rows below the transcript that are written, but for the last. */
  private rowsAbove = 0;

  constructor(owner: TerminalOwner, columns: number) {
    this.owner = owner;
    this.conversation = emptyConversation(owner.cwd);
    this.columns = columns;
  }

  /** The next record of the transcript. */
  add(record: TranscriptRecord): string {
    const { stream } = this;
    const printed = record.kind === "reply" && stream.isReply(textOf(record.content));
    const before = printed ? stream.finish(this.width) : voided(stream, this.width);
    this.stream = new StreamedText();
    const updates = addRecord(this.conversation, record, this.owner.people);
    const shown = updates.filter(({ item }) => !(printed && item.type === "text" && !item.aside));
    return this.above(before + shown.map(({ item }) => finishedText(item, this.width)).join(""));
  }

  /** A piece of the reply that is being written; null: it is void or has become a record. */
  write(piece: string | null): string {
    if (piece === null) {
      this.stream.end();
      return "";
    }
    let before = "";
    if (this.stream.isOver) {
      before = voided(this.stream, this.width);
      this.stream = new StreamedText();
    }
    return this.above(before + this.stream.add(piece, this.width));
  }

  /** A sentence of our own, such as that a typed line could not be sent. */
  note(tone: "muted" | "error", text: string): string {
    const item: ConversationItem = { type: "note", at: 0, tone, text };
    this.conversation.items.push(item);
    return this.above(itemText(item, this.width));
  }

  /** What the person has typed so far; null: nobody is there any more who would read it. */
  type(line: TypedLine | null): string {
    this.typed = line;
    return this.above("");
  }

  /** A new width; the whole transcript is written anew. */
  resize(columns: number): string {
    this.columns = columns;
    const { member, about } = this.owner;
    const items = this.conversation.items.map((item) => finishedText(item, this.width)).join("");
    return `${CLEAR}${headText(member, about, this.width)}${items}${this.stream.again(this.width)}${this.bottom()}`;
  }

  /** One column is kept free, so that a full line never wraps by itself. */
  private get width(): number {
    return Math.max(this.columns - 1, 20);
  }

  private above(text: string): string {
    return `${eraseRows(this.rowsAbove)}${text}${this.bottom()}`;
  }

  private bottom(): string {
    const writes = this.typed?.text ? [] : this.stream.openRows(this.width);
    const rows =
      this.stream.isBetweenLines || writes.length === 0 ? [lastRow(this.typed, this.conversation, this.width)] : writes;
    this.rowsAbove = rows.length - 1;
    return rows.join("\r\n");
  }
}

/** What stands below the transcript while no reply is being written. */
function lastRow(typed: TypedLine | null, { items }: Conversation, width: number): string {
  if (typed?.text) return typedText(typed, width);
  const running = items.filter((item) => item.type === "tool" && item.state === "running");
  const last = running.at(-1);
  const more = running.length > 1 ? ` (+${running.length - 1})` : "";
  if (last) return itemText(last, width - more.length).trimEnd() + more;
  return typed ? "\x1b[2m›\x1b[0m " : "";
}

/** A tool that runs is shown below; it gets its line when it has ended. */
function finishedText(item: ConversationItem, width: number): string {
  return item.type === "tool" && item.state === "running" ? "" : itemText(item, width);
}

/** What ends a stream that did not become a reply. */
function voided(stream: StreamedText, width: number): string {
  if (stream.isReply("")) return "";
  const note: ConversationItem = { type: "note", at: 0, tone: "muted", text: "The reply starts again." };
  return stream.finish(width) + itemText(note, width);
}

/** The typed line, cut so that the cursor is seen, with the cursor at its place. */
function typedText({ text, cursor }: TypedLine, width: number): string {
  const room = width - 3;
  const before = [...plainText(text.slice(0, cursor))];
  const after = plainText(text.slice(cursor));
  while (stringWidth(before.join("")) > room) before.shift();
  const behind = cut(after, Math.max(room - stringWidth(before.join("")), 0));
  const head = `› ${before.join("")}`;
  return behind === "" ? head : `${head}\x1b7${behind}\x1b8`;
}
