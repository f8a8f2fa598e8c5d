import { sedRunsOrWrites } from "./readOnly/textPrograms.ts";
import { type Field, fieldStart, fieldText, joined, textField } from "./shell/fields.ts";
import {
  dropStart,
  hasOption,
  type OptionTable,
  optionTable,
  optionValues,
  type ParsedOptions,
  parseOptions,
} from "./shell/options.ts";

/**
 * What a program that changes files touches. `edits`: it does no more than an edit would, so a mode for edits covers it.
 * `whole`: folders are touched with all that is in them.
 */
export interface FileUse {
  reads: readonly Field[];
  writes: readonly Field[];
  edits: boolean;
  whole: boolean;
}

interface FileProgram {
  options: OptionTable;
  use(parsed: ParsedOptions): FileUse | undefined;
}

const BACKUPS = "--backup --suffix";
const COPY = optionTable({
  flags:
    "-abfHiLnPpRruvdTx --archive --force --interactive --no-clobber --preserve --recursive --update --verbose --no-target-directory --dereference --no-dereference --one-file-system --parents --attributes-only --debug",
  valued: "-tS --target-directory --suffix",
  optional: "--preserve --no-preserve --update --backup --reflink --sparse",
});
const MOVE = optionTable({
  flags: "-bfinuvT --force --interactive --no-clobber --verbose --no-target-directory --debug",
  valued: "-tS --target-directory --suffix",
  optional: `--update ${BACKUPS}`,
});

const PROGRAMS: Readonly<Record<string, FileProgram>> = {
  mkdir: all({ flags: "-pv --parents --verbose", valued: "-m --mode" }, true),
  touch: {
    options: optionTable({
      flags: "-acfhm --no-create --no-dereference",
      valued: "-dt --date --time",
      paths: "-r --reference",
    }),
    use: ({ operands, pathValues }) => ({ reads: pathValues, writes: operands, edits: true, whole: false }),
  },
  rmdir: all({ flags: "-pv --parents --verbose --ignore-fail-on-non-empty" }, true),
  rm: {
    options: optionTable({
      flags: "-dfiIrRv --force --recursive --dir --verbose --one-file-system --preserve-root --no-preserve-root",
      optional: "--interactive",
    }),
    use: (parsed) => ({ reads: [], writes: parsed.operands, edits: !sweeps(parsed), whole: sweeps(parsed) }),
  },
  unlink: all({}, false),
  shred: all(
    { flags: "-fuvxz --force --verbose --exact --zero -u", valued: "-ns --iterations --size", optional: "--remove" },
    false,
  ),
  truncate: all({ flags: "-co --no-create --io-blocks", valued: "-sr --size --reference" }, false),
  tee: all({ flags: "-aip --append --ignore-interrupts", optional: "--output-error" }, true),
  cp: { options: COPY, use: (parsed) => copies(parsed, true) },
  mv: { options: MOVE, use: (parsed) => moves(parsed) },
  install: {
    options: optionTable({
      flags: "-bcCdDpsTv --compare --directory --preserve-timestamps --strip --verbose",
      valued: "-gmotS --group --mode --owner --target-directory",
    }),
    use: (parsed) =>
      hasOption(parsed, "-d", "--directory")
        ? { reads: [], writes: parsed.operands, edits: false, whole: false }
        : copies(parsed, false),
  },
  ln: {
    options: optionTable({
      flags:
        "-bfFiLnPrsvT --force --interactive --logical --no-dereference --physical --relative --symbolic --verbose --no-target-directory",
      valued: "-tS --target-directory --suffix",
      optional: "--backup",
    }),
    use: (parsed) => links(parsed),
  },
  chmod: modes(),
  chown: modes(),
  chgrp: modes(),
  dd: { options: optionTable({}), use: ({ operands }) => blocks(operands) },
  sed: { options: sedOptions(), use: (parsed) => sedInPlace(parsed) },
  gsed: { options: sedOptions(), use: (parsed) => sedInPlace(parsed) },
};

/** What a known program for files touches; undefined for other programs, and where its options are not all known. */
export function fileUse(program: string, fields: readonly Field[]): FileUse | undefined {
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  const parsed = known && parseOptions(fields.slice(1), known.options);
  return parsed && known.use(parsed);
}

const NAMES_OUTPUT =
  /^(?:-[oO]|--?out(?:p|pu|put|file|dir)?(?:-(?:document|file|dir|directory))?|--directory(?:-prefix)?)$/;
const TAKES_FOLDER: Readonly<Record<string, string>> = { tar: "-C", unzip: "-d", wget: "-P" };
const COPIES_TO_LAST = new Set(["rsync", "scp"]);

