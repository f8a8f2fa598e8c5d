/** A file's text without its byte order mark, with its line ends as they are. */
export interface DecodedText {
  text: string;
  bom: boolean;
  /** Only UTF-8 can be written back; the others are for reading. */
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
}

const SAMPLE_BYTES = 8192;

/** Undefined: the bytes are no text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes.subarray(2), true, "utf-16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes.subarray(2), true, "utf-16be");
  if (isBinary(bytes)) return undefined;
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = bom ? bytes.subarray(3) : bytes;
  return isUtf8(body) ? decoded(body, bom, "utf-8") : decoded(bytes, false, "windows-1252");
}

/** The byte order mark, as a text of a file begins with it. */
export const BOM = "\uFEFF";

/** The line end that most lines of `text` have; `\n` where there is none. */
export function lineEndOf(text: string): "\r\n" | "\n" {
  const crlf = text.split("\r\n").length - 1;
  const all = text.split("\n").length - 1;
  return crlf * 2 > all ? "\r\n" : "\n";
}

/** `text` with every line end as `end`. */
export function withLineEnds(text: string, end: "\r\n" | "\n"): string {
  const unix = text.replaceAll("\r\n", "\n");
  return end === "\n" ? unix : unix.replaceAll("\n", "\r\n");
}

/** At most `max` UTF-16 units of `text`, never half of a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const splits = /[\uD800-\uDBFF]/.test(text[max - 1] ?? "");
  return text.slice(0, splits ? max - 1 : max);
}

/** Text has no NUL, and hardly any other control character but tab, line ends, form feed and escape. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.includes(0)) return true;
  const controls = sample.filter((byte) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)).length;
  return controls > sample.length / 20;
}

function decoded(bytes: Uint8Array, bom: boolean, encoding: DecodedText["encoding"]): DecodedText {
  return { text: new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes), bom, encoding };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
