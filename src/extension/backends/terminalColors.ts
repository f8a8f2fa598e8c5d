import * as vscode from "vscode";

/** Only these colours may be a terminal's. */
const COLORS: Readonly<Record<string, string>> = {
  blue: "terminal.ansiBlue",
  green: "terminal.ansiGreen",
  yellow: "terminal.ansiYellow",
  purple: "terminal.ansiMagenta",
  orange: "terminal.ansiBrightRed",
  pink: "terminal.ansiBrightMagenta",
  cyan: "terminal.ansiCyan",
  red: "terminal.ansiRed",
};

/** The colour of a member's terminal; undefined where it has none. */
export function terminalColor(color: string | null): vscode.ThemeColor | undefined {
  const id = color !== null && Object.hasOwn(COLORS, color) ? COLORS[color] : undefined;
  return id === undefined ? undefined : new vscode.ThemeColor(id);
}
