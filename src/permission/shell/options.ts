import { type Field, fieldStart, fieldText } from "./fields.ts";

/**
 * Options that are known of a program. Whatever is not listed is unknown: abbreviations of long options and unlisted
 * letters in a bundle too. `flags` take no value; `valued` one of text; `paths` one that names a file to read;
 * `optional` one behind `=` only. `numeric`: `-20` is an option. `harmless`: no option of the program does anything but
 * change what it prints, so words that may turn out to be options are no danger.
 */
export interface OptionTable {
  flags: ReadonlySet<string>;
  valued: ReadonlySet<string>;
  paths: ReadonlySet<string>;
  optional: ReadonlySet<string>;
  numeric: boolean;
  harmless: boolean;
}

/** What a call's options come to, in order, and what is left. `pathValues`: values that name files. */
export interface ParsedOptions {
  options: { name: string; value?: Field }[];
  pathValues: Field[];
  operands: Field[];
}

/**
 * A table from texts such as `"-a -b --all"`. Letters may be written together: `"-ab"` lists two options. `"=-all"` lists
 * one option of several letters behind a single dash.
 */
export function optionTable(texts: {
  flags?: string;
  valued?: string;
  paths?: string;
  optional?: string;
  numeric?: boolean;
  harmless?: boolean;
}): OptionTable {
  return {
    flags: listOf(texts.flags),
    valued: listOf(texts.valued),
    paths: listOf(texts.paths),
    optional: listOf(texts.optional),
    numeric: texts.numeric ?? false,
    harmless: texts.harmless ?? false,
  };
}

/**
 * Reads the arguments behind a program's name. Undefined where an option is unknown, or a word that is not known may be
 * one. `stopAtOperand`: what follows the first operand belongs to another program.
 */
export function parseOptions(
  args: readonly Field[],
  table: OptionTable,
  stopAtOperand = false,
): ParsedOptions | undefined {
  const parsed: ParsedOptions = { options: [], pathValues: [], operands: [] };
  for (let at = 0; at < args.length; at += 1) {
    const field = args[at];
    if (!field) break;
    const text = fieldText(field);
    if (text === "--") {
      parsed.operands.push(...args.slice(at + 1));
      return parsed;
    }
    const start = fieldStart(field);
    if (field.many || (start === "" && text === undefined && !startsSafely(field))) {
      if (!table.harmless) return undefined;
      parsed.operands.push(field);
    } else if (!start.startsWith("-") || text === "-") {
      if (stopAtOperand) {
        parsed.operands.push(...args.slice(at));
        return parsed;
      }
      parsed.operands.push(field);
    } else {
      const used = start.startsWith("--")
        ? readLong(field, args[at + 1], table, parsed)
        : readShort(field, args[at + 1], table, parsed);
      if (used === undefined) return undefined;
      at += used;
    }
  }
  return parsed;
}

/** Whether one of the options was given. */
export function hasOption(parsed: ParsedOptions, ...names: readonly string[]): boolean {
  return parsed.options.some(({ name }) => names.includes(name));
}

/** The values of the options, in order. */
export function optionValues(parsed: ParsedOptions, ...names: readonly string[]): Field[] {
  return parsed.options.flatMap(({ name, value }) => (value && names.includes(name) ? [value] : []));
}

/** The field without its first `count` characters, which must be known. */
export function dropStart(field: Field, count: number): Field {
  const [first, ...rest] = field.pieces;
  if (first?.kind !== "text") return field;
  const text = first.text.slice(count);
  return { ...field, pieces: text === "" && rest.length > 0 ? rest : [{ kind: "text", text }, ...rest] };
}

/** How many further arguments the option uses; undefined where it is unknown. */
function readLong(
  field: Field,
  next: Field | undefined,
  table: OptionTable,
  parsed: ParsedOptions,
): number | undefined {
  const start = fieldStart(field);
  const equals = start.indexOf("=");
  const name = equals < 0 ? fieldText(field) : start.slice(0, equals);
  if (name === undefined) return undefined;
  if (equals >= 0) {
    if (table.flags.has(name) || !(table.valued.has(name) || table.paths.has(name) || table.optional.has(name)))
      return undefined;
    addValue(name, dropStart(field, equals + 1), table, parsed);
    return 0;
  }
  if (table.flags.has(name) || table.optional.has(name)) {
    parsed.options.push({ name });
    return 0;
  }
  if (!(table.valued.has(name) || table.paths.has(name)) || !isOneWord(next, table)) return undefined;
  addValue(name, next, table, parsed);
  return 1;
}

function readShort(
  field: Field,
  next: Field | undefined,
  table: OptionTable,
  parsed: ParsedOptions,
): number | undefined {
  const start = fieldStart(field);
  const whole = fieldText(field);
  if (whole !== undefined && (table.flags.has(whole) || (table.numeric && /^-\d+$/.test(whole)))) {
    parsed.options.push({ name: whole });
    return 0;
  }
  if (whole !== undefined && whole.length > 2 && (table.valued.has(whole) || table.paths.has(whole))) {
    if (!isOneWord(next, table)) return undefined;
    addValue(whole, next, table, parsed);
    return 1;
  }
  for (let at = 1; at < start.length; at += 1) {
    const name = `-${start[at]}`;
    if (table.flags.has(name)) {
      parsed.options.push({ name });
    } else if (table.optional.has(name)) {
      parsed.options.push({ name });
      return 0;
    } else if (table.valued.has(name) || table.paths.has(name)) {
      const rest = dropStart(field, at + 1);
      const attached = at + 1 < start.length || whole === undefined;
      const value = attached ? rest : next;
      if (!isOneWord(value, table)) return undefined;
      addValue(name, value, table, parsed);
      return attached ? 0 : 1;
    } else {
      return undefined;
    }
  }
  return whole === undefined ? undefined : 0;
}

/** A wildcard may become several words, of which only the first would be the option's value. */
function isOneWord(field: Field | undefined, table: OptionTable): field is Field {
  return field !== undefined && (table.harmless || !(field.many || field.pieces.some(({ kind }) => kind === "wild")));
}

function addValue(name: string, value: Field, table: OptionTable, parsed: ParsedOptions): void {
  parsed.options.push({ name, value });
  if (table.paths.has(name)) parsed.pathValues.push(value);
}

/** A number or the path of a process substitution is no option. */
function startsSafely({ pieces }: Field): boolean {
  return pieces[0]?.kind === "number" || pieces[0]?.kind === "descriptor";
}

function listOf(text: string | undefined): ReadonlySet<string> {
  const names = (text ?? "").split(" ").filter((name) => name !== "");
  return new Set(
    names.flatMap((name) => {
      if (name.startsWith("=")) return [name.slice(1)];
      return /^-[^-]{2,}$/.test(name) ? [...name.slice(1)].map((letter) => `-${letter}`) : [name];
    }),
  );
}
