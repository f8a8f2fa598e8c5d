import type { Match } from "../state/find.ts";

/** Where a person's eye reads an item: the host looks in the same parts. */
const PARTS = ".md, .tool-line > b, .tool-argument, .diff-line, .code-block, .conv-note > span";
const BLOCKS = "p, li, h3, h4, pre, td, th, blockquote, .md";

/**
 * Marks every match of a text below `root`, over the text and without touching it. Returns the chosen match, or null
 * where it is not drawn yet.
 */
export function markFound(root: HTMLElement, text: string, chosen: Match | null): Range | null {
  const wanted = text.toLowerCase().replace(/\s+/g, " ");
  const all = new Highlight();
  const now = new Highlight();
  let place: Range | null = null;
  if (wanted.trim() !== "") {
    for (const item of root.querySelectorAll<HTMLElement>("[data-seq]")) {
      const parts = item.matches(PARTS) ? [item] : [...item.querySelectorAll<HTMLElement>(PARTS)];
      const ranges = parts.flatMap((part) => rangesIn(part, wanted));
      for (const range of ranges) all.add(range);
      if (chosen === null || item.dataset["seq"] !== String(chosen.seq)) continue;
      place = ranges[chosen.nth] ?? null;
    }
  }
  if (place) now.add(place);
  all.priority = 1;
  now.priority = 2;
  CSS.highlights.set("found", all);
  CSS.highlights.set("found-now", now);
  return place;
}

/** Takes all marks away. */
export function unmarkFound(): void {
  CSS.highlights.delete("found");
  CSS.highlights.delete("found-now");
}

/** Scrolls whatever scrolls around a range until it is in the middle of what is seen. */
export function bringToView(range: Range): void {
  const element = range.startContainer.parentElement;
  for (const box of [element?.closest(".code-block"), element?.closest(".scroller")]) {
    if (!box) continue;
    const { top, height } = range.getBoundingClientRect();
    box.scrollTop += top - box.getBoundingClientRect().top - (box.clientHeight - height) / 2;
  }
}

interface Spot {
  node: Text;
  offset: number;
}

function rangesIn(part: HTMLElement, wanted: string): Range[] {
  const { text, spots } = readText(part);
  const ranges: Range[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const first = spots[at];
    const last = spots[at + wanted.length - 1];
    if (!first || !last) continue;
    const range = new Range();
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset + 1);
    ranges.push(range);
  }
  return ranges;
}

/** The text as it is compared: small letters, a blank for each run of blanks and between blocks. */
function readText(part: HTMLElement): { text: string; spots: Spot[] } {
  const spots: Spot[] = [];
  let text = "";
  let block: Element | null = null;
  const add = (char: string, spot: Spot) => {
    if (char === " " && (text === "" || text.endsWith(" "))) return;
    text += char;
    for (let unit = 0; unit < char.length; unit += 1) spots.push(spot);
  };
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const own = node.parentElement?.closest(BLOCKS) ?? null;
    if (block !== null && own !== block) add(" ", { node, offset: 0 });
    block = own;
    for (let offset = 0; offset < node.data.length; offset += 1) {
      const char = node.data.charAt(offset);
      add(/\s/.test(char) ? " " : char.toLowerCase(), { node, offset });
    }
  }
  return { text, spots };
}
