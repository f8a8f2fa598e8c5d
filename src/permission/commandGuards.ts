import { interpreterCode } from "./codeArguments.ts";
import { commandSuggestions } from "./commandSuggestions.ts";
import { configurationWords } from "./configuration.ts";
import { criticalRemoval } from "./criticalRemoval.ts";
import { type Folders, fieldAccesses } from "./fieldAccess.ts";
import { type FileAccess, judgeAccess } from "./fileAccess.ts";
import { fileUse, outputsOf } from "./fileCommands.ts";
import { foreignRepository } from "./gitFolders.ts";
import { mayWrite } from "./mayWrite.ts";
import { actsOnOthers } from "./otherAgents.ts";
import type { ReadOnlyUse } from "./readOnly/readOnlyUse.ts";
import { type Field, fieldStart, fieldText, textField } from "./shell/fields.ts";
import type { ShellCommand } from "./shell/shellItems.ts";
import { type Coverage, objectedPrograms } from "./shellRules.ts";
import type { Surroundings } from "./surroundings.ts";
import { ask, deny, type Verdict } from "./verdict.ts";

/** What no rule with a wildcard lifts: each verdict holds whatever allows the command. */
export async function judgeGuards(
  program: string,
  command: ShellCommand,
  use: ReadOnlyUse | undefined,
  coverage: Coverage | undefined,
  around: Surroundings,
): Promise<Verdict[]> {
  const { fields, cwds } = command;
  const verdicts: Verdict[] = [];
  const critical = await criticalRemoval(program, fields, cwds, around);
  if (critical) verdicts.push(ask("guarded", critical));
  const others = actsOnOthers(program, fields.slice(1));
  if (others) verdicts.push(ask(others.guarded ? "guarded" : "plain", others.reason));
  if (program === "git") verdicts.push(...(await judgeRepository(command, use, around)));
  const named = use ? undefined : configurationWords(program, fields);
  if (named !== undefined && !(coverage && coverage.words >= named)) {
    const suggestions = commandSuggestions(command.source, fields);
    verdicts.push(ask("guarded", "It changes a configuration that names programs.", { suggestions }));
  }
  const problem = use ? undefined : interpreterProblem(program, command, around);
  if (problem) verdicts.push(ask("opaque", problem));
  verdicts.push(...(await judgeFiles(program, command, { use, coverage, critical: critical !== undefined }, around)));
  return verdicts;
}

async function judgeRepository(
  { cwds, fields }: ShellCommand,
  use: ReadOnlyUse | undefined,
  around: Surroundings,
): Promise<Verdict[]> {
  if (use && !use.git) return [];
  const at = fields.findIndex((field) => fieldText(field) === "-C");
  const folder = use ? use.folder : at === 1 ? fields[at + 1] : undefined;
  const places = folder ? fieldAccesses(folder, "read", cwds) : cwds?.map((base) => ({ target: ".", base }));
  if (!places) return [ask("plain", "Which repository git would obey is not known.")];
  for (const { target, base } of places) {
    const reason = await foreignRepository(target.startsWith("/") ? target : `${base}/${target}`, around);
    if (reason) return [ask("plain", reason)];
  }
  return [];
}

/**
 * The files that the command is known, or may be taken, to touch. A critical removal is a question of its own, also where
 * it would sweep over the team's state.
 */
async function judgeFiles(
  program: string,
  command: ShellCommand,
  { use, coverage, critical }: { use: ReadOnlyUse | undefined; coverage: Coverage | undefined; critical: boolean },
  around: Surroundings,
): Promise<Verdict[]> {
  const { fields, cwds } = command;
  const known = use ? undefined : fileUse(program, fields);
  const accesses: FileAccess[] = [];
  for (const { field, recursive } of use?.reads ?? [])
    accesses.push(...(fieldAccesses(field, "read", cwds, recursive) ?? []));
  if (!use && !critical)
    for (const field of wholeFolders(program, fields))
      accesses.push(...(fieldAccesses(field, "read", cwds, { hidden: true }) ?? []));
  const whole = known?.whole && !critical ? { hidden: true } : undefined;
  for (const field of known?.reads ?? []) accesses.push(...(fieldAccesses(field, "read", cwds, whole) ?? []));
  const writes = use ? [] : (known?.writes ?? outputsOf(program, fields));
  for (const field of writes) accesses.push(...(fieldAccesses(field, "write", cwds, whole) ?? []));
  if (!use && !known)
    for (const field of mentions(fields)) accesses.push(...(fieldAccesses(field, "read", cwds ?? []) ?? []));
  const verdicts = await Promise.all(accesses.map((access) => judgeAccess(access, around)));
  if (!use && !(known && tellsAll(program)))
    verdicts.push(...(await judgeProtected(mayWrite(program, fields), cwds, around)));
  const spelledOut = use ? undefined : mentionOfState(fields, around);
  const holding = verdicts.filter((verdict) => holdsFor(verdict, coverage));
  return spelledOut ? [deny(spelledOut), ...holding] : holding;
}

