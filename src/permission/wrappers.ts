import { type Field, fieldStart, fieldText, joined, type Piece } from "./shell/fields.ts";
import { dropStart, optionValues, type ParsedOptions, parseOptions } from "./shell/options.ts";
import { LOADER, LOOSE, WRAPPERS, type Wrapper } from "./wrapperTable.ts";

/** The inner command of a wrapper: words that begin at `at`, or shell text. `certain`: false for a guess. */
export type Inner =
  | { kind: "words"; fields: readonly Field[]; at: number; certain: boolean }
  | { kind: "script"; text: Field; certain: boolean };

/**
 * What a wrapper call holds. `transparent` as in the table; `known`: its options are all known; `assigned`: names of the
 * variables that it sets.
 */
export interface Unwrapped {
  inner: readonly Inner[];
  transparent: boolean;
  known: boolean;
  assigned: readonly string[];
  /** Who reads shell text that it is given. */
  shell: "sh" | "split";
}

/** Whether the program runs another one that its arguments name; `second`: the word behind it. */
export function isWrapper(program: string, second: string | undefined): boolean {
  return LOADER.test(program) || WRAPPERS.has(program) || LOOSE.has(program) || LOOSE.has(`${program} ${second}`);
}

/** Looks into a wrapper call; undefined where it is none, or where it runs nothing. `program`: its name without a path. */
export function unwrap(program: string, fields: readonly Field[]): Unwrapped | undefined {
  const wrapper = WRAPPERS.get(program);
  if (wrapper) return unwrapKnown(wrapper, program, fields);
  const second = fieldText(fields[1]);
  const pair = second === undefined ? undefined : LOOSE.get(`${program} ${second}`);
  if (pair !== undefined) return loosely(fields, 2, pair);
  const skip = LOADER.test(program) ? 0 : LOOSE.get(program);
  return skip === undefined ? undefined : loosely(fields, 1, skip);
}

function unwrapKnown(wrapper: Wrapper, program: string, fields: readonly Field[]): Unwrapped | undefined {
  const query = program === "command" && /^-[pvV]*[vV]/.test(fieldText(fields[1]) ?? "");
  if (query) return undefined;
  const parsed = parseOptions(fields.slice(1), wrapper.options, true);
  if (!parsed) return { ...loosely(fields, 1, wrapper.skip ?? 0), known: false };
  const scripts = optionValues(parsed, ...(wrapper.script ?? []));
  let at = fields.length - parsed.operands.length;
  const assigned: string[] = [];
  if (program === "env" && fieldText(fields[at]) === "-") at += 1;
  for (; wrapper.assigns && at < fields.length; at += 1) {
    const name = /^([^=]*)=/.exec(fieldStart(fields[at] as Field))?.[1];
    if (name === undefined) break;
    assigned.push(name);
  }
  at += wrapper.skip ?? 0;
  const words = fields.slice(at);
  const inner: Inner[] = scripts.map((text) => {
    const whole = program === "env" ? joinFields([text, ...words]) : text;
    return { kind: "script", text: whole, certain: true };
  });
  if (words.length > 0 && scripts.length === 0) {
    const appended = wrapper.appends ? appendedWords(words, parsed) : words;
    inner.push({ kind: "words", fields: appended, at, certain: true });
    if (wrapper.joins) inner.push({ kind: "script", text: joinFields(words), certain: true });
  }
  const late = fields.length > at ? lateScripts(wrapper, words) : [];
  inner.push(...late);
  if (inner.length === 0) return undefined;
  return {
    inner,
    transparent: wrapper.transparent ?? false,
    known: true,
    assigned,
    shell: program === "env" ? "split" : "sh",
  };
}

/** What `xargs` runs: what it reads comes last, or instead of each place that `-I` names. */
function appendedWords(words: readonly Field[], parsed: ParsedOptions): Field[] {
  const given = parsed.options.find(({ name }) => /^-[iI]$|^--replace$/.test(name));
  if (!given) return [...words, UNKNOWN];
  const place = given.value ? fieldText(given.value) : "{}";
  return words.map((field) => withUnknown(field, place || "{}"));
}

/** The field with unknown text instead of each `place`; `place` undefined: it may be any text. */
function withUnknown(field: Field, place: string | undefined): Field {
  const pieces = field.pieces.flatMap((piece): Piece[] => {
    if (place === undefined || piece.kind !== "text") return [{ kind: "any" }];
    return piece.text
      .split(place)
      .flatMap((text, index): Piece[] => [...(index > 0 ? [{ kind: "any" as const }] : []), { kind: "text", text }]);
  });
  return { ...field, pieces: joined(pieces) };
}

const UNKNOWN: Field = { pieces: [{ kind: "any" }], raw: "what it reads", many: true };

/** Some take `-c TEXT` behind their operand as well (`flock FILE -c TEXT`). */
function lateScripts(wrapper: Wrapper, words: readonly Field[]): Inner[] {
  const at = words.findIndex((field) => wrapper.script?.includes(fieldText(field) ?? ""));
  const text = at === 0 ? words[1] : undefined;
  return text ? [{ kind: "script", text, certain: true }] : [];
}

/** Every place where the inner command may begin: behind the options, each with at most one value. */
function loosely(fields: readonly Field[], from: number, skip: number): Unwrapped {
  const inner: Inner[] = [];
  let operands = 0;
  let afterOption = false;
  for (let at = from; at < fields.length && at < from + 64; at += 1) {
    const field = fields[at] as Field;
    const option = fieldStart(field).startsWith("-");
    if (!option) {
      inner.push({ kind: "words", fields: fields.slice(at), at, certain: false });
      inner.push({ kind: "script", text: joinFields(fields.slice(at)), certain: false });
      if (!afterOption) operands += 1;
      if (operands > skip) break;
    }
    afterOption = option && !fieldStart(field).includes("=") && fieldText(field) !== "--";
    const attached = option ? fieldStart(field).indexOf("=") : -1;
    if (attached > 0) inner.push({ kind: "script", text: dropStart(field, attached + 1), certain: false });
  }
  return { inner, transparent: false, known: true, assigned: [], shell: "sh" };
}

function joinFields(fields: readonly Field[]): Field {
  const pieces = fields.flatMap((field, index) => [
    ...(index > 0 ? [{ kind: "text" as const, text: " " }] : []),
    ...field.pieces,
  ]);
  return { pieces: joined(pieces), raw: fields.map(({ raw }) => raw).join(" "), many: fields.some(({ many }) => many) };
}
