import { styleText } from "node:util";
import { Lexer, type Token } from "marked";
import { cells, wrap } from "../terminal/cells.ts";

/** Markdown for a terminal, one line after the other: code fences reach over lines, everything else ends with its line. */
export interface TerminalMarkdown {
  /** The next line of the text (without its end) as rows of at most `columns` cells. */
  rows(line: string, columns: number): string[];
  /** The same for a line that is still being written: what it means for the lines after it does not count yet. */
  peek(line: string, columns: number): string[];
}

/** Lines longer than this are no prose: they stay as they are. */
const MAX_LENGTH = 8_000;

/** Begins a text. Its lines must hold no control characters: what is painted here is all that colours it. */
export function createTerminalMarkdown(): TerminalMarkdown {
  let fence: string | null = null;
  const peek = (line: string, columns: number) => (fence === null ? proseRows(line, columns) : codeRows(line, columns));
  return {
    peek,
    rows(line, columns) {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === null && mark) fence = mark;
      else if (fence !== null && mark?.startsWith(fence) && line.trim() === mark) fence = null;
      else return peek(line, columns);
      return wrapped(paint("dim", line.trim()), columns, "", "");
    },
  };
}

function codeRows(line: string, columns: number): string[] {
  return wrapped(paint("cyan", line), columns, "", "");
}

function proseRows(line: string, columns: number): string[] {
  if (line.length > MAX_LENGTH) return wrapped(line, columns, "", "");
  const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
  if (heading !== undefined) return wrapped(paint("bold", inline(heading)), columns, "", "");
  if (/^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/.test(line))
    return [paint("dim", "─".repeat(Math.min(Math.max(columns, 1), 40)))];
  const quote = /^ {0,3}>\s?(.*)$/.exec(line)?.[1];
  if (quote !== undefined) return wrapped(inline(quote), columns, paint("dim", "│ "), paint("dim", "│ "));
  const item = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line);
  if (!item) return indented(line, columns);
  const [, indent = "", number, box, text = ""] = item;
  const head = `${indent}${number ?? "•"} ${box === undefined ? "" : box === " " ? "☐ " : "☑ "}`;
  return wrapped(inline(text), columns, head, " ".repeat(cells(head)));
}

function indented(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  return wrapped(inline(line.slice(indent.length)), columns, indent, "");
}

/** Rows of at most `columns` cells, the first after `head`, the others after `hanging`. */
function wrapped(text: string, columns: number, head: string, hanging: string): string[] {
  const before = cells(head) < columns / 2 ? head : "";
  const after = cells(hanging) < columns / 2 ? hanging : "";
  const width = columns - Math.max(cells(before), cells(after));
  return wrap(text, width, { trim: !/^ /.test(text) })
    .split("\n")
    .map((row, at) => `${at === 0 ? before : after}${row}`.trimEnd());
}

function inline(text: string): string {
  return Lexer.lexInline(text).map(painted).join("");
}

function painted(token: Token): string {
  const inner = () => ("tokens" in token && token.tokens ? token.tokens.map(painted).join("") : textOf(token));
  switch (token.type) {
    case "strong":
      return paint("bold", inner());
    case "em":
      return paint("italic", inner());
    case "del":
      return paint("strikethrough", inner());
    case "codespan":
      return paint("cyan", textOf(token));
    case "link":
      return linkText(inner(), textOf(token), String(token["href"] ?? ""));
    case "escape":
      return textOf(token);
    default:
      return token.raw;
  }
}

/** What a link says and where it leads, so that nobody has to trust the first. */
function linkText(shown: string, text: string, href: string): string {
  const same = text === href || `mailto:${text}` === href;
  return same ? paint("underline", shown) : `${paint("underline", shown)} ${paint("dim", `(${href})`)}`;
}

function textOf(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

function paint(format: Parameters<typeof styleText>[0], text: string): string {
  return text === "" ? "" : styleText(format, text, { validateStream: false });
}
