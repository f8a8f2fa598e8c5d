import stringWidth from "string-width";
import type { ConversationItem, MemberRef } from "../protocol/panel.ts";
import { type TranscriptRecord, textOf } from "../protocol/transcript.ts";
import { addRecord, type Conversation, emptyConversation } from "./conversation.ts";
import type { People } from "./people.ts";
import { cut, headText, itemText, plainText, splitStream } from "./terminalText.ts";

/** What stands below the transcript: what the person types, and where the cursor is in it (in UTF-16 units). */
export interface TypedLine {
  text: string;
  cursor: number;
}

/** Forgets what the terminal shows, its scrollback included. */
const CLEAR = "\x1b[2J\x1b[3J\x1b[H";
const ERASE_LINE = "\r\x1b[2K";

/**
 * A member's terminal: the transcript as it grows, and one line below it with the line that is being written, the tool
 * that runs, or what the person types. Each method returns what has to be written to the terminal.
 */
export class TerminalScreen {
  private readonly member: MemberRef;
  private readonly about: string;
  private readonly people: People;
  private readonly conversation: Conversation = emptyConversation();
  private columns: number;
  private typed: TypedLine = { text: "", cursor: 0 };
  /** Text of the reply that is being written; `rest` is the part that is not printed yet. */
  private stream: { all: string; rest: string; ended: boolean } | null = null;

  constructor(member: MemberRef, about: string, people: People, columns: number) {
    this.member = member;
    this.about = about;
    this.people = people;
    this.columns = columns;
  }

  /** The next record of the transcript. */
  add(record: TranscriptRecord): string {
    const streamed = record.kind === "reply" ? this.takeStream(textOf(record.content)) : this.voidStream();
    const updates = addRecord(this.conversation, record, this.people);
    const shown = updates.filter(({ item }) => !(streamed.whole && item.type === "text"));
    return this.above(streamed.text + shown.map(({ item }) => this.finishedText(item)).join(""));
  }

  /** A piece of the reply that is being written; null: it is void or has become a record. */
  write(piece: string | null): string {
    if (piece === null) {
      if (this.stream) this.stream.ended = true;
      return "";
    }
    const before = this.stream?.ended ? this.voidStream().text : "";
    const clean = plainText(piece);
    const { lines, rest } = splitStream((this.stream?.rest ?? "") + clean, this.width);
    this.stream = { all: (this.stream?.all ?? "") + clean, rest, ended: false };
    return this.above(before + lines);
  }

  /** A sentence of our own, such as that a typed line could not be sent. */
  note(tone: "muted" | "error", text: string): string {
    const item: ConversationItem = { type: "note", at: 0, tone, text };
    this.conversation.items.push(item);
    return this.above(this.finishedText(item));
  }

  /** What the person has typed so far. */
  type(line: TypedLine): string {
    this.typed = line;
    return `${ERASE_LINE}${this.bottom()}`;
  }

  /** A new width; the whole transcript is written anew. */
  resize(columns: number): string {
    this.columns = columns;
    const items = this.conversation.items.map((item) => this.finishedText(item)).join("");
    const stream = this.stream ? splitStream(this.stream.all, this.width) : { lines: "", rest: "" };
    if (this.stream) this.stream.rest = stream.rest;
    return `${CLEAR}${headText(this.member, this.about, this.width)}${items}${stream.lines}${this.bottom()}`;
  }

  /** One column is kept free, so that a full line never wraps by itself. */
  private get width(): number {
    return Math.max(this.columns - 1, 20);
  }

  private above(text: string): string {
    return `${ERASE_LINE}${text}${this.bottom()}`;
  }

  /** A tool that runs is shown below; it gets its line when it has ended. */
  private finishedText(item: ConversationItem): string {
    return item.type === "tool" && item.state === "running" ? "" : itemText(item, this.width);
  }

  /** Ends the stream with a reply: `whole` where it has been printed already. */
  private takeStream(text: string): { text: string; whole: boolean } {
    const stream = this.stream;
    if (!stream || squeeze(stream.all) !== squeeze(plainText(text))) return this.voidStream();
    this.stream = null;
    return { text: stream.rest === "" ? "" : `${stream.rest.trimEnd()}\r\n`, whole: true };
  }

  private voidStream(): { text: string; whole: boolean } {
    const stream = this.stream;
    this.stream = null;
    if (!stream || stream.all === "") return { text: "", whole: false };
    const note: ConversationItem = { type: "note", at: 0, tone: "muted", text: "The reply starts again." };
    return { text: `${stream.rest.trimEnd()}\r\n${itemText(note, this.width)}`, whole: false };
  }

  private bottom(): string {
    if (this.typed.text !== "") return typedText(this.typed, this.width);
    if (this.stream && this.stream.rest !== "") return this.stream.rest;
    const running = this.conversation.items.filter((item) => item.type === "tool" && item.state === "running");
    const last = running.at(-1);
    const more = running.length > 1 ? ` (+${running.length - 1})` : "";
    return last ? itemText(last, this.width - more.length).trimEnd() + more : "\x1b[2m›\x1b[0m ";
  }
}

/** Two texts that differ only in blanks are the same text: wrapping changes blanks. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
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
