import type { CodeKind } from "../highlighter.ts";

/** Code that is longer has no colours, in characters. */
const LONGEST = 20_000;

/**
 * Colours the blocks of code below `root` that name their language. The colours lie over the text and add nothing to the
 * document. Returns what takes them away again.
 */
export function colorCode(root: HTMLElement): () => void {
  const blocks = [...root.querySelectorAll<HTMLElement>("pre > code[class^=language-]")];
  let drawn: [CodeKind, StaticRange][] = [];
  let over = blocks.length === 0;
  const draw = async () => {
    const { tokensOf } = await import("../highlighter.ts");
    if (over) return;
    for (const block of blocks) {
      const text = block.firstChild;
      if (!(text instanceof Text) || block.childNodes.length !== 1 || text.data.length > LONGEST) continue;
      const language = block.className.slice("language-".length);
      for (const { start, end, kind } of tokensOf(text.data, language)) {
        const range = new StaticRange({ startContainer: text, startOffset: start, endContainer: text, endOffset: end });
        layer(kind).add(range);
        drawn.push([kind, range]);
      }
    }
  };
  if (!over) void draw();
  return () => {
    over = true;
    for (const [kind, range] of drawn) layer(kind).delete(range);
    drawn = [];
  };
}

function layer(kind: CodeKind): Highlight {
  const name = `code-${kind}`;
  const known = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, known);
  return known;
}
