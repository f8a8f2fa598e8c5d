/** What tells the webview of rows. */
export interface RowsPort<T> {
  /** In place of all that was sent before. */
  whole(rows: T[]): void;
  /** Rows that are new or changed, and ids of those that are gone. */
  changed(rows: T[], removed: string[]): void;
}

/** Tells the webview of rows as they change. */
export interface ChangedRows<T> {
  /** `first`: bytes of the first message to a webview that has nothing yet. */
  send(rows: readonly T[], first?: number): void;
  /** Forgets what was sent: the next rows are sent whole. */
  forget(): void;
}

/** Bytes (UTF-8) of the rows of one message; a message stays below 256 KB while no single row is larger than that. */
export const MESSAGE_BYTES = 192 * 1024;
/** The same of the first one of a long list: it holds what is seen first, and is there sooner. */
export const FIRST_BYTES = 48 * 1024;

/** Sends only rows that changed since the last time, in messages of a bounded size. A row is known by its id. */
export function changedRows<T extends { id: string }>(port: RowsPort<T>): ChangedRows<T> {
  let sent: ReadonlyMap<string, Sent<T>> | null = null;
  return {
    send(rows, first = MESSAGE_BYTES) {
      const before = sent;
      const now = new Map(rows.map((row) => [row.id, asSent(row, before?.get(row.id))]));
      sent = now;
      const changed = rows.filter(({ id }) => before?.get(id)?.text !== now.get(id)?.text);
      const parts = split(
        changed,
        ({ id }) => Buffer.byteLength(now.get(id)?.text ?? ""),
        before ? MESSAGE_BYTES : first,
      );
      if (!before) port.whole(parts.shift() ?? []);
      const removed = before ? [...before.keys()].filter((id) => !now.has(id)) : [];
      if (removed.length > 0) port.changed(parts.shift() ?? [], removed);
      for (const part of parts) port.changed(part, []);
    },
    forget: () => {
      sent = null;
    },
  };
}

/** A row as it was sent, and its JSON. */
interface Sent<T> {
  row: T;
  text: string;
}

/** The same object says the same: rows are made anew where they change. */
function asSent<T>(row: T, before: Sent<T> | undefined): Sent<T> {
  return before?.row === row ? before : { row, text: JSON.stringify(row) };
}

/** Neighbours together, as many as fit, `first` bytes in the first part; a row that is larger than that stands alone. */
function split<T>(rows: readonly T[], size: (row: T) => number, first: number): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const row of rows) {
    const needed = size(row) + 1;
    const last = parts.at(-1);
    if (last && needed <= room) {
      last.push(row);
      room -= needed;
    } else {
      room = (last ? MESSAGE_BYTES : first) - needed;
      parts.push([row]);
    }
  }
  return parts;
}
