import { type AnchorForms, type PathForm, pathForm } from "./pathRules.ts";
import { absolutePath, isWithin, pathApi, pathSegments, type ResolvedPath, resolvePath } from "./paths.ts";
import type { Rule } from "./rules.ts";
import type { DecisionContext } from "./types.ts";

/** The context of one decision with its folders resolved: what every judgement of a path needs. */
export interface Surroundings {
  context: DecisionContext;
  signal: AbortSignal | undefined;
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
  const formsOf = async (path: string): Promise<PathForm[]> =>
    pathForms(await resolvePath(path, context, signal), context);
  const all = async (paths: readonly string[]): Promise<PathForm[]> => (await Promise.all(paths.map(formsOf))).flat();
  const ruleRoots = new Set(
    [...context.rules.allow, ...context.rules.ask, ...context.rules.deny].map(({ root }) => root),
  );
  const [cwd, home, project, inside, outOfReach, planFile, roots] = await Promise.all([
    formsOf(context.cwd),
    formsOf(context.home),
    formsOf(context.projectRoot),
    all([
      context.projectRoot,
      context.cwd,
      ...context.additionalDirectories.map((path) => absolutePath(path, context.cwd, context)),
    ]),
    all(context.outOfReach),
    all(context.planFile === undefined ? [] : [context.planFile]),
    Promise.all([...ruleRoots].map(async (root) => [root, await formsOf(root)] as const)),
  ]);
  const root = [pathForm([])];
  const anchors = new Map(roots.map(([path, settings]) => [path, { root, home, cwd, settings }]));
  const anchorsOf = (rule: Rule): AnchorForms => anchors.get(rule.root) ?? { root, home, cwd, settings: cwd };
  return { context, signal, inside, outOfReach, irreplaceable: [...project, ...cwd, ...home], planFile, anchorsOf };
}

/** The forms of a resolved path, without doubles. */
export function pathForms(path: ResolvedPath, context: DecisionContext): PathForm[] {
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
