import { useEffect, useMemo, useRef } from "preact/hooks";
import { type CleanHtml, type MarkdownStyle, renderMarkdown } from "../markdown.ts";
import { useModel } from "../model.ts";
import { followPlace } from "../navigation.ts";
import { colorCode } from "./codeColors.ts";

/** Markdown that somebody wrote; rendered again only when the text changes. `seq`: its place in a conversation. */
export function Markdown({
  text,
  style = PLAIN,
  class: extra = "",
  seq,
}: {
  text: string;
  style?: MarkdownStyle;
  class?: string;
  seq?: number;
}) {
  const html = useMemo(() => renderMarkdown(text, style), [text, style]);
  return <Html html={html} class={extra} seq={seq} />;
}

/** HTML that was cleaned. Its code gets its colours, and its places can be followed. */
export function Html({ html, class: extra = "", seq }: { html: CleanHtml; class?: string; seq?: number | undefined }) {
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
  return <div ref={box} class={`md ${extra}`} data-seq={seq} dangerouslySetInnerHTML={{ __html: html }} />;
}

const PLAIN: MarkdownStyle = {};
/** For what members write for themselves. */
export const SPOKEN: MarkdownStyle = { places: true };
/** For what people and members write to each other: a line break is one. */
export const MESSAGE: MarkdownStyle = { breaks: true, places: true };
/** For what stands inside a request. */
export const IN_REQUEST: MarkdownStyle = { level: 4 };
