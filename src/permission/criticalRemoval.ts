import { type Folders, fieldAccesses } from "./fieldAccess.ts";
import { foldCase, pathApi, pathSegments } from "./paths.ts";
import { type Field, fieldStart, fieldText } from "./shell/fields.ts";
import type { Surroundings } from "./surroundings.ts";

const REMOVERS = new Set(["rm", "rmdir", "unlink", "shred", "srm", "trash"]);

/** Folders of the system at the root, folded, whose loss no undo mends. */
const SYSTEM = new Set([
  ..."bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr var".split(" "),
  ..."users applications library system volumes private cores network nix snap windows".split(" "),
  "program files",
  "program files (x86)",
]);
const BELOW_SYSTEM = /^(?:usr|system|library|mnt|media|volumes|home|users)$/;

/**
 * Why a removal may destroy what cannot be brought back, or undefined: roots, the home folder, folders of the system, a
 * repository, the project and what it lies in, and any operand that is not known. No rule and no mode allows it.
 */
export async function criticalRemoval(
  program: string,
  fields: readonly Field[],
  folders: Folders,
  around: Surroundings,
): Promise<string | undefined> {
  if (program === "find") return criticalFind(fields.slice(1), folders, around);
  if (program === "rsync") return criticalMirror(fields.slice(1), folders, around);
  if (!REMOVERS.has(program)) return undefined;
  for (const operand of operandsOf(fields.slice(1))) {
    const reason = await criticalOperand(operand, folders, around);
    if (reason) return reason;
  }
  return undefined;
}

function operandsOf(args: readonly Field[]): Field[] {
  const end = args.findIndex((field) => fieldText(field) === "--");
  return args.filter((field, index) => (end >= 0 && index > end) || (index !== end && !/^-./s.test(fieldStart(field))));
}

async function criticalOperand(field: Field, folders: Folders, around: Surroundings): Promise<string | undefined> {
  const text = fieldText(field);
  const short = (text ?? field.raw).replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  if (text !== "" && /^(?:\.|\.\.|[.*?]+|)$/.test(short) && !/^\/+[^/]/.test(text ?? field.raw))
    return `It removes ${field.raw}, which is a whole folder.`;
  const accesses = fieldAccesses(field, "write", folders);
  if (!accesses) return `What it removes is not known: ${field.raw}.`;
  for (const { target, base, below } of accesses) {
    const everything = below?.every(({ atoms }) => atoms.every(({ kind }) => kind !== "char")) ?? true;
    if (below && !everything) continue;
    const reason = await criticalPath(target, base, below !== undefined, around);
    if (reason) return reason;
  }
  return undefined;
}

/** `content`: everything in the folder goes, but not the folder. */
async function criticalPath(
  target: string,
  base: string,
  content: boolean,
  around: Surroundings,
): Promise<string | undefined> {
  const { context } = around;
  const api = pathApi(context);
  const absolute = api.isAbsolute(target) ? target : `${base}/${target}`;
  const forms = [api.normalize(absolute), await around.paths.real(absolute)];
  for (const form of forms) {
    const segments = pathSegments(form, api).map(foldCase);
    if (holdsAnchor(segments, around)) return `It removes ${form}, which holds the project or the home folder.`;
    if (isSystem(segments)) return `It removes ${form}, a folder of the system.`;
    if (segments.at(-1) === ".git" && !content) return `It removes ${form}, the repository with all its history.`;
    if (segments.at(-1) === ".git") return `It removes what is in ${form}, the repository with all its history.`;
  }
  return undefined;
}

function holdsAnchor(segments: readonly string[], around: Surroundings): boolean {
  return around.irreplaceable.some(({ folded }) => segments.every((segment, index) => folded[index] === segment));
}

function isSystem(segments: readonly string[]): boolean {
  const [drive, ...rest] = segments;
  const parts = drive !== undefined && /^[a-z]:$/.test(drive) ? rest : segments;
  const [top, second, third] = parts;
  if (top === undefined) return true;
  if (/^[a-z]$/.test(top) && second === undefined) return true;
  if (!SYSTEM.has(top)) return false;
  if (second === undefined) return true;
  if (top === "private") return third === undefined && (SYSTEM.has(second) || second === "etc");
  return third === undefined && BELOW_SYSTEM.test(top);
}

/** `rsync --delete` removes what its last operand holds and the others do not. */
async function criticalMirror(
  args: readonly Field[],
  folders: Folders,
  around: Surroundings,
): Promise<string | undefined> {
  if (!args.some((field) => /^--del/.test(fieldStart(field)))) return undefined;
  const target = args.findLast((field) => !fieldStart(field).startsWith("-"));
  return target && !fieldStart(target).includes(":") ? criticalOperand(target, folders, around) : undefined;
}

/** `find … -delete` removes its starting points with all that is in them unless a test by name narrows it. */
async function criticalFind(
  args: readonly Field[],
  folders: Folders,
  around: Surroundings,
): Promise<string | undefined> {
  const words = args.map((field) => fieldText(field));
  if (!words.includes("-delete") || isNarrow(words)) return undefined;
  const end = args.findIndex((field) => /^[-(!]/.test(fieldStart(field)));
  const starts = args.slice(0, end < 0 ? args.length : end);
  for (const start of starts) {
    const reason = await criticalOperand(start, folders, around);
    if (reason) return reason;
  }
  return starts.length === 0 ? "It removes everything in the folder." : undefined;
}

/** A test by name narrows it, but not one for every name, one that is turned round, or one of several. */
function isNarrow(words: readonly (string | undefined)[]): boolean {
  if (words.some((word) => word === undefined || /^(?:!|-not|-o|-or|,)$/.test(word))) return false;
  return words.some(
    (word, index) =>
      /^-i?(?:name|path|wholename|regex)$/.test(words[index - 1] ?? "") && /[^*?.[\]^$()|+/\\]/.test(word ?? ""),
  );
}
