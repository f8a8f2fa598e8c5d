/** The terminal's own colour that stands for a member's; none for the lead and the person. */
export function terminalColor(color: string | null): TerminalColor {
  return (color !== null && Object.hasOwn(COLORS, color) && COLORS[color]) || "reset";
}

export type TerminalColor =
  | "blue"
  | "green"
  | "yellow"
  | "magenta"
  | "redBright"
  | "magentaBright"
  | "cyan"
  | "red"
  | "reset";

/** Terminals know no orange and no pink: bright red and bright magenta are the nearest. */
const COLORS: Readonly<Record<string, TerminalColor>> = {
  blue: "blue",
  green: "green",
  yellow: "yellow",
  purple: "magenta",
  orange: "redBright",
  pink: "magentaBright",
  cyan: "cyan",
  red: "red",
};
