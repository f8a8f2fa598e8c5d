import { styleText } from "node:util";
import type { ConversationItem, MemberRef } from "../../protocol/panel.ts";
import { cells, characters, wrap } from "../terminal/cells.ts";
import { cut, plainText } from "../terminal/plainText.ts";
import { terminalColor } from "../terminal/terminalColor.ts";
import { createTerminalMarkdown } from "./terminalMarkdown.ts";
import { isPathArgument, oneLine } from "./toolArgument.ts";

/** Puts a sentence of our own into the language that its reader chose. */
type Say = (sentence: string) => string;
const inEnglish: Say = (sentence) => sentence;

/**
 * Text of a conversation for a terminal of `columns` cells, in lines that end with CR LF. Nothing that a model or a
 * tool wrote can move the cursor or change a colour: their control sequences are left out. `say` puts our own sentences
 * into the reader's language.
 */
export function itemText(item: ConversationItem, columns: number, say: Say = inEnglish): string {
  switch (item.type) {
    case "input": {
      const text = item.ours ? say(item.text) : item.text;
      return `\r\n${inputHead(item, columns, say)}${block(plainText(text), columns, "  ")}\r\n`;
    }
    case "text":
      return item.aside ? noteText("dim", plainText(item.text), columns) : block(plainText(item.text), columns);
    case "tool":
      return terminalRows(toolRows(item, columns));
    case "note":
      return noteText(item.tone === "error" ? "red" : "dim", plainText(say(item.text)), columns);
  }
}

/** What the keys do in the terminal of a member, for its first lines. */
export function keysText({ displayName }: Pick<MemberRef, "displayName">): string {
  return `You write to ${oneLine(plainText(displayName), 80)} here: Enter sends, Esc or Ctrl-C interrupts.`;
}

/** The first line of a member's terminal. */
export function headText(member: MemberRef, about: string, columns: number): string {
  return behindName(paintName(member, inEnglish), ` ${plainText(about)}`, columns);
}

/** Rows as they are written: each ends its line. */
export function terminalRows(rows: readonly string[]): string {
  return rows.map((row) => `${row}\r\n`).join("");
}

/** What a tool is called with, in one line that fits into `columns` cells: of a path the end is kept, else the beginning. */
export function cutArgument(tool: string, argument: string, columns: number): string {
  if (!isPathArgument(tool) || cells(argument) <= columns || columns < 1) return cut(argument, columns);
  const segments = characters(argument);
  let used = 1;
  const leftOut = segments.findLastIndex((segment) => {
    used += cells(segment);
    return used > columns;
  });
  return `…${segments.slice(leftOut + 1).join("")}`;
}

/** A name in its member's colour. The person's is a word of ours. */
function paintName({ role, displayName, color }: MemberRef, say: Say): string {
  const name = role === "person" ? say(displayName) : displayName;
  return style(["bold", terminalColor(color)], cut(oneLine(plainText(name), 80), 40));
}

function inputHead(item: Extract<ConversationItem, { type: "input" }>, columns: number, say: Say): string {
  const from = item.from ? paintName(item.from, say) : style("bold", say(ORIGINS[item.origin]));
  return behindName(from, item.summary ? `: ${oneLine(plainText(item.summary), 200)}` : "", columns);
}

/** A name, whole, and behind it as much of a dim text as fits. */
function behindName(name: string, text: string, columns: number): string {
  const rows = wrap(name, columns).split("\n");
  const room = columns - cells(rows.at(-1) ?? "");
  return terminalRows([
    ...rows.slice(0, -1),
    `${rows.at(-1)}${room < LEAST_BEHIND ? "" : style("dim", cut(text, room))}`,
  ]);
}

/** Fewer cells of a text say nothing. */
const LEAST_BEHIND = 6;

/** Who speaks where no sender is named. */
const ORIGINS: Readonly<Record<Extract<ConversationItem, { type: "input" }>["origin"], string>> = {
  person: "you",
  prompt: "prompt",
  mail: "message",
  task: "task",
  digest: "team news",
  system: "muster",
};

/**
 * A call in one row. Why it failed stands behind it where all of it has room there, else below it: a sentence in as many
 * rows as it takes, the beginning of an output in one.
 */
function toolRows(item: ToolItem, columns: number): string[] {
  const end = toolEnd(item);
  const name = cut(oneLine(plainText(item.name), 40), columns - cells(`•  ${end}`));
  const argument = oneLine(plainText(item.argument), 400);
  const reason = item.state === "failed" ? oneLine(plainText(item.detail), 400) : "";
  const room = columns - cells(`• ${name}  ${end}`);
  const isBehind = cells(argument) + cells(reason) < room;
  const ended = isBehind && reason !== "" ? `${end} ${reason}` : end;
  const tone = item.state === "failed" ? "red" : "dim";
  const told = [style(tone, "•"), style("bold", name), cutArgument(item.name, argument, room), style(tone, ended)];
  const row = told.filter((part) => part !== "").join(" ");
  if (isBehind || reason === "") return [row];
  const isOutput = plainText(item.detail).trim().includes("\n");
  const below = isOutput ? [cut(reason, columns - 2)] : wrap(reason, columns - 2).split("\n");
  return [row, ...below.map((line) => style(tone, `  ${line}`))];
}

type ToolItem = Extract<ConversationItem, { type: "tool" }>;

function toolEnd(item: ToolItem): string {
  if (item.state === "running") return "…";
  const time = item.ms === null ? "" : ` ${toolTime(item.ms)}`;
  return item.state === "ok" ? `✓${time}` : `✗${time}`;
}

/** How long a tool took: `20 ms`, `6.1 s`, and from a minute on whole units, as the panel has them: `10 min`, `2 h`. */
function toolTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const [unit, length] = ms < 3_600_000 ? (["min", 60_000] as const) : (["h", 3_600_000] as const);
  return `${Math.floor(ms / length)} ${unit}`;
}

/** A sentence of our own: no Markdown, but it may name what somebody else wrote. */
function noteText(tone: "red" | "dim", text: string, columns: number): string {
  const rows = text.trimEnd().split("\n");
  const wrapped = rows.flatMap((row) => wrap(row, columns).split("\n"));
  return terminalRows(wrapped.map((row) => style(tone, row)));
}

/** A text with its Markdown painted. */
function block(text: string, columns: number, indent = ""): string {
  const markdown = createTerminalMarkdown();
  const lines = text.replace(/\s+$/, "").split("\n");
  const rows = lines.flatMap((line) => markdown.rows(line, columns - indent.length));
  return terminalRows(rows.map((row) => `${indent}${row}`.trimEnd()));
}

function style(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { validateStream: false });
}