/** Files that other programs write, as far as the usual options for output tell. */
export function outputsOf(program: string, fields: readonly Field[]): Field[] {
  const found: Field[] = [];
  for (const [index, field] of fields.entries()) {
    const start = fieldStart(field);
    const next = fields[index + 1];
    const named = NAMES_OUTPUT.test(start) || start === TAKES_FOLDER[program];
    if (named && fieldText(field) === start && next) found.push(next);
    const equals = start.indexOf("=");
    if (equals > 0 && NAMES_OUTPUT.test(start.slice(0, equals))) found.push(dropStart(field, equals + 1));
    if (/^-[oO][^-]/.test(start)) found.push(dropStart(field, 2));
  }
  const last = fields.at(-1);
  if (COPIES_TO_LAST.has(program) && last && fields.length > 2 && !fieldStart(last).includes(":")) found.push(last);
  return found;
}

function sweeps(parsed: ParsedOptions): boolean {
  return hasOption(parsed, "-r", "-R", "-a", "--recursive", "--archive");
}

function all(texts: Parameters<typeof optionTable>[0], edits: boolean): FileProgram {
  return { options: optionTable(texts), use: ({ operands }) => ({ reads: [], writes: operands, edits, whole: false }) };
}

function copies(parsed: ParsedOptions, edits: boolean): FileUse | undefined {
  const { sources, target } = sourcesAndTarget(parsed);
  if (!target || sources.length === 0) return undefined;
  const places = sources.flatMap((source) => inside(target, source));
  return { reads: sources, writes: [target, ...places], edits, whole: sweeps(parsed) };
}

function moves(parsed: ParsedOptions): FileUse | undefined {
  const use = copies(parsed, true);
  return use && { ...use, reads: [], writes: [...use.reads, ...use.writes], whole: true };
}

/** A link makes its target reachable under another name, so it counts as if the target itself were touched. */
function links(parsed: ParsedOptions): FileUse | undefined {
  const { sources, target } = sourcesAndTarget(parsed);
  if (!target) return undefined;
  const places = sources.length > 0 ? [target, ...sources.flatMap((source) => inside(target, source))] : [];
  return { reads: [...sources, target], writes: places, edits: false, whole: false };
}

function sourcesAndTarget(parsed: ParsedOptions): { sources: readonly Field[]; target: Field | undefined } {
  const [folder] = optionValues(parsed, "-t", "--target-directory");
  if (folder) return { sources: parsed.operands, target: folder };
  return { sources: parsed.operands.slice(0, -1), target: parsed.operands.at(-1) };
}

/** Where a source ends up if the target is a folder. */
function inside(target: Field, source: Field): Field[] {
  const name = fieldText(source)?.replace(/\/+$/, "").split("/").at(-1);
  if (!name || name === "." || name === "..") return [];
  return [{ ...target, pieces: joined([...target.pieces, { kind: "text", text: `/${name}` }]) }];
}

function modes(): FileProgram {
  return {
    options: optionTable({
      flags:
        "-cfhHLPRv --changes --silent --quiet --recursive --verbose --no-dereference --dereference --preserve-root",
      valued: "--reference --from",
    }),
    use: (parsed) => ({ reads: [], writes: parsed.operands.slice(1), edits: false, whole: sweeps(parsed) }),
  };
}

function blocks(operands: readonly Field[]): FileUse {
  const named = (name: string): Field[] =>
    operands
      .filter((field) => fieldStart(field).startsWith(name))
      .map((field) => {
        const text = fieldText(field);
        return text === undefined
          ? { ...field, pieces: [{ kind: "any" as const }] }
          : textField(text.slice(name.length));
      });
  return { reads: named("if="), writes: named("of="), edits: false, whole: false };
}

function sedOptions(): OptionTable {
  return optionTable({
    flags: "-nErsuz --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --follow-symlinks",
    valued: "-el --expression --line-length",
    optional: "-i --in-place",
  });
}

/** `sed -i` changes its files, but only with a script that can be read does it change nothing else. */
function sedInPlace(parsed: ParsedOptions): FileUse | undefined {
  if (!hasOption(parsed, "-i", "--in-place")) return undefined;
  const expressions = optionValues(parsed, "-e", "--expression");
  const scripts = expressions.length > 0 ? expressions : parsed.operands.slice(0, 1);
  const writes = expressions.length > 0 ? parsed.operands : parsed.operands.slice(1);
  const edits = scripts.every((field) => sedRunsOrWrites(fieldText(field) ?? "e") === "prints");
  return { reads: [], writes, edits, whole: false };
}
