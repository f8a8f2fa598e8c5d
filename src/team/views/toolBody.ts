import type { FileDiff, ImageNote } from "../../protocol/panel.ts";
import type { ToolResultBlock, ToolUseBlock } from "../../protocol/transcript.ts";
import { leftOut } from "./leftOut.ts";
import { editTexts, fileDiff } from "./previews.ts";

/** Lines of a call's diff and characters of one line that are shown. */
const DIFF_LINES = 200;
const LINE_CHARACTERS = 500;
/** Longest output of a tool that is shown, in characters; its middle is left out. */
const DETAIL_LIMIT = 4_000;

/** How a call changes its file, as far as its input tells; undefined for every other call. Lines count from 1. */
export function callDiff({ name, input }: Pick<ToolUseBlock, "name" | "input">): FileDiff | undefined {
  const texts = editTexts({ tool: name, input }, null);
  if (!texts) return undefined;
  const diff = fileDiff(texts, DIFF_LINES);
  return { ...diff, lines: diff.lines.map((line) => ({ ...line, text: cutLine(line.text) })) };
}

/** The diff with its lines counted from where the result of Edit says that the file was changed. */
export function placedDiff(diff: FileDiff, result: string): FileDiff {
  const first = Number(/ at (?:line |\d+ places \(lines )(\d+)/.exec(result)?.[1] ?? 1);
  return { ...diff, lines: diff.lines.map((line) => ({ ...line, line: line.line + first - 1 })) };
}

/** A result's text as far as it is shown, and how many characters of its middle are not. */
export function shownDetail(text: string): { detail: string; cut?: number } {
  if (text.length <= DETAIL_LIMIT) return { detail: text };
  const head = wholeCharacters(text.slice(0, DETAIL_LIMIT * 0.75));
  const end = wholeCharacters(text.slice(-DETAIL_LIMIT * 0.25));
  const cut = text.length - head.length - end.length;
  return { detail: `${head}\n${leftOut(cut)}\n${end}`, cut };
}

/** Without the half of a character at a cut. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}

/** The images among blocks of an input or a result. */
export function imagesOf(content: string | ToolResultBlock["content"]): { images?: ImageNote[] } {
  if (typeof content === "string") return {};
  const images = content.flatMap((block) => (block.type === "image" ? [imageNote(block.source)] : []));
  return images.length > 0 ? { images } : {};
}

function imageNote(source: Record<string, unknown>): ImageNote {
  const { media_type: type, data } = source;
  const bytes = typeof data === "string" ? Math.floor((data.replace(/=+$/, "").length * 3) / 4) : null;
  return { mediaType: typeof type === "string" ? type.slice(0, 60) : "image", bytes };
}

function cutLine(text: string): string {
  return text.length <= LINE_CHARACTERS ? text : `${text.slice(0, LINE_CHARACTERS)}…`;
}