const TAKES_FOLDERS = /^(?:tar|bsdtar|pax|zip|7z[ar]?|rsync|scp)$/;

/** Folders that a program goes through or takes with all that is in them: `find`, whatever it does there, and copiers. */
function wholeFolders(program: string, [, ...args]: readonly Field[]): Field[] {
  if (program === "tar" && !args.some((field, index) => makesArchive(fieldStart(field), index))) return [];
  if (TAKES_FOLDERS.test(program)) return args.filter((field) => !fieldStart(field).startsWith("-"));
  if (program !== "find") return [];
  const first = args.findIndex((field) => !/^-(?:[HLP]|O\d*)$/.test(fieldStart(field)));
  const words = args.slice(Math.max(first, 0));
  const end = words.findIndex((field) => /^[-(!]/.test(fieldStart(field)));
  const starts = words.slice(0, end < 0 ? words.length : end);
  return starts.length > 0 ? starts : [textField(".")];
}

/** Whether the word makes `tar` write an archive: in a bundle, or without a dash as its first word. */
function makesArchive(word: string, index: number): boolean {
  return (
    /^-[a-zA-Z]*[cruA]|^--(?:c(?:r|$)|app|up|conc|cat)/.test(word) || (index === 0 && /^[a-zA-Z]*[cruA]/.test(word))
  );
}

/** A script of sed names files of its own. */
function tellsAll(program: string): boolean {
  return program !== "sed" && program !== "gsed";
}

/** Files that a program may write: only what no mode allows counts, as nobody knows whether it does. */
async function judgeProtected(fields: readonly Field[], cwds: Folders, around: Surroundings): Promise<Verdict[]> {
  const accesses = fields.flatMap((field) => fieldAccesses(field, "write", cwds ?? []) ?? []);
  const verdicts = await Promise.all(accesses.map((access) => judgeAccess(access, around)));
  return verdicts.filter((verdict) => verdict.behavior === "ask" && verdict.kind === "guarded");
}

/** A rule that spells the whole command out lifts the guard of a protected file, as one for editing it would. */
function holdsFor(verdict: Verdict, coverage: Coverage | undefined): boolean {
  if (verdict.behavior !== "ask") return verdict.behavior === "deny";
  return verdict.kind === "guarded" ? !coverage?.exact : verdict.kind !== "plain";
}

const MAX_MENTIONS = 200;
const MAX_LENGTH = 1024;

/** Arguments that may be paths, also behind `--option=` and `@`. */
function mentions(fields: readonly Field[]): Field[] {
  return fields.slice(1, MAX_MENTIONS).flatMap((field) => {
    const text = fieldText(field);
    if (text === undefined) return [field];
    if (text.length > MAX_LENGTH || text.includes("\n")) return [];
    const behind = [/^[^=]*=(.+)$/s.exec(text)?.[1], /@(.+)$/s.exec(text)?.[1]].filter((part) => part !== undefined);
    return [...(text.startsWith("-") ? [] : [field]), ...behind.map(textField)];
  });
}

/** The team's state named anywhere in an argument, such as in the code for an interpreter. */
function mentionOfState(fields: readonly Field[], { context }: Surroundings): string | undefined {
  const places = context.outOfReach.flatMap((place) => {
    const below = place.startsWith(`${context.home}/`) ? place.slice(context.home.length) : undefined;
    return [place, ...(below ? [`~${below}`, `$HOME${below}`] : [])];
  });
  const found = places.find((place) => fields.some((field) => fieldText(field)?.includes(place)));
  return found && `${found} belongs to the team's own state: only Muster itself reads and writes it.`;
}

/**
 * Why the code for an interpreter may run what a rule denies, or undefined: it names such a program, or starts programs
 * under names that only running it would show.
 */
function interpreterProblem(program: string, command: ShellCommand, { context }: Surroundings): string | undefined {
  const code = interpreterCode(program, command);
  const programs = code.length > 0 ? objectedPrograms(context.rules) : new Set();
  if (programs.size === 0) return undefined;
  const texts = code.filter((text) => text !== undefined);
  const named = texts.flatMap((text) => text.split(/[^\w.+-]+/)).find((word) => programs.has(word.toLowerCase()));
  if (named) return `Its code names ${named}, of which a rule speaks.`;
  if (texts.length < code.length) return "Its code is not known, and rules speak of what it may run.";
  const starts = texts.some((text) => STARTS_PROGRAMS.test(text));
  return starts ? "Its code starts programs, of which rules may speak." : undefined;
}

const STARTS_PROGRAMS =
  /(?<![.\w])(?:system|exec[lvpe]*|popen|qx|fork|spawn\w*|passthru|shell_exec|proc_open)\b|\b(?:subprocess|child_process|os\.\w+|pty|getoutput|Open3|IO\.popen|Process\.|ProcessBuilder|Runtime|__import__|Deno\.Command|Bun\.spawn|execa|shell)\b|`|^\s*[.:]?!|require\s*\(\s*(?:["'][^"']*["']\s*)?[^"')\s]/;
