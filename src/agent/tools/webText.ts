import { failTool } from "./filePaths.ts";
import { decodeText, isBinary } from "./textFile.ts";
import type { WebAnswer } from "./webConnection.ts";

/** A page as text. `type`: of its content, without parameters. `notes`: what the reader has to know of how it was read. */
export interface WebText {
  text: string;
  type: string;
  notes: string[];
}

/** Where HTML names its own encoding. */
const HEAD_BYTES = 1024;

/** The text of an answer; HTML as readable text. Throws a sentence for the model where it is no text. */
export async function webText({ url, type: given, body, cut }: WebAnswer): Promise<WebText> {
  const type = (given.split(";")[0] ?? "").trim().toLowerCase();
  if (!isTextType(type)) failTool(`${url} is no text but ${type} (${body.length} bytes${cut ? " and more" : ""}).`);
  const notes = cut ? [`The page is longer; only its first ${body.length} bytes were read.`] : [];
  const decoded = decode(body, charsetOf(given, type, body), notes);
  if (decoded === undefined) failTool(`${url} is binary (${body.length} bytes), so there is no text to read.`);
  if (!isHtml(type, decoded)) return { text: decoded, type, notes };
  const { htmlText } = await import("./htmlText.ts"); // the converter is loaded with the first page
  const { text, whole } = htmlText(decoded, url);
  if (!whole) notes.push("The page's elements lie too deep inside each other; the rest is left out.");
  return { text, type, notes };
}

/** Types that are text; a server that names none, or none in particular, is judged by the bytes. */
function isTextType(type: string): boolean {
  if (type === "" || type === "application/octet-stream" || type.startsWith("text/")) return true;
  if (/[+/](json|xml|yaml|toml|javascript|ecmascript|typescript|x-ndjson|jsonl|sql|graphql)$/.test(type)) return true;
  return /^application\/(x-(yaml|toml|sh|javascript|www-form-urlencoded|httpd-php|tex)|rtf|xhtml\+xml)$/.test(type);
}

function isHtml(type: string, text: string): boolean {
  if (type === "text/html" || type === "application/xhtml+xml") return true;
  return type === "" && /^\s*(<!doctype html|<html)\b/i.test(text);
}

/** The encoding that the server names, else the one that HTML names for itself. */
function charsetOf(given: string, type: string, body: Buffer): string | undefined {
  const named = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(given)?.[1];
  if (named !== undefined || !isHtml(type, "")) return named;
  const head = body.subarray(0, HEAD_BYTES).toString("latin1");
  return /<meta\b[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(head)?.[1];
}

/** Undefined: the bytes are no text. An encoding that nobody knows is passed over, with a note. */
function decode(body: Buffer, charset: string | undefined, notes: string[]): string | undefined {
  const label = charset?.toLowerCase();
  if (label !== undefined && label !== "utf-8" && label !== "utf8") {
    const decoder = decoderOf(label);
    if (!decoder)
      notes.push(`The encoding ${JSON.stringify(label.slice(0, 40))} is not known; the page may be misread.`);
    else if (label.startsWith("utf-16") || !isBinary(body)) return decoder.decode(body);
  }
  return decodeText(body)?.text;
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
