import { type AnchorForms, type PathForm, pathForm } from "./pathRules.ts";
import {
  absolutePath,
  isWithin,
  lexicalForm,
  type PathResolver,
  pathApi,
  pathResolver,
  pathSegments,
  type ResolvedPath,
} from "./paths.ts";
import type { Rule } from "./rules.ts";
import type { DecisionContext, RuleSet } from "./types.ts";

/** The context of one decision with its folders resolved: what every judgement of a path needs. */
export interface Surroundings {
  context: DecisionContext;
  signal: AbortSignal | undefined;
  paths: PathResolver;
  /** Forms of the folders inside which reading needs no question. */
  inside: readonly PathForm[];
  outOfReach: readonly PathForm[];
  /** The project, the working directory and the home folder: what must not be removed, nor what they lie in. */
  irreplaceable: readonly PathForm[];
  planFile: readonly PathForm[];
  /** Anchors of a rule; its own folder differs from rule to rule. */
  anchorsOf(rule: Rule): AnchorForms;
}

/** Resolves the context's folders once. */
export async function surroundingsOf(context: DecisionContext, signal: AbortSignal | undefined): Promise<Surroundings> {
  const api = pathApi(context);
  const paths = pathResolver(context, signal);
  const formsOf = async (path: string): Promise<PathForm[]> => {
    const absolute = absolutePath(path, context.cwd, context);
    return pathForms({ lexical: lexicalForm(absolute, api), real: await paths.real(absolute) }, context);
  };
  const all = async (folders: readonly string[]): Promise<PathForm[]> =>
    (await Promise.all(folders.map(formsOf))).flat();
  const [cwd, home, project, additional, outOfReach, planFile] = await Promise.all([
    formsOf(context.cwd),
    formsOf(context.home),
    formsOf(context.projectRoot),
    all(context.additionalDirectories),
    all(context.outOfReach),
    all(context.planFile === undefined ? [] : [context.planFile]),
  ]);
  const roots = await anchorRoots(context.rules, formsOf);
  const root = [pathForm([])];
  const anchors = new Map(roots.map(([path, settings]) => [path, { root, home, cwd, settings }]));
  const anchorsOf = (rule: Rule): AnchorForms => anchors.get(rule.root) ?? { root, home, cwd, settings: cwd };
  const inside = [...project, ...cwd, ...additional];
  return {
    context,
    signal,
    paths,
    inside,
    outOfReach,
    irreplaceable: [...project, ...cwd, ...home],
    planFile,
    anchorsOf,
  };
}

/** The folders that rules stand in, resolved. */
async function anchorRoots(
  { allow, ask, deny }: RuleSet,
  formsOf: (path: string) => Promise<PathForm[]>,
): Promise<(readonly [string, PathForm[]])[]> {
  const roots = new Set([allow, ask, deny].flatMap(rootsOf));
  return Promise.all([...roots].map(async (root) => [root, await formsOf(root)] as const));
}

const knownRoots = new WeakMap<readonly Rule[], readonly string[]>();

/** The few folders that thousands of rules stand in. */
function rootsOf(rules: readonly Rule[]): readonly string[] {
  const known = knownRoots.get(rules);
  if (known) return known;
  const roots = [...new Set(rules.map(({ root }) => root))];
  knownRoots.set(rules, roots);
  return roots;
}

/** The forms of a resolved path, without doubles. */
export function pathForms(path: Pick<ResolvedPath, "lexical" | "real">, context: DecisionContext): PathForm[] {
  const api = pathApi(context);
  const texts = path.lexical === path.real ? [path.lexical] : [path.lexical, path.real];
  return texts.map((text) => pathForm(pathSegments(text, api)));
}

/** Whether every form lies inside one of the folders. */
export function allWithin(forms: readonly PathForm[], folders: readonly PathForm[], ignoreCase: boolean): boolean {
  const form = ignoreCase ? "folded" : "segments";
  return forms.every((path) => folders.some((folder) => isWithin(path[form], folder[form])));
}

/** Whether any form lies inside one of the folders, whatever the case. */
export function anyWithin(forms: readonly PathForm[], folders: readonly PathForm[]): boolean {
  return forms.some((path) => folders.some((folder) => isWithin(path.folded, folder.folded)));
}
