/** Size of a task in the graph, in pixels. */
export const NODE = { width: 128, height: 58 } as const;

/** Pixels that a conversation and the matrix need at least, and the most conversations. */
const COLUMN = 280;
const MATRIX = 300;
const MOST = 4;

/** What fits side by side in `width` pixels: with many conversations the matrix goes first, then they go one by one. */
export function fitting(width: number, chosen: number | null): { columns: number; matrix: boolean } {
  const beside = Math.min(MOST, Math.floor((width - MATRIX) / COLUMN));
  const wanted = chosen ?? Math.max(1, beside);
  if (wanted <= beside) return { columns: wanted, matrix: true };
  return { columns: Math.max(1, Math.min(wanted, MOST, Math.floor(width / COLUMN))), matrix: false };
}
