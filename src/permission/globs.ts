/**
 * Globs of rules, matched in time proportional to pattern × text. Rules come from files that the workspace brings along,
 * so they are never turned into regular expressions: those can be made to run for minutes.
 */

type Atom =
  | { kind: "char"; char: string }
  | { kind: "one" }
  | { kind: "star" }
  | { kind: "set"; negated: boolean; ranges: [string, string][] };

/** A compiled pattern for one path segment or one word. `literal`: its text where it has no wildcard. */
export interface Glob {
  atoms: readonly Atom[];
  literal: string | undefined;
}

/** Compiles `*`, `?` and `[…]`; a backslash takes the next character as it is. */
export function compileGlob(text: string): Glob {
  const atoms: Atom[] = [];
  const chars = [...text];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    const set = char === "[" ? readSet(chars, at) : undefined;
    if (set) {
      atoms.push(set.atom);
      at = set.end;
    } else if (char === "*") {
      if (atoms.at(-1)?.kind !== "star") atoms.push({ kind: "star" });
    } else if (char === "?") {
      atoms.push({ kind: "one" });
    } else if (char === "\\" && at + 1 < chars.length) {
      at += 1;
      atoms.push({ kind: "char", char: chars[at] ?? "" });
    } else {
      atoms.push({ kind: "char", char });
    }
  }
  const literal = atoms.every((atom) => atom.kind === "char") ? atoms.map((atom) => atom.char).join("") : undefined;
  return { atoms, literal };
}

/** A pattern that stands for exactly this text. */
export function literalGlob(text: string): Glob {
  return { atoms: [...text].map((char) => ({ kind: "char", char })), literal: text };
}

/** Whether the whole text matches. */
export function globMatches(glob: Glob, text: string): boolean {
  if (glob.literal !== undefined) return glob.literal === text;
  const chars = [...text];
  return matchWithStars(
    glob.atoms,
    chars,
    (atom) => atom.kind === "star",
    (atom, char) => atomMatches(atom, char),
  );
}

/**
 * Matches a sequence against a pattern in which some items stand for any number of elements. Going back to the latest
 * such item is enough, so the time is bounded by the product of both lengths.
 */
export function matchWithStars<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isStar: (item: P) => boolean,
  matches: (item: P, element: T) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < items.length) {
    const item = pattern[at];
    const element = items[index] as T;
    if (item !== undefined && isStar(item)) {
      star = at;
      resume = index;
      at += 1;
    } else if (item !== undefined && matches(item, element)) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isStar);
}

/** The alternatives of `{a,b}` in a pattern, nested ones too; undefined where there are more than `limit`. */
export function expandBraces(text: string, limit = 64): string[] | undefined {
  const open = findGroup(text);
  if (!open) return [text];
  const found: string[] = [];
  for (const choice of open.choices) {
    const rest = expandBraces(`${text.slice(0, open.start)}${choice}${text.slice(open.end + 1)}`, limit);
    if (!rest || found.length + rest.length > limit) return undefined;
    found.push(...rest);
  }
  return found;
}

function atomMatches(atom: Atom, char: string): boolean {
  switch (atom.kind) {
    case "char":
      return atom.char === char;
    case "one":
    case "star":
      return true;
    case "set":
      return atom.ranges.some(([low, high]) => low <= char && char <= high) !== atom.negated;
  }
}

function readSet(chars: readonly string[], start: number): { atom: Atom; end: number } | undefined {
  let at = start + 1;
  const negated = chars[at] === "!" || chars[at] === "^";
  if (negated) at += 1;
  const first = at;
  const ranges: [string, string][] = [];
  for (; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    if (char === "]" && at > first) return { atom: { kind: "set", negated, ranges }, end: at };
    const high = chars[at + 2];
    if (chars[at + 1] === "-" && high !== undefined && high !== "]") {
      ranges.push([char, high]);
      at += 2;
    } else {
      ranges.push([char, char]);
    }
  }
  return undefined;
}

function findGroup(text: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    if (text[start - 1] === "\\") continue;
    const commas: number[] = [];
    let depth = 0;
    for (let at = start; at < text.length; at += 1) {
      const char = text[at];
      if (char === "\\") at += 1;
      else if (char === "{") depth += 1;
      else if (char === "," && depth === 1) commas.push(at);
      else if (char === "}") {
        depth -= 1;
        if (depth === 0 && commas.length > 0) return { start, end: at, choices: splitAt(text, start, at, commas) };
        if (depth === 0) break;
      }
    }
  }
  return undefined;
}

function splitAt(text: string, start: number, end: number, commas: readonly number[]): string[] {
  const edges = [start, ...commas, end];
  return edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge));
}
