import { cells } from "../../team/terminal/cells.ts";
import { cut } from "../../team/terminal/plainText.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visibleText.ts";
import { wrapPainted } from "./wrapText.ts";

/**
 * A column: `right` aligns numbers, `flexible` is cut with … when the line is too long. A name that other commands take is
 * never cut.
 */
export interface Column {
  title: string;
  right?: boolean;
  flexible?: boolean;
}

/** A cell: its text as it comes from a file, and what colours it. */
export type Cell = string | { text: string; paint: (text: string) => string };

const GAP = "  ";
const MIN_FLEXIBLE = 8;

/** Longer lines are hard to read. */
const WIDEST = 200;
/** Of a terminal that does not say how wide it is (0 columns). */
const USUAL = 80;

/** The width that is rendered for; undefined (no terminal): nothing is cut. */
export function usableWidth(columns: number | undefined): number {
  return columns === undefined ? Number.POSITIVE_INFINITY : Math.min(WIDEST, columns || USUAL);
}

/**
 * Rows as aligned lines with a dim head, at most `width` cells wide. Where flexible columns cannot give way so far, each
 * row is a line of its first cell, and lines of the others with their titles below it.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  style: Style,
): string {
  const texts = rows.map((row) => row.map((cell) => visibleLine(typeof cell === "string" ? cell : cell.text)));
  const wanted = columns.map((column, i) => Math.max(cells(column.title), ...texts.map((row) => cells(row[i] ?? ""))));
  const widths = fit(columns, wanted, width);
  const painted = (text: string, r: number, i: number) => {
    const cell = rows[r]?.[i];
    return typeof cell === "object" ? cell.paint(text) : text;
  };
  if (widths === null) {
    const titles = columns.map((column) => style.dim(column.title));
    return texts
      .map((row, r) =>
        stacked(
          titles,
          row.map((text, i) => painted(text, r, i)),
          width,
        ),
      )
      .join("\n");
  }
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
  const body = texts.map((row, r) => line(row, (text, i) => painted(text, r, i)));
  return [head, ...body].join("\n");
}

/** A row that is too wide for a line. */
function stacked(titles: readonly string[], [head = "", ...others]: readonly string[], width: number): string {
  const lines: string[] = [];
  others.forEach((text, i) => {
    const part = `${titles[i + 1]} ${text}`;
    const last = lines.at(-1);
    if (last !== undefined && cells(last) + GAP.length + cells(part) <= width)
      lines.push(`${lines.pop()}${GAP}${part}`);
    else lines.push(GAP + part);
  });
  return [head, ...lines].map((line) => wrapPainted(line, width)).join("\n");
}

/** Takes what is too much from the flexible columns, the widest first. Null: they cannot give so much. */
function fit(columns: readonly Column[], wanted: readonly number[], width: number): number[] | null {
  const widths = [...wanted];
  let excess = widths.reduce((sum, value) => sum + value + GAP.length, -GAP.length) - width;
  while (excess > 0) {
    const widest = columns.reduce((best, column, i) => {
      const room = column.flexible && (widths[i] ?? 0) > MIN_FLEXIBLE;
      return room && (best < 0 || (widths[i] ?? 0) > (widths[best] ?? 0)) ? i : best;
    }, -1);
    if (widest < 0) return null;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
