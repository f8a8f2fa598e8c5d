import { cells } from "../../team/views/cells.ts";
import { cut } from "../../team/views/terminalText.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visibleText.ts";

/** A column: `right` aligns numbers, `flexible` is cut with … when the line is too long. */
export interface Column {
  title: string;
  right?: boolean;
  flexible?: boolean;
}

/** A cell: its text as it comes from a file, and what colours it. */
export type Cell = string | { text: string; paint: (text: string) => string };

const GAP = "  ";
const MIN_FLEXIBLE = 8;

/** A little less than tmux leaves the lead in 80 columns, which has 30 % of them beside its teammates. */
const NARROWEST = 20;

/** Bounds of the width that is rendered for; undefined (no terminal): nothing is cut. */
export function usableWidth(columns: number | undefined): number {
  return columns === undefined ? Number.POSITIVE_INFINITY : Math.min(200, Math.max(NARROWEST, columns));
}

/** Rows as aligned lines with a dim head, at most `width` cells wide as far as flexible columns can give way. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  style: Style,
): string {
  const texts = rows.map((row) => row.map((cell) => visibleLine(typeof cell === "string" ? cell : cell.text)));
  const wanted = columns.map((column, i) => Math.max(cells(column.title), ...texts.map((row) => cells(row[i] ?? ""))));
  const widths = fit(columns, wanted, width);
  const line = (row: readonly string[], paint: (text: string, i: number) => string) =>
    row
      .map((text, i) => {
        const shown = cut(text, widths[i] ?? 0);
        const blanks = " ".repeat(Math.max(0, (widths[i] ?? 0) - cells(shown)));
        const last = i === row.length - 1;
        return columns[i]?.right ? `${blanks}${paint(shown, i)}` : `${paint(shown, i)}${last ? "" : blanks}`;
      })
      .join(GAP)
      .trimEnd();
  const head = line(
    columns.map((column) => column.title),
    (text) => style.dim(text),
  );
  const body = texts.map((row, r) =>
    line(row, (text, i) => {
      const cell = rows[r]?.[i];
      return typeof cell === "object" ? cell.paint(text) : text;
    }),
  );
  return [head, ...body].join("\n");
}

/** Takes what is too much from the flexible columns, the widest first. */
function fit(columns: readonly Column[], wanted: readonly number[], width: number): number[] {
  const widths = [...wanted];
  let excess = widths.reduce((sum, value) => sum + value + GAP.length, -GAP.length) - width;
  while (excess > 0) {
    const widest = columns.reduce((best, column, i) => {
      const room = column.flexible && (widths[i] ?? 0) > MIN_FLEXIBLE;
      return room && (best < 0 || (widths[i] ?? 0) > (widths[best] ?? 0)) ? i : best;
    }, -1);
    if (widest < 0) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
