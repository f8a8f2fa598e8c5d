import { useMemo } from "preact/hooks";
import { type CleanHtml, type MarkdownStyle, renderMarkdown } from "../markdown.ts";

/** Markdown that somebody wrote; rendered again only when the text changes. */
export function Markdown({
  text,
  style = PLAIN,
  class: extra = "",
}: {
  text: string;
  style?: MarkdownStyle;
  class?: string;
}) {
  const html = useMemo(() => renderMarkdown(text, style), [text, style]);
  return <Html html={html} class={extra} />;
}

/** HTML that was cleaned. */
export function Html({ html, class: extra = "" }: { html: CleanHtml; class?: string }) {
  return <div class={`md ${extra}`} dangerouslySetInnerHTML={{ __html: html }} />;
}

const PLAIN: MarkdownStyle = {};
/** For what people and members write to each other: a line break is one. */
export const MESSAGE: MarkdownStyle = { breaks: true };
/** For what stands inside a request. */
export const IN_REQUEST: MarkdownStyle = { level: 4 };
