import DOMPurify from "dompurify";
import { Marked, type Token, type Tokens } from "marked";
import { isPlace, PLACE, PLACE_START } from "./places.ts";

/** HTML that has been cleaned. A trusted type in the browser, which takes it where it takes text. */
export type CleanHtml = string & { readonly clean: true };

/**
 * `breaks`: a line break in the text is one on the screen. `level`: what headings are, 3 unless told. `places`: `#12` and
 * `path:line` lead there. `whole`: definitions of links, which Markdown hides, are shown as they were written.
 */
export interface MarkdownStyle {
  breaks?: boolean;
  level?: 3 | 4;
  places?: boolean;
  whole?: boolean;
}

/** Elements of one text. */
const MOST_ELEMENTS = 300;

/**
 * Markdown as HTML that can do nothing: HTML in it is shown as text, images are their description, and only links to
 * http, https and mailto stay links. Of a text that would have more than 300 elements the rest stands as it was written.
 */
export function renderMarkdown(text: string, style: MarkdownStyle = {}): CleanHtml {
  const marked = markedFor(style);
  const html = marked.parse(text, { async: false });
  return clean(elementsIn(html) <= MOST_ELEMENTS ? html : renderBeginning(marked, text));
}

function renderBeginning(marked: Marked, text: string): string {
  const tokens = marked.lexer(text);
  let left = MOST_ELEMENTS;
  const sizeOf = (token: Token) => elementsIn(marked.parser([token]));
  const fits = (size: number) => {
    left -= size;
    return left >= 0;
  };
  const end = tokens.findIndex((token) => !fits(sizeOf(token)));
  const shown = tokens.slice(0, end);
  let rest = tokens.slice(end);
  const [next, ...others] = rest;
  if (next?.type === "list") {
    const list = next as Tokens.List;
    left += sizeOf(list);
    const tooMuch = list.items.findIndex((item) => !fits(sizeOf({ ...list, items: [item] }) - 1));
    const items = list.items.slice(0, tooMuch);
    if (items.length > 0) {
      shown.push({ ...list, items });
      rest = [...list.items.slice(tooMuch), ...others];
    }
  }
  return `${marked.parser(shown)}<pre>${escapeHtml(rest.map(({ raw }) => raw).join(""))}</pre>`;
}

function elementsIn(html: string): number {
  return html.match(/<[a-z]/g)?.length ?? 0;
}

/** A part of a text that can be spoken of by itself: a block, or an item of a list. `line`: 1-based, in the whole text. */
export interface Piece {
  line: number;
  html: CleanHtml;
}

/** Elements of the pieces of one text that are formatted, and what each has besides its own: number, comment, rows. */
const MOST_OF_PIECES = 480;
const AROUND_PIECE = 5;
/** Pieces into which the rest of such a text is put together. */
const MOST_REST = 30;

/**
 * The beginning of a text in pieces, cut so that about `lines` lines of the source are shown. `rest` counts the lines
 * that are left out. A short heading of the first level at the start is left out: it is the title. What would have too many
 * elements stands as it was written, in at most 30 pieces of several blocks or items each.
 */
export function renderPieces(
  text: string,
  lines: number,
  style: MarkdownStyle = {},
): { pieces: Piece[]; rest: number } {
  const marked = markedFor({ ...style, whole: true });
  const all = marked.lexer(text);
  const tokens = withoutTitle(all);
  const total = linesOf(tokens);
  const shown = total <= lines + 3 ? tokens : firstLines(tokens, lines);
  const title = all.slice(0, all.length - tokens.length);
  const parts = piecesOf(shown, 1 + breaksIn(title));
  const pieces: Piece[] = [];
  let left = MOST_OF_PIECES;
  for (const { line, token } of parts) {
    const html = marked.parser([token]);
    left -= AROUND_PIECE + elementsIn(html);
    if (left < 0) break;
    pieces.push({ line, html: clean(html) });
  }
  const plain = plainPieces(parts.slice(pieces.length), text.split(/\r\n|\r|\n/));
  return { pieces: [...pieces, ...plain], rest: total - linesOf(shown) };
}

/** Neighbours together, as they stand in the lines of the text. */
function plainPieces(parts: readonly Part[], lines: readonly string[]): Piece[] {
  const size = Math.ceil(parts.length / MOST_REST);
  const last = parts.at(-1);
  const after = last ? last.line + last.token.raw.trim().split("\n").length : 0;
  return parts.flatMap(({ line }, at) => {
    if (at % size > 0) return [];
    const source = lines.slice(line - 1, (parts[at + size]?.line ?? after) - 1).join("\n");
    return [{ line, html: clean(`<pre>${escapeHtml(source.trimEnd())}</pre>`) }];
  });
}

/** A piece that is not drawn yet. `line`: where its text begins. */
interface Part {
  line: number;
  token: Token;
}

function piecesOf(tokens: readonly Token[], firstLine: number): Part[] {
  let line = firstLine;
  const pieces: Part[] = [];
  const add = (token: Token) => {
    const blank = /^(?:[ \t]*\n)*/.exec(token.raw)?.[0] ?? "";
    if (token.raw.trim() !== "") pieces.push({ line: line + blank.split("\n").length - 1, token });
    line += breaksIn([token]);
  };
  for (const token of tokens) {
    if (token.type !== "list") {
      add(token);
      continue;
    }
    const list = token as Tokens.List;
    const end = line + breaksIn([list]);
    for (const item of itemsOf(list)) add(item);
    line = end;
  }
  return pieces;
}

