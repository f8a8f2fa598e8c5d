/**
 * Programs in the small languages of sed, awk and jq: whether they only print. A text that is not understood is taken for
 * one that does more.
 */

type Effect = "prints" | "writes" | "runs" | "unclear";

/** What a sed script does. */
export function sedRunsOrWrites(script: string): Effect {
  const parsed = readSed(script);
  if (parsed !== "prints") return parsed;
  // A second, cruder look: what a reader who cuts at every separator would take for a command.
  return /[;{}\n]\s*[\d$,]*\s*[ewWrR]/.test(script) ? "unclear" : "prints";
}

/** What an awk program does. */
export function awkRunsOrWrites(program: string): Effect {
  const tokens = awkTokens(program);
  if (!tokens) return "unclear";
  let braces = 0;
  let parens = 0;
  for (const token of tokens) {
    if (token === "{") braces += 1;
    if (token === "}") braces -= 1;
    if (token === "(" || token === "[") parens += 1;
    if (token === ")" || token === "]") parens -= 1;
    if (token === "system" || token === "|" || token === "|&" || token === "@") return "runs";
    if (token === ">>") return "writes";
    if (token === ">" && braces > 0 && parens === 0) return "writes";
    if (/^(?:getline|ENVIRON|ARGV|ARGC|SYMTAB|FUNCTAB|PROCINFO|close|fflush)$/.test(token)) return "unclear";
  }
  return "prints";
}

/** Whether a jq filter works on its input only. */
export function jqOnlyPrints(filter: string): boolean {
  const code = jqCode(filter);
  if (code === undefined) return false;
  if (/\$(?:ENV|__prog)\b/.test(code)) return false;
  if (/\b(?:import|include|modulemeta|input_filename|get_search_list|halt_error)\b/.test(code)) return false;
  return !/(?:^|[^.\w$])env\b/.test(code);
}

/**
 * A jq filter without its texts and comments, but with the code that stands in texts; undefined where a text has no end,
 * and where versions differ about the end of a comment.
 */
function jqCode(filter: string): string | undefined {
  // what the scan is in: a text, or the brackets of code inside a text
  const nested: ("text" | number)[] = [];
  let code = "";
  for (let at = 0; at < filter.length; at += 1) {
    const char = filter[at] ?? "";
    const inside = nested.at(-1);
    if (inside === "text") {
      if (char === '"') nested.pop();
      if (char !== "\\") continue;
      at += 1;
      if (filter[at] === "(") nested.push(0);
    } else if (char === '"') {
      nested.push("text");
      code += " ";
    } else if (char === "#") {
      const comment = /^#[^\n\r]*/.exec(filter.slice(at))?.[0] ?? char;
      if (comment.includes("\\") || filter[at + comment.length] === "\r") return undefined;
      at += comment.length - 1;
    } else if (inside !== undefined && char === ")" && inside === 0) {
      nested.pop();
      code += " ";
    } else {
      if (inside !== undefined && /[()]/.test(char)) nested[nested.length - 1] = inside + (char === "(" ? 1 : -1);
      code += char;
    }
  }
  return nested.length > 0 ? undefined : code;
}

/** What an awk program could not do without, if it did more than print. */
const AWK_SUSPICIOUS = /system|getline|ENVIRON|ARGV|ARGC|SYMTAB|FUNCTAB|PROCINFO|close|fflush|[|>@]/;

/** Words behind which a slash begins a pattern, while behind other names it divides. */
const AWK_KEYWORDS = /^(?:else|do|exit|delete|case|default|next|nextfile|getline|length|function|func)$/;

/**
 * Names, operators and brackets of an awk program, without texts, patterns and comments; undefined where one has no end,
 * and where a slash may divide or begin a pattern, which would hide what does more than print.
 */
