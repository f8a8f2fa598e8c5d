import { convert, type HtmlToTextOptions } from "html-to-text";
import { Parser } from "htmlparser2";

/** Elements inside each other: real pages have some dozens, and converting takes time by the square of it. */
const MAX_DEPTH = 256;

/** The readable text of a page with its links. `whole`: false where the rest of it is nested too deep. */
export function htmlText(html: string, url: string): { text: string; whole: boolean } {
  const end = shallowLength(html);
  return { text: convert(html.slice(0, end), htmlOptions(url)).trim(), whole: end === html.length };
}

function htmlOptions(url: string): HtmlToTextOptions {
  const absolute = (link: string) => (URL.canParse(link, url) ? new URL(link, url).href : link);
  const heading = { uppercase: false };
  return {
    wordwrap: false,
    limits: { maxDepth: MAX_DEPTH + 1 },
    // the library's own tables are padded: one long cell would be as long in every row
    formatters: {
      cell(element, walk, builder) {
        walk(element.children, builder);
        builder.addInline(" | ");
      },
    },
    selectors: [
      { selector: "a", options: { pathRewrite: absolute, hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: "tr", format: "block" },
      ...["td", "th"].map((selector) => ({ selector, format: "cell" })),
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: heading })),
      ...["img", "script", "style", "noscript", "template", "svg", "iframe"].map((selector) => ({
        selector,
        format: "skip",
      })),
    ],
  };
}

/** How much of `html` can be converted before its elements lie deeper than the bound. */
function shallowLength(html: string): number {
  let depth = 0;
  let end = html.length;
  const parser = new Parser({
    onopentag() {
      depth += 1;
      if (depth <= MAX_DEPTH || end < html.length) return;
      end = parser.startIndex;
      parser.pause();
    },
    onclosetag() {
      depth -= 1;
    },
  });
  parser.write(html);
  return end;
}
