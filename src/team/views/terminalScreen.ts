import { PERSON_NAME } from "../../protocol/names.ts";
import type { ConversationItem, MemberRef } from "../../protocol/panel.ts";
import { type ReplyBlock, type TranscriptRecord, textOf } from "../../protocol/transcript.ts";
import { clipped } from "../terminal/cells.ts";
import { addRecord, emptyConversation } from "./conversation.ts";
import { OpenCalls } from "./openCalls.ts";
import type { People } from "./people.ts";
import { PersonLines, type TypedLine } from "./personLines.ts";
import { StreamedText } from "./streamedText.ts";
import { headText, itemText } from "./terminalText.ts";
import { unwrapEntries } from "./unwrapEntries.ts";

/** Whose terminal it is. `about`: what stands behind the name in the first line. */
export interface TerminalOwner {
  member: MemberRef;
  about: string;
  /** What the keys do here, a sentence of our own; absent: none is read. */
  keys?: string;
  people: People;
  /** The project's folder, null where it is not known. */
  cwd: string | null;
  /** Our own sentences as the person reads them; absent: in English. */
  say?(sentence: string): string;
}

/** Forgets what the terminal shows, its scrollback included. */
const CLEAR = "\x1b[2J\x1b[3J\x1b[H";
/** Goes up so many rows and erases from there to the end. */
const eraseRows = (rows: number) => `${rows > 0 ? `\x1b[${rows}A` : ""}\r\x1b[J`;

/**
 * A member's terminal: the transcript as it grows, below it what the person entered and the member has not taken yet, the
 * line that is being written or the tool that runs, what the member waits for, and what the person types. Each method
 * returns what has to be written to the terminal.
 */
export class TerminalScreen {
  private readonly owner: TerminalOwner;
  private readonly calls: OpenCalls;
  /** One column is kept free, so that a full line never wraps by itself. */
  private width: number;
  private readonly person = new PersonLines();
  private stream = new StreamedText();
  /** Rows below the transcript that are written, but for the last. */
  private rowsAbove = 0;

  constructor(owner: TerminalOwner, columns: number) {
    this.owner = owner;
    this.calls = new OpenCalls(emptyConversation(owner.cwd));
    this.width = usableWidth(columns);
  }

  /** The next record of the transcript. */
  add(given: TranscriptRecord): string {
    const { stream } = this;
    const record = withStreamed(given, stream);
    const printed = record.kind === "reply" && stream.isReply(textOf(record.content));
    const isKept = printed || record.kind === "run_end";
    const before = isKept ? stream.finish(this.width) : voided(this.stream, this.width, this.owner);
    if (isKept && !printed && stream.text.trim() !== "")
      this.calls.conversation.items.push({ type: "text", at: 0, text: stream.text });
    this.stream = new StreamedText();
    const updates = addRecord(this.calls.conversation, record, this.owner.people);
    for (const words of personsWords(record)) this.person.take(words);
    this.calls.take(record);
    const shown = updates.filter(({ item }) => !(printed && item.type === "text" && !item.aside));
    return this.above(before + shown.map(({ item }) => finishedText(item, this.width, this.owner)).join(""));
  }

  /** A piece of the reply that is being written; null: it is void or has become a record. */
  write(piece: string | null): string {
    if (piece === null) {
      this.stream.end();
      return "";
    }
    let before = "";
    if (this.stream.isOver) {
      before = voided(this.stream, this.width, this.owner);
      this.stream = new StreamedText();
    }
    return this.above(before + this.stream.add(piece, this.width));
  }

  /** A sentence of our own, such as that a line that was entered (`refused`) could not be sent. */
  note(tone: "muted" | "error", text: string, refused?: string): string {
    if (refused !== undefined) this.person.take(refused);
    const item: ConversationItem = { type: "note", at: 0, tone, text };
    this.calls.conversation.items.push(item);
    return this.above(finishedText(item, this.width, this.owner));
  }

  /** A sentence that says that the member waits for a decision, and where that is made; null: it waits no more. */
  waits(sentence: string | null): string {
    if (sentence === this.calls.wait) return "";
    this.calls.wait = sentence;
    return this.above("");
  }

  /** What the person has typed so far; null: nobody is there any more who would read it. */
  type(line: TypedLine | null): string {
    this.person.typed = line;
    return this.above("");
  }

  /** A line that the person has entered: it stands below the transcript until that holds it. */
  enter(text: string): string {
    this.person.enter(text);
    return this.above("");
  }

  /** A new width; the whole transcript is written anew. */
  resize(columns: number): string {
    this.width = usableWidth(columns);
    const { member, about, keys } = this.owner;
    const head = headText(member, about, this.width) + (keys ? noteOf(keys, this.width, this.owner) : "");
    const items = this.calls.conversation.items.map((item) => finishedText(item, this.width, this.owner)).join("");
    return this.above(head + items + this.stream.again(this.width), CLEAR);
  }

  /** A text above the rows that stand below the transcript. `first` takes away what is shown of these, or of everything. */
  private above(text: string, first = eraseRows(this.rowsAbove)): string {
    const { person, stream, width, calls } = this;
    const writes = stream.isBetweenLines ? [] : stream.openRows(width);
    const rows = [
      ...person.waitingRows(width),
      ...(writes.length > 0 ? writes : calls.callRows(width)),
      ...calls.waitRows(width, this.owner.say),
      ...person.typedRows(width),
    ].map((row) => clipped(row, width));
    this.rowsAbove = Math.max(rows.length - 1, 0);
    return first + text + rows.join("\r\n");
  }
}

/** What the person said in this record, each message as it was written: words of a member may hold the same ones. */
function personsWords(record: TranscriptRecord): string[] {
  if (record.kind !== "input") return [];
  const text = textOf(record.content);
  if (record.origin === "person") return [text];
  return (unwrapEntries(text) ?? []).filter(({ from }) => from === PERSON_NAME).map((entry) => entry.text);
}

/** Never more than there is: what stands below the transcript is counted in rows, each of which must be one. */
function usableWidth(columns: number): number {
  return Math.max(columns - 1, 2);
}

/** Of a reply that was interrupted the transcript holds what was complete: here stands what was written of it. */
function withStreamed(record: TranscriptRecord, stream: StreamedText): TranscriptRecord {
  if (record.kind !== "reply" || !record.incomplete || stream.text.trim() === "") return record;
  const isThought = ({ type }: ReplyBlock) => type === "thinking" || type === "redacted_thinking";
  const calls = record.content.filter((block) => block.type !== "text" && !isThought(block));
  return { ...record, content: [...record.content.filter(isThought), { type: "text", text: stream.text }, ...calls] };
}

/** A tool that runs is shown below; it gets its line when it has ended. */
function finishedText(item: ConversationItem, width: number, { say }: TerminalOwner): string {
  return item.type === "tool" && item.state === "running" ? "" : itemText(item, width, say);
}

/** What ends a stream that did not become a reply. */
function voided(stream: StreamedText, width: number, owner: TerminalOwner): string {
  if (stream.isReply("")) return "";
  return stream.finish(width) + noteOf("The reply starts again.", width, owner);
}

function noteOf(text: string, width: number, { say }: TerminalOwner): string {
  return itemText({ type: "note", at: 0, tone: "muted", text }, width, say);
}
