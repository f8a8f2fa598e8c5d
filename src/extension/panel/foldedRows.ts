import { type ChangedRows, changedRows, FIRST_BYTES, MESSAGE_BYTES, type RowsPort } from "./changedRows.ts";

/** Rows of which the webview gets all only once they were opened there. */
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
    const rows = latest.map((row) => (folds && !opened.has(row.id) ? foldedOf(row) : row));
    changed.send(rows, folds ? FIRST_BYTES : MESSAGE_BYTES);
  };
  return {
    send(rows) {
      latest = rows;
      sendLatest();
    },
    open(id) {
      opened.add(id); // before its row, where the webview is quicker than the files
      if (latest.some((row) => row.id === id)) sendLatest();
    },
    forget() {
      latest = [];
      opened.clear();
      changed.forget();
    },
  };
}
