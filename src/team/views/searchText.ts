import type { ConversationItem } from "../../protocol/panel.ts";

/** What of a conversation holds a text. `matches`: places of items with the number of matches in each. */
export interface Found {
  matches: { seq: number; count: number }[];
  total: number;
}

/** Items with a match that are told one by one. */
const MOST_ITEMS = 2_000;

/** Looks for a text in items, in order, without regard to case and to how long a run of blanks is. */
export function findIn(items: readonly ConversationItem[], text: string, texts: SearchTexts): Found {
  const wanted = squeeze(text);
  const matches: Found["matches"] = [];
  let total = 0;
  if (wanted.trim() === "") return { matches, total };
  for (const [seq, item] of items.entries()) {
    const count = texts(item).reduce((sum, segment) => sum + occurrences(segment, wanted), 0);
    if (count === 0) continue;
    total += count;
    if (matches.length < MOST_ITEMS) matches.push({ seq, count });
  }
  return { matches, total };
}

/** The parts of an item as a person reads them, ready to be searched. */
export type SearchTexts = (item: ConversationItem) => readonly string[];

/** Remembers the parts of each item for as long as the item is there. */
export function searchTexts(): SearchTexts {
  const known = new WeakMap<ConversationItem, readonly string[]>();
  return (item) => {
    const texts = known.get(item) ?? partsOf(item).map(squeeze);
    known.set(item, texts);
    return texts;
  };
}

function partsOf(item: ConversationItem): string[] {
  switch (item.type) {
    case "input":
    case "text":
      return [plainMarkdown(item.text)];
    case "note":
      return [item.text];
    case "tool": {
      const lines = item.diff?.lines.map(({ text }) => text) ?? [];
      return [item.name, item.argument, ...lines, ...(hidesDetail(item) ? [] : [item.detail])];
    }
  }
}

/** A diff stands in place of the result of an edit, unless that failed. */
function hidesDetail(item: Extract<ConversationItem, { type: "tool" }>): boolean {
  return item.diff !== undefined && item.state !== "failed";
}

/** A text's Markdown without its marks, roughly as it is drawn; code stays as it is. */
export function plainMarkdown(text: string): string {
  return text
    .split(/^ {0,3}(```+|~~~+)[^\n]*\n?/m)
    .filter((_, index) => index % 2 === 0) // every other one is a fence
    .map((part, index) => (index % 2 === 0 ? plainProse(part) : part))
    .join("\n");
}

function plainProse(text: string): string {
  const parts = text.split(/(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/);
  return parts
    .map((part, index) => (index % 3 === 0 ? withoutMarks(part) : index % 3 === 1 ? "" : part)) // text, ticks, code
    .join("");
}

function withoutMarks(text: string): string {
  return text
    .replace(/^[ \t]*(?:#{1,6} +|> ?|[-*+] +|\d+[.)] +)/gm, "")
    .replace(/^\|?[ :|-]+\|[ :|-]*$/gm, "")
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?: "[^"]*")?\)/g, "$1")
    .replace(/(\*{1,3}|~~)(?=\S)([\s\S]*?\S)\1/g, "$2")
    .replace(/(?<!\w)(_{1,3})(?=\S)([\s\S]*?\S)\1(?!\w)/g, "$2")
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, "$1");
}

function squeeze(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ");
}

function occurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}
