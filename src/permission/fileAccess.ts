import { isMusterError } from "../base/errors.ts";
import type { Glob } from "./globs.ts";
import { hiddenCharacter } from "./hiddenCharacter.ts";
import {
  mayLieWithin,
  type PathForm,
  patternAllows,
  patternCovers,
  patternMayCover,
  patternReachesInto,
} from "./pathRules.ts";
import { absolutePath, pathApi, type ResolvedPath } from "./paths.ts";
import { protectedName } from "./protectedPaths.ts";
import { isEditTool, isReadTool, type Rule } from "./rules.ts";
import { harmlessDevice, specialFile } from "./specialFiles.ts";
import { fileSuggestions } from "./suggestions.ts";
import { allWithin, anyWithin, pathForms, type Surroundings } from "./surroundings.ts";
import type { DecisionContext } from "./types.ts";
import { allow, ask, deny, type Verdict, worst } from "./verdict.ts";
import { windowsPathProblem } from "./windowsPaths.ts";

/**
 * One access to a path. `base`: folder that a relative `target` starts from. `below`: case-folded wildcards that stand for
 * files below the target, one for each level. `recursive`: everything below a folder is touched as well; `hidden`: names
 * that begin with a dot too.
 */
export interface FileAccess {
  kind: "read" | "write";
  target: string;
  base: string;
  below?: readonly Glob[];
  recursive?: { hidden: boolean };
}

/** Judges an access by rules, guards and the border of the project. Never rejects for what is on the disk. */
export async function judgeAccess(access: FileAccess, around: Surroundings): Promise<Verdict> {
  const { target } = access;
  if (target.includes("\0")) return deny("The path holds a NUL character, which no file name can.");
  const absolute = absolutePath(target, access.base, around.context);
  const problem = textProblem(target, around.context);
  if (problem) return judgeText(access, absolute, problem, around);
  try {
    return judgeResolved(access, await around.paths.resolve(absolute), around);
  } catch (error) {
    if (isMusterError(error)) return judgeText(access, absolute, error.message, around);
    throw error;
  }
}

/** Judges a path that must not or cannot be looked up: denied where its text is, else a question. */
function judgeText(access: FileAccess, absolute: string, problem: string, around: Surroundings): Verdict {
  const lexical = pathApi(around.context).normalize(absolute);
  const denial = judgeDenials(access, { lexical, real: lexical, stat: undefined }, around);
  return denial ?? ask("guarded", problem);
}

function textProblem(target: string, context: DecisionContext): string | undefined {
  const hidden = hiddenCharacter(target);
  if (hidden) return `The path holds ${hidden}, so it is not what it looks like.`;
  const problem = context.platform === "win32" ? windowsPathProblem(target) : undefined;
  return problem && `${target} is not an ordinary file: ${problem}.`;
}

function judgeDenials(access: FileAccess, path: ResolvedPath, around: Surroundings): Verdict | undefined {
  const forms = pathForms(path, around.context);
  if (touchesState(access, path, forms, around))
    return deny(`${path.lexical} belongs to the team's own state: only Muster itself reads and writes it.`);
  const denied = findCovering(around.context.rules.deny, access, forms, around);
  return denied && deny(`The rule ${denied.text} denies it.`, denied.text);
}

/** Whether the access touches the team's state, or sweeps over a folder that holds some of it. */
function touchesState(
  { below, recursive }: FileAccess,
  { stat }: ResolvedPath,
  forms: readonly PathForm[],
  { outOfReach, planFile }: Surroundings,
): boolean {
  if (anyWithin(forms, outOfReach)) return !anyWithin(forms, planFile);
  const sweeps = recursive !== undefined && (stat?.isDirectory() ?? true);
  return outOfReach.some((place) =>
    forms.some(
      (form) => (below && mayLieWithin(form, below, place)) || (sweeps && holds(form, place, recursive.hidden)),
    ),
  );
}

/** Whether a sweep over a folder comes by the place; `hidden`: also by names that begin with a dot. */
function holds(folder: PathForm, { folded }: PathForm, hidden: boolean): boolean {
  if (!folder.folded.every((segment, index) => folded[index] === segment)) return false;
  return hidden || !folded.slice(folder.folded.length).some((name) => name.startsWith("."));
}

function judgeResolved(access: FileAccess, path: ResolvedPath, around: Surroundings): Verdict {
  const { context } = around;
  const forms = pathForms(path, context);
  const isPlan = anyWithin(forms, around.planFile);
  const denial = judgeDenials(access, path, around);
  if (denial) return denial;
  if (harmlessDevice(forms[0]?.segments ?? [], access.kind)) return allow("It is a device that keeps nothing.");
  if (isPlan && (access.kind === "read" || context.mode === "plan")) return allow("It is the agent's own plan.");
  if (access.kind === "write" && context.mode === "plan")
    return deny("In plan mode nothing is changed: write the plan and leave plan mode first.");
  const asked = findCovering(context.rules.ask, access, forms, around);
  if (asked) return ask("rule", `The rule ${asked.text} asks.`, { rule: asked.text });
  return judgeGuards(access, path, forms, around) ?? judgeBorder(access, path, forms, around);
}

