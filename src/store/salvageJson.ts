/**
 * As much of a damaged JSON text as is complete: parsing stops at the first character that is wrong, and what was whole
 * before it is kept. Never half a string or number, and no object of an array whose end was not reached. Undefined where
 * nothing is left.
 */
export function salvageJson(text: string): unknown {
  const stack: Container[] = [];
  let root: unknown;
  let position = 0;
  for (;;) {
    const token = nextToken(text, position);
    if (!token) break;
    position = token.end;
    if (token.kind === "separator") continue;
    if (token.kind === "close") {
      stack.pop();
      if (stack.length === 0) break;
      continue;
    }
    const top = stack.at(-1);
    if (token.kind === "value" && top && isKey(token.value, top, text, position)) {
      top.key = String(token.value);
      continue;
    }
    const value = token.kind === "value" ? token.value : token.text === "[" ? [] : {};
    if (top && !put(value, top)) break;
    if (!top) root = value;
    if (isContainer(value)) stack.push({ value, key: undefined });
    if (stack.length === 0 || stack.length > DEEPEST) break;
  }
  dropUnfinished(stack);
  return root;
}

/**
 * The elements of a damaged JSON array that is written with one indent of two blanks, as every writer of inboxes does:
 * each element by itself, so that damage in one of them costs only that one.
 */
export function salvageElements(text: string): unknown[] {
  const prefix = salvageJson(text);
  const elements = [...text.matchAll(/^ {2}\{$[\s\S]*?^ {2}\}(?=,?$)/gm)].flatMap(([element]) => {
    try {
      return [JSON.parse(element) as unknown];
    } catch {
      return []; // the damaged one
    }
  });
  return Array.isArray(prefix) && prefix.length > elements.length ? prefix : elements;
}

const DEEPEST = 64;

interface Container {
  value: unknown[] | Record<string, unknown>;
  key: string | undefined;
}

type Token =
  | { kind: "separator"; end: number }
  | { kind: "close"; end: number }
  | { kind: "open"; text: string; end: number }
  | { kind: "value"; value: unknown; end: number };

function put(value: unknown, parent: Container): boolean {
  if (Array.isArray(parent.value)) {
    parent.value.push(value);
    return true;
  }
  if (parent.key === undefined) return false;
  // as JSON.parse does it: a key "__proto__" is a key like any other
  Object.defineProperty(parent.value, parent.key, { value, enumerable: true, writable: true, configurable: true });
  parent.key = undefined;
  return true;
}

function dropUnfinished(stack: Container[]): void {
  for (const [index, container] of stack.entries()) {
    const parent = stack[index - 1]?.value;
    if (Array.isArray(parent) && !Array.isArray(container.value)) parent.pop();
  }
}

function isContainer(value: unknown): value is Container["value"] {
  return typeof value === "object" && value !== null;
}

function isKey(value: unknown, top: Container, text: string, end: number): boolean {
  if (typeof value !== "string" || Array.isArray(top.value) || top.key !== undefined) return false;
  return /^\s*:/.test(text.slice(end, end + 64));
}

const LITERAL = /-?\d[\d.eE+-]*(?=[\s,\]}])|true|false|null/y;

function nextToken(text: string, start: number): Token | undefined {
  let at = start;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  const char = text.charAt(at);
  if (char === "") return undefined;
  if (char === "," || char === ":") return { kind: "separator", end: at + 1 };
  if (char === "[" || char === "{") return { kind: "open", text: char, end: at + 1 };
  if (char === "]" || char === "}") return { kind: "close", end: at + 1 };
  LITERAL.lastIndex = at;
  const end = char === '"' ? endOfString(text, at) : LITERAL.test(text) ? LITERAL.lastIndex : undefined;
  if (end === undefined) return undefined;
  try {
    return { kind: "value", value: JSON.parse(text.slice(at, end)), end };
  } catch {
    return undefined; // a bad escape or number: what came before it is what is left
  }
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === '"') return at + 1;
  }
  return undefined;
}
