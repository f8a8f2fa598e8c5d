import wrapAnsi from "wrap-ansi";
import { visibleText } from "./visibleText.ts";

/** A text from outside, made visible, wrapped to `width` cells and indented. Infinite width: lines as they are. */
export function wrapText(text: string, width: number, indent: string): string {
  const shown = visibleText(text);
  const room = width - indent.length;
  const wrapped = Number.isFinite(room) ? wrapAnsi(shown, room, { hard: true, trim: false }) : shown;
  return wrapped
    .split("\n")
    .map((line) => `${indent}${line}`.trimEnd())
    .join("\n");
}
