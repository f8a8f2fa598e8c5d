import { common, createLowlight } from "lowlight";

/** What a piece of code is, as far as it has a colour of its own. */
const CODE_KINDS = ["keyword", "literal", "string", "number", "comment", "name", "type", "added", "removed"] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/** A piece of code from `start` to before `end`, in UTF-16 units. */
export interface CodeToken {
  start: number;
  end: number;
  kind: CodeKind;
}

type Tree = ReturnType<typeof lowlight.highlight>;
type Node = Tree["children"][number];

const lowlight = createLowlight(common);

/** The pieces of a code that have a colour; none for a language that is not known. Never throws. */
export function tokensOf(code: string, language: string): CodeToken[] {
  if (!lowlight.registered(language)) return [];
  const tokens: CodeToken[] = [];
  let at = 0;
  const walk = (nodes: readonly Node[], kind: CodeKind | undefined) => {
    for (const node of nodes) {
      if (node.type === "element") walk(node.children as Node[], kindOf(node.properties["className"]) ?? kind);
      if (node.type !== "text") continue;
      if (kind !== undefined) tokens.push({ start: at, end: at + node.value.length, kind });
      at += node.value.length;
    }
  };
  walk(lowlight.highlight(language, code).children, undefined);
  return tokens;
}

function kindOf(classes: unknown): CodeKind | undefined {
  const name = Array.isArray(classes) ? String(classes[0]).replace(/^hljs-/, "") : "";
  return KINDS[name];
}

/** The scopes of the highlighter. */
const KINDS: Readonly<Record<string, CodeKind>> = {
  ...{ keyword: "keyword", "selector-tag": "keyword", tag: "keyword", operator: "keyword", meta: "keyword" },
  ...{ literal: "literal", symbol: "literal", bullet: "literal" },
  ...{ string: "string", regexp: "string", char: "string", link: "string", code: "string" },
  ...{ number: "number", comment: "comment", quote: "comment", doctag: "comment" },
  ...{ title: "name", attr: "name", attribute: "name", property: "name", variable: "name", section: "name" },
  ...{ "template-variable": "name", "selector-class": "name", "selector-id": "name", name: "keyword" },
  ...{ type: "type", built_in: "type", class: "type" },
  ...{ addition: "added", deletion: "removed" },
};
