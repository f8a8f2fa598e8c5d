import { cells, wrap } from "../../team/terminal/cells.ts";
import { visibleText } from "./visibleText.ts";

const HANGING = "  ";

/**
 * A text from outside, made visible, wrapped to `width` cells and indented. Infinite width: lines as they are. What is
 * at the front of a line stays; the blank at which a line is broken goes.
 */
export function wrapText(text: string, width: number, indent: string): string {
  return wrapBehind(text, width, indent, () => "");
}

/** As `wrapText`, for prose: an item of a list, and a line with blanks at its front, go on below their first word. */
export function wrapProse(text: string, width: number, indent: string): string {
  const deepest = (width - indent.length) / 3;
  return wrapBehind(text, width, indent, (line) => {
    const front = /^ *(?:(?:[-*+\u2022]|\d{1,3}[.)]) +)?/.exec(line)?.[0] ?? "";
    return front.length > deepest ? "" : front;
  });
}

/** `frontOf`: what stands at the front of a line, behind which its next rows are indented too; ASCII. */
function wrapBehind(text: string, width: number, indent: string, frontOf: (line: string) => string): string {
  const room = width - indent.length;
  const rowsOf = (line: string) => {
    if (!Number.isFinite(room)) return [line];
    const front = frontOf(line);
    const rows = brokenLine(line.slice(front.length), room - front.length);
    return rows.map((row, i) => (i === 0 ? front : " ".repeat(front.length)) + row);
  };
  return visibleText(text)
    .split("\n")
    .flatMap(rowsOf)
    .map((row) => `${indent}${row}`.trimEnd())
    .join("\n");
}

function brokenLine(line: string, room: number): string[] {
  const parts = wrap(line, room, { trim: false }).split("\n");
  return parts.map((part, i) => (i === 0 ? part : part.replace(/^ /, "")));
}

/** Lines of ours, colours and all: where one is wider than `width` cells, its words go on in the next one, indented by two more. */
export function wrapPainted(text: string, width: number): string {
  if (!Number.isFinite(width)) return text;
  const lines = text.split("\n").map((line) => {
    if (cells(line) <= width) return line;
    const indent = /^ {0,6}/.exec(line)?.[0] ?? "";
    const hanging = indent + HANGING;
    return indent + wrap(line.slice(indent.length), width - hanging.length).replaceAll("\n", `\n${hanging}`);
  });
  return lines.join("\n");
}
