/** Where a text stops being JSON: line and column from 1, in UTF-16 units. `comment`: a comment begins there. */
export interface JsonFault {
  line: number;
  column: number;
  comment: boolean;
}

/** The first place at which a text is no JSON; null where it is JSON. The parser's own errors do not always say it. */
export function jsonFault(text: string): JsonFault | null {
  const at = faultAt(text);
  if (at === null) return null;
  const before = text.slice(0, at).split("\n");
  return {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    comment: /^(?:\/[/*]|#)/.test(text.slice(at)),
  };
}

const TOKEN =
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANKS = /[ \t\n\r]*/y;

/** What may come next. */
type Next = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end";

function faultAt(text: string): number | null {
  const open: string[] = [];
  let next: Next = "value";
  for (let at = 0; ; ) {
    BLANKS.lastIndex = at;
    BLANKS.test(text);
    at = BLANKS.lastIndex;
    if (at === text.length && open.length === 0 && next === ", or end") return null;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    const after: Next | null = token === undefined ? null : taken(token, next, open);
    if (token === undefined || after === null) return at;
    next = after;
    at += token.length;
  }
}

/** What may come after a token, or null where it may not stand there. Keeps what is `open`. */
function taken(token: string, next: Next, open: string[]): Next | null {
  if (token === "}" || token === "]") {
    const ends = next === ", or end" || next === (token === "}" ? "key or }" : "value or ]");
    return ends && open.pop() === token ? ", or end" : null;
  }
  if (next === ":") return token === ":" ? "value" : null;
  if (next === ", or end") {
    if (token !== "," || open.length === 0) return null;
    return open.at(-1) === "}" ? "key" : "value";
  }
  if (next === "key" || next === "key or }") return token.startsWith('"') ? ":" : null;
  if (token === ":" || token === ",") return null;
  if (token === "{") open.push("}");
  if (token === "[") open.push("]");
  return token === "{" ? "key or }" : token === "[" ? "value or ]" : ", or end";
}
