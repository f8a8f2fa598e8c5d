import { styleText } from "node:util";
import { terminalColor } from "../../team/terminal/terminalColor.ts";

/** Colours a text where colours are wanted; `member`: the colour that a team gave a member. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  member(text: string, color: string | null): string;
}

type Format = Parameters<typeof styleText>[0];

/** A style with colours, or one that leaves texts as they are. */
export function makeStyle(colors: boolean): Style {
  const paint = (format: Format) => (text: string) =>
    colors && text !== "" ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    good: paint("green"),
    bad: paint("red"),
    warn: paint("yellow"),
    member: (text, color) => paint(["bold", terminalColor(color)])(text),
  };
}
