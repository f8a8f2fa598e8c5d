import { useEffect, useMemo, useRef } from "preact/hooks";
import { type CleanHtml, type MarkdownStyle, renderMarkdown } from "../markdown.ts";
import { followPlace, useModel } from "../model.ts";
import { colorCode } from "./codeColors.ts";

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

/** HTML that was cleaned. Its code gets its colours, and its places can be followed. */
export function Html({ html, class: extra = "" }: { html: CleanHtml; class?: string }) {
  const model = useModel();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current ? colorCode(box.current) : undefined), [html]);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const follow = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Enter") return;
      const place = event.target instanceof Element && event.target.closest("[data-place]")?.getAttribute("data-place");
      if (place) followPlace(model, place);
    };
    element.addEventListener("click", follow);
    element.addEventListener("keydown", follow);
    return () => {
      element.removeEventListener("click", follow);
      element.removeEventListener("keydown", follow);
    };
  }, [model]);
  return <div ref={box} class={`md ${extra}`} dangerouslySetInnerHTML={{ __html: html }} />;
}

const PLAIN: MarkdownStyle = {};
/** For what members write for themselves. */
export const SPOKEN: MarkdownStyle = { places: true };
/** For what people and members write to each other: a line break is one. */
export const MESSAGE: MarkdownStyle = { breaks: true, places: true };
/** For what stands inside a request. */
export const IN_REQUEST: MarkdownStyle = { level: 4 };
