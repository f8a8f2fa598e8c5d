/** What a text can lead to: a task, or a line of a file. */
export type Place = { kind: "task"; id: string } | { kind: "file"; path: string; line: number };

const TASK = "#[1-9]\\d{0,6}(?![\\w-])";
const NAME = "[\\p{L}\\p{N}_@.+-]+";
/** With an extension that begins with a letter, and no host: those have a port behind them. */
const FILE = `(?:[A-Za-z]:)?(?:[\\\\/]|\\.{1,2}[\\\\/])?(?:${NAME}[\\\\/])*${NAME}(?<!\\.(?:com|org|net|io|test|local))\\.[A-Za-z]\\w{0,9}(?<!\\.(?:com|org|net|io|test|local)):[1-9]\\d{0,6}(?::\\d{1,5})?(?![\\w/])`;

/** A place at the beginning of a text. */
export const PLACE = new RegExp(`^(?:${TASK}|${FILE})`, "u");
/** Where in a text a place may begin. */
export const PLACE_START = new RegExp(`(?<![\\p{L}\\p{N}_&#/:@.\\\\-])(?:${TASK}|${FILE})`, "u");

/** Whether the whole text is a place. */
export function isPlace(text: string): boolean {
  return PLACE.exec(text)?.[0] === text;
}

/** Reads a place; null where the text is none. */
export function placeOf(text: string): Place | null {
  if (!isPlace(text)) return null;
  if (text.startsWith("#")) return { kind: "task", id: text.slice(1) };
  const parts = /^(.*?):(\d+)(?::\d+)?$/u.exec(text.replace(/^([A-Za-z]):/, "$1\u0000"));
  if (!parts) return null;
  return { kind: "file", path: (parts[1] ?? "").replace("\u0000", ":"), line: Number(parts[2]) };
}
