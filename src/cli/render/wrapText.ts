import wrapAnsi from "wrap-ansi";
import { visibleText } from "./visibleText.ts";

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
  const parts = wrapAnsi(line, room, { hard: true, trim: false }).split("\n");
  return parts.map((part, i) => (i === 0 ? part : part.replace(/^ /, "")));
}
