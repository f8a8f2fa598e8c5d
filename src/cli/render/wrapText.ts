import { cells, wrap } from "../../team/views/cells.ts";
import { visibleText } from "./visibleText.ts";

const HANGING = "  ";

/**
 * A text from outside, made visible, wrapped to `width` cells and indented. Infinite width: lines as they are. What is
 * at the front of a line stays; the blank at which a line is broken goes.
 */
export function wrapText(text: string, width: number, indent: string): string {
  const shown = visibleText(text);
  const room = width - indent.length;
  return shown
    .split("\n")
    .flatMap((line) => (Number.isFinite(room) ? brokenLine(line, room) : [line]))
    .map((line) => `${indent}${line}`.trimEnd())
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
