import DOMPurify from "dompurify";
import { Marked, type Token, type Tokens } from "marked";

/** HTML that has been cleaned. A trusted type in the browser, which takes it where it takes text. */
export type CleanHtml = string & { readonly clean: true };

/** `breaks`: a line break in the text is one on the screen. `level`: what headings are, 3 unless told. */
export interface MarkdownStyle {
  breaks?: boolean;
  level?: 3 | 4;
}

/**
 * Markdown as HTML that can do nothing: HTML in it is shown as text, images are their description, and only links to
 * http, https and mailto stay links.
 */
export function renderMarkdown(text: string, style: MarkdownStyle = {}): CleanHtml {
  return clean(markedFor(style).parse(text, { async: false }));
}

/**
 * The beginning of a text, cut between blocks or list items so that about `lines` lines of the source are shown.
 * `rest` counts the lines that are left out. A heading of the first level at the start is left out: it is the title.
 */
export function renderBeginning(
  text: string,
  lines: number,
  style: MarkdownStyle = {},
): { html: CleanHtml; rest: number } {
  const marked = markedFor(style);
  const tokens = withoutTitle(marked.lexer(text));
  const total = linesOf(tokens);
  const shown = total <= lines + 3 ? tokens : firstLines(tokens, lines);
  return { html: clean(marked.parser(shown)), rest: total - linesOf(shown) };
}

const instances = new Map<string, Marked>();

function markedFor({ breaks = false, level = 3 }: MarkdownStyle): Marked {
  const key = `${breaks} ${level}`;
  const marked = instances.get(key) ?? new Marked({ gfm: true, breaks, renderer: rendererFor(level) });
  instances.set(key, marked);
  return marked;
}

function rendererFor(level: number) {
  return {
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
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  const href = node.getAttribute("href");
  if (href === null) node.replaceWith(...node.childNodes);
  else node.setAttribute("title", href);
});

function clean(html: string): CleanHtml {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(" "),
    ALLOWED_ATTR: ["href", "start", "align"],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
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
  return token?.type === "heading" && (token as Tokens.Heading).depth === 1 ? tokens.slice(first + 1) : tokens;
}

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