function awkTokens(program: string): string[] | undefined {
  const suspicious = AWK_SUSPICIOUS.test(program);
  const tokens: string[] = [];
  let rest = program;
  while (rest !== "") {
    const last = tokens.at(-1);
    const regexAllowed =
      last === undefined || /^(?:[({,;!~&|?:=<>+*%^-]|&&|\|\||==|!=|<=|>=|\n|}|return|print|printf|in)$/.test(last);
    const match =
      /^(?:[ \t\r]+|\\\n|#[^\n]*)/.exec(rest) ??
      /^"(?:[^"\\\n]|\\[\s\S])*"/.exec(rest) ??
      (regexAllowed ? /^\/(?:[^/\\\n[]|\\.|\[\]?(?:[^\]\\\n]|\\.)*\])+\//.exec(rest) : null) ??
      /^[A-Za-z_]\w*/.exec(rest) ??
      /^(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)/.exec(rest) ??
      /^(?:\|&|\|\||&&|>>|>=|<=|==|!=|\+\+|--|[-+*/%^]=|[\s\S])/.exec(rest);
    const text = match?.[0] ?? "";
    if (text === '"' || text === "`" || text === "'") return undefined;
    rest = rest.slice(text.length);
    const divides = (text === "/" || text === "/=") && rest.includes("/");
    const slashInside = /^\/(?:[^/\\]|\\[\s\S])*\/./s.test(text) && text.length > 2;
    if (suspicious && (slashInside || (divides && /^(?:\)|text|\+\+|--)$/.test(last ?? ")")))) return undefined;
    if (suspicious && divides && AWK_KEYWORDS.test(last ?? "")) return undefined;
    if (/^[ \t\r#]/.test(text) || text === "\\\n") continue;
    tokens.push(text.startsWith('"') || (text.length > 1 && text.startsWith("/") && text !== "/=") ? "text" : text);
  }
  return tokens;
}

/** Reads a sed script command by command. */
function readSed(script: string): Effect {
  let rest = script;
  for (;;) {
    rest = rest.replace(/^[\s;]+/, "");
    if (rest === "") return "prints";
    if (rest.startsWith("#")) {
      rest = rest.replace(/^#[^\n]*/, "");
      continue;
    }
    const address = readAddress(rest);
    if (address === undefined) return "unclear";
    rest = rest.slice(address).replace(/^[\s!]+/, "");
    const command = rest[0] ?? "";
    if (command === "e") return "runs";
    if (/[wW]/.test(command)) return "writes";
    const length = commandLength(command, rest);
    if (typeof length === "string") return length;
    rest = rest.slice(length);
  }
}

function commandLength(command: string, rest: string): number | Effect {
  if (command === "s") return readSubstitution(rest);
  if (command === "y") return delimited(rest.slice(1), 2)?.length ?? "unclear";
  if (/[{}=dDgGhHnNpPxlz]/.test(command)) return 1;
  if (/[qQ]/.test(command)) return /^.\s*\d*/.exec(rest)?.[0].length ?? 1;
  if (/[btT:]/.test(command)) return /^.[ \t]*[\w-]*/.exec(rest)?.[0].length ?? 1;
  if (/[aic]/.test(command)) return /^.[^\n]*(?:\\\n[^\n]*)*/.exec(rest)?.[0].length ?? 1;
  return "unclear";
}

function readSubstitution(rest: string): number | Effect {
  const body = delimited(rest.slice(1), 2);
  if (!body) return "unclear";
  const start = 1 + body.length;
  const flags = /^[^;}\n#]*/.exec(rest.slice(start))?.[0] ?? "";
  const trimmed = flags.trim();
  if (/^[gpiImM\d]*$/.test(trimmed)) return start + flags.length;
  if (/^[gpiImM\d]*e/.test(trimmed)) return "runs";
  return /w/.test(trimmed) ? "writes" : "unclear";
}

/**
 * The text up to the `count`-th unescaped delimiter, which is its first character. Undefined where one stands in a
 * bracket: versions of sed differ about it.
 */
function delimited(text: string, count: number): { length: number } | undefined {
  const delimiter = text[0];
  if (delimiter === undefined || /[\\\n]/.test(delimiter)) return undefined;
  let left = count;
  let bracket = false;
  for (let at = 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "[") bracket = true;
    else if (char === "]") bracket = false;
    else if (char === delimiter) {
      if (bracket && left > 1) return undefined;
      bracket = false;
      left -= 1;
      if (left === 0) return { length: at + 1 };
    }
  }
  return undefined;
}

/** Length of the addresses before a command; undefined where they cannot be read. */
function readAddress(text: string): number | undefined {
  const one = oneAddress(text);
  if (one === undefined) return undefined;
  if (one === 0) return 0;
  const comma = /^\s*,\s*/.exec(text.slice(one))?.[0].length;
  if (comma === undefined) return one;
  const start = one + comma;
  const step = /^[+~]\d+/.exec(text.slice(start))?.[0].length;
  const two = step ?? oneAddress(text.slice(start));
  return two ? start + two : undefined;
}

function oneAddress(text: string): number | undefined {
  const plain = /^(?:\$|\d+(?:~\d+)?)/.exec(text)?.[0].length;
  if (plain !== undefined) return plain;
  const custom = text.startsWith("\\");
  if (!custom && !text.startsWith("/")) return 0;
  const body = delimited(custom ? text.slice(1) : text, 1);
  if (!body) return undefined;
  const length = body.length + (custom ? 1 : 0);
  return length + (/^[IM]+/.exec(text.slice(length))?.[0].length ?? 0);
}
