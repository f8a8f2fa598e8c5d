/** The candidate that `given` is most likely a slip of, letter case aside; null where none is near. */
export function nearestOf(given: string, candidates: readonly string[]): string | null {
  const [nearest] = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(given.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.candidate ?? null;
}

/**
 * Edits (insert, delete or replace a character, swap two neighbours) between two texts, row by row: Levenshtein's distance,
 * with a swap as one edit, which is the commonest slip of fingers.
 */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