/** Every item as a list of its own, with the number that it has. */
function itemsOf(list: Tokens.List): Tokens.List[] {
  const first = Number(list.start) || 1;
  return list.items.map((item, at) => ({
    ...list,
    items: [item],
    start: list.ordered ? first + at : "",
    raw: item.raw,
  }));
}

function breaksIn(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { raw }) => sum + raw.split("\n").length - 1, 0);
}

/** Stands for places inside of this file only: what leaves it has no such address. */
const PLACE_SCHEME = "place:";

const instances = new Map<string, Marked>();

function markedFor({ breaks = false, level = 3, places = false, whole = false }: MarkdownStyle): Marked {
  const key = `${breaks} ${level} ${places} ${whole}`;
  const known = instances.get(key);
  if (known) return known;
  const marked = new Marked({ gfm: true, breaks, renderer: rendererFor(level, places) });
  if (places) marked.use({ extensions: [placeInText] });
  if (whole) marked.use({ renderer: { def: ({ raw }) => `<p>${escapeHtml(raw.trim())}</p>` } });
  instances.set(key, marked);
  return marked;
}

/** In plain text: links only where the whole text names the place, so that none says something else than it does. */
const placeInText = {
  name: "place",
  level: "inline" as const,
  start: (text: string) => text.search(PLACE_START),
  tokenizer(text: string) {
    const raw = PLACE.exec(text)?.[0];
    return raw === undefined ? undefined : { type: "place", raw, text: raw };
  },
  renderer: ({ raw }: { raw: string }) => placeLink(raw, escapeHtml(raw)),
};

function placeLink(place: string, label: string): string {
  return `<a href="${PLACE_SCHEME}${encodeURIComponent(place)}">${label}</a>`;
}

function rendererFor(level: number, places: boolean) {
  return {
    code: ({ text, lang = "" }: Tokens.Code) => {
      const language = /^[\w+#.-]{1,30}/.exec(lang)?.[0].toLowerCase();
      const name = language === undefined ? "" : ` class="language-${language}"`;
      return `<pre><code${name}>${escapeHtml(text)}\n</code></pre>`;
    },
    codespan: ({ text }: Tokens.Codespan) => {
      const code = `<code>${escapeHtml(text)}</code>`;
      return places && isPlace(text) ? placeLink(text, code) : code;
    },
    heading(this: { parser: { parseInline(tokens: Token[]): string } }, { tokens }: Tokens.Heading) {
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    image: ({ text, href }: Tokens.Image) => escapeHtml(text === "" ? href : text),
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? "☑ " : "☐ "),
  };
}

const TAGS = "p br h3 h4 ul ol li blockquote pre code strong em del hr a table thead tbody tr th td";

const purifier = DOMPurify(window);
purifier.addHook("uponSanitizeAttribute", (node, data) => {
  if (data.attrName !== "class") return;
  data.keepAttr = node.tagName === "CODE" && /^language-[\w+#.-]{1,30}$/.test(data.attrValue);
});
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  const href = node.getAttribute("href");
  if (href === null) node.replaceWith(...node.childNodes);
  else if (href.startsWith(PLACE_SCHEME)) becomePlace(node, href);
  else node.setAttribute("title", href);
});

/** A link to a place is none to an address: the view itself follows it. One whose text is another place is no link. */
function becomePlace(node: Element, href: string): void {
  const place = node.textContent ?? "";
  if (!isPlace(place) || href !== `${PLACE_SCHEME}${encodeURIComponent(place)}`) {
    node.replaceWith(...node.childNodes);
    return;
  }
  node.removeAttribute("href");
  node.setAttribute("role", "link");
  node.setAttribute("tabindex", "0");
  node.setAttribute("data-place", place);
}

function clean(html: string): CleanHtml {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(" "),
    ALLOWED_ATTR: ["href", "start", "align", "class"],
    ADD_URI_SAFE_ATTR: ["start", "align"],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|place:)/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_TRUSTED_TYPE: true,
  }) as unknown as CleanHtml;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function withoutTitle(tokens: Token[]): Token[] {
  const first = tokens.findIndex(({ type }) => type !== "space");
  const token = tokens[first];
  const isTitle =
    token?.type === "heading" && (token as Tokens.Heading).depth === 1 && token.raw.length <= LONGEST_TITLE;
  return isTitle ? tokens.slice(first + 1) : tokens;
}

/** Characters of a heading that a title shows whole. A title of a request has 120 at most. */
const LONGEST_TITLE = 100;

function linesOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { raw }) => sum + raw.split("\n").filter((line) => line.trim() !== "").length, 0);
}

/** Whole blocks while they fit; a list that does not fit gives the items that do. At least one block, no heading at the end. */
function firstLines(tokens: readonly Token[], lines: number): Token[] {
  const shown: Token[] = [];
  let left = lines;
  for (const token of tokens) {
    const size = linesOf([token]);
    if (size > left && shown.length > 0) {
      if (token.type === "list") shown.push(...firstItems(token as Tokens.List, left));
      break;
    }
    shown.push(token);
    left -= size;
  }
  while (shown.length > 1 && ["heading", "space"].includes(shown.at(-1)?.type ?? "")) shown.pop();
  return shown;
}

function firstItems(list: Tokens.List, lines: number): Tokens.List[] {
  const items: Tokens.ListItem[] = [];
  let left = lines;
  for (const item of list.items) {
    left -= linesOf([item]);
    if (left < 0) break;
    items.push(item);
  }
  return items.length > 0 ? [{ ...list, items, raw: items.map(({ raw }) => raw).join("") }] : [];
}
