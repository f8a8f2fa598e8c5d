import { dirname } from "node:path";
import type { WorkTree } from "../../store/workTree.ts";

/**
 * Finds the outermost folder on the way to a path (absolute) that is a link, below `top` where the path lies in it; null:
 * none is. A folder is looked at once, however many paths lie in it. Never rejects: what cannot be looked at is no link.
 */
export function linkFinder(files: Pick<WorkTree, "stamp">, top?: string): (path: string) => Promise<string | null> {
  const known = new Map<string, Promise<string | null>>();
  const linkAt = async (folder: string) => {
    const above = await linkAbove(folder);
    if (above !== null) return above;
    const isLink = await files.stamp(folder).then(
      (stamp) => stamp?.link === true,
      () => false,
    );
    return isLink ? folder : null;
  };
  const linkAbove = (path: string): Promise<string | null> => {
    const folder = dirname(path);
    if (folder === path || folder === top) return Promise.resolve(null);
    const found = known.get(folder) ?? linkAt(folder);
    known.set(folder, found);
    return found;
  };
  return linkAbove;
}
