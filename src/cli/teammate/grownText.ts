/** So many characters at the front of a text say where it begins in another one. */
const PROBE = 200;

/** What a text of which only the end is kept has grown by; null: it is another one. */
export function grownBy(before: string, now: string): string | null {
  if (now.startsWith(before)) return now.slice(before.length);
  const at = now.length < PROBE ? -1 : before.indexOf(now.slice(0, PROBE));
  return at >= 0 && now.startsWith(before.slice(at)) ? now.slice(before.length - at) : null;
}
