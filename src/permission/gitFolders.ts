import { pathApi } from "./paths.ts";
import { allWithin, pathForms, type Surroundings } from "./surroundings.ts";

/**
 * Why git in this folder might obey a repository that is not the project's, or undefined: one outside, one nested in the
 * project, or the files of a bare one planted in it. A repository's configuration names programs that git runs.
 */
export async function foreignRepository(folder: string, around: Surroundings): Promise<string | undefined> {
  const { context } = around;
  const api = pathApi(context);
  if (/[*?[]/.test(folder)) return `Which repository git would obey is not known: ${folder}.`;
  const path = await around.paths.resolve(folder);
  if (!allWithin(pathForms(path, context), around.inside, context.platform === "win32"))
    return `git would obey the repository of ${path.lexical}, outside the project.`;
  const own = new Set([context.projectRoot, context.cwd].map((place) => api.normalize(place)));
  for (let place = path.lexical; ; place = api.dirname(place)) {
    if (await isBareRepository(place, around)) return `${place} looks like a repository of its own.`;
    if (own.has(place)) return undefined;
    if (await exists(api.join(place, ".git"), around)) return `${place} is a repository of its own.`;
    if (api.dirname(place) === place) return undefined;
  }
}

async function isBareRepository(place: string, around: Surroundings): Promise<boolean> {
  const api = pathApi(around.context);
  for (const name of ["HEAD", "objects", "refs"]) if (!(await exists(api.join(place, name), around))) return false;
  return true;
}

async function exists(path: string, { paths }: Surroundings): Promise<boolean> {
  return (await paths.resolve(path)).stat !== undefined;
}