/** Guards that no mode lifts; an allow rule that names the very file lifts the one for protected names. */
function judgeGuards(
  access: FileAccess,
  path: ResolvedPath,
  forms: readonly PathForm[],
  around: Surroundings,
): Verdict | undefined {
  const special = forms.map((form) => specialFile(form.segments, access.kind)).find((why) => why !== undefined);
  if (special) return ask("guarded", `${path.lexical} is not an ordinary file: ${special}.`);
  const below = findBelow(access, path, forms, around);
  if (below) return ask("opaque", `It may reach what the rule ${below.text} denies.`);
  if (isHardLink(access, path, forms))
    return ask("guarded", `${path.lexical} is one of several names of the same file.`);
  const names = (access.below ?? []).map(({ atoms, literal }) => literal ?? (startsWithDot(atoms) ? ".git" : "*"));
  const name =
    access.kind === "write"
      ? forms.map((form) => protectedName([...form.segments, ...names])).find(Boolean)
      : undefined;
  if (!name) return undefined;
  const lifting = findAllowing(
    access,
    forms,
    around,
    (rule) => rule.content.kind === "path" && rule.content.pattern.literal,
  );
  if (lifting) return allow(`The rule ${lifting.text} names this protected file.`, lifting.text);
  return ask("guarded", `${path.lexical} is protected (${name}): what stands in it can run or change what runs.`);
}

function judgeBorder(
  access: FileAccess,
  path: ResolvedPath,
  forms: readonly PathForm[],
  around: Surroundings,
): Verdict {
  const { context } = around;
  const allowing = findAllowing(access, forms, around, () => true);
  if (allowing) return allow(`The rule ${allowing.text} allows it.`, allowing.text);
  const inside = allWithin(forms, around.inside, context.platform === "win32");
  if (inside && access.kind === "read") return allow("It reads inside the project.");
  if (inside && context.mode === "acceptEdits") return allow("The mode accepts edits inside the project.");
  const suggestions = fileSuggestions(access.kind, path, inside, context);
  const verb = access.kind === "read" ? "reads" : "changes";
  const where = inside ? "a file of the project" : "outside the project";
  return ask("plain", `It ${verb} ${where}: ${path.lexical}.`, { suggestions });
}

/** A deny or ask rule that covers the access. Rules for editing cover writes, rules for reading both. */
function findCovering(
  rules: readonly Rule[],
  { kind, below }: FileAccess,
  forms: readonly PathForm[],
  around: Surroundings,
): Rule | undefined {
  return speakingRules(rules, kind).find((rule) => {
    if (rule.content.kind !== "path") return rule.content.kind === "any" && coversAll(rule, kind);
    const { pattern } = rule.content;
    const anchors = around.anchorsOf(rule);
    return forms.some(
      (form) => patternCovers(pattern, form, anchors) || (below && patternMayCover(pattern, form, below, anchors)),
    );
  });
}

/** Those of deny or ask rules that speak of such accesses; hosts give the same list for one decision after the other. */
function speakingRules(rules: readonly Rule[], kind: "read" | "write"): readonly Rule[] {
  const known = knownSpeaking.get(rules) ?? {};
  known[kind] ??= rules.filter(({ tool }) => isReadTool(tool) || (kind === "write" && isEditTool(tool)));
  knownSpeaking.set(rules, known);
  return known[kind];
}

const knownSpeaking = new WeakMap<readonly Rule[], { read?: readonly Rule[]; write?: readonly Rule[] }>();

/** Whether a rule without a pattern speaks of every access of the kind, whichever tool makes it. */
function coversAll(rule: Rule, kind: "read" | "write"): boolean {
  return kind === "read" ? rule.tool === "Read" : rule.tool === "Edit";
}

function findAllowing(
  { kind }: FileAccess,
  forms: readonly PathForm[],
  around: Surroundings,
  accept: (rule: Rule) => boolean,
): Rule | undefined {
  const ignoreCase = around.context.platform === "win32";
  return around.context.rules.allow.find((rule) => {
    if (kind === "read" ? rule.tool !== "Read" : rule.tool !== "Edit" && rule.tool !== "Write") return false;
    if (!accept(rule)) return false;
    const { content } = rule;
    if (content.kind === "any") return true;
    if (content.kind !== "path") return false;
    return forms.every((form) => patternAllows(content.pattern, form, around.anchorsOf(rule), ignoreCase));
  });
}

/** The rule that denies something which a sweep over a folder may come by, or undefined. */
function findBelow(
  access: FileAccess,
  path: ResolvedPath,
  forms: readonly PathForm[],
  around: Surroundings,
): Rule | undefined {
  const { kind, recursive } = access;
  if (!recursive || path.stat?.isDirectory() === false) return undefined;
  return speakingRules(around.context.rules.deny, kind).find((rule) => {
    const { content } = rule;
    if (content.kind !== "path") return false;
    const anchors = around.anchorsOf(rule);
    return forms.some((form) => patternReachesInto(content.pattern, form, anchors, recursive.hidden));
  });
}

function startsWithDot([first]: Glob["atoms"]): boolean {
  return first?.kind === "char" && first.char === ".";
}

/** Package managers make hard links by the thousand in `node_modules`: reading there stays free. */
function isHardLink({ kind }: FileAccess, { stat }: ResolvedPath, forms: readonly PathForm[]): boolean {
  if (!stat?.isFile() || stat.nlink < 2) return false;
  return kind === "write" || !forms.every((form) => form.segments.includes("node_modules"));
}

/** Judges several accesses; at least one. */
export async function judgeAccesses(accesses: readonly FileAccess[], around: Surroundings): Promise<Verdict> {
  const [first = allow("It touches no file."), ...rest] = await Promise.all(
    accesses.map((access) => judgeAccess(access, around)),
  );
  return worst([first, ...rest]);
}
