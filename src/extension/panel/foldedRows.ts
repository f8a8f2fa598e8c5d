import { type ChangedRows, changedRows, type RowsPort } from "./changedRows.ts";

/** Rows of which the webview gets all only while they are open there. */
export interface FoldedRows<T> extends ChangedRows<T> {
  /** The webview shows all of this row from now on. */
  open(id: string): void;
}

/**
 * Nothing was sent yet, and nothing is open. `fold`: what is sent of a row that is closed, which may be all of it; it
 * depends on the row alone. `mayFold`: whether that goes for such rows at all.
 */
export function foldedRows<T extends { id: string }>(
  port: RowsPort<T>,
  fold: (row: T) => T,
  mayFold: (rows: readonly T[]) => boolean = () => true,
): FoldedRows<T> {
  const opened = new Set<string>();
  const folded = new WeakMap<T, T>();
  let latest: readonly T[] = [];
  const changed = changedRows<T>(port);
  /** Of the same row the same object, so that it is known not to have changed. */
  const foldedOf = (row: T): T => {
    const known = folded.get(row) ?? fold(row);
    folded.set(row, known);
    return known;
  };
  const sendLatest = () => {
    const folds = mayFold(latest);
    changed.send(latest.map((row) => (folds && !opened.has(row.id) ? foldedOf(row) : row)));
  };
  return {
    send(rows) {
      latest = rows;
      sendLatest();
    },
    open(id) {
      if (!latest.some((row) => row.id === id)) return;
      opened.add(id);
      sendLatest();
    },
    forget() {
      latest = [];
      opened.clear();
      changed.forget();
    },
  };
}
