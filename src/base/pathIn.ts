/** What tells of paths on one platform: `node:path`, or one of its two halves. */
export interface PathRules {
  readonly sep: string;
  relative(from: string, to: string): string;
  isAbsolute(path: string): boolean;
}

/**
 * The path from a folder to something in it, empty for the folder itself; null for what is elsewhere. Both absolute; by
 * text alone: links are not followed.
 */
export function pathIn(folder: string, path: string, rules: PathRules): string | null {
  const inside = rules.relative(folder, path);
  // a file may be called `..a`; what lies on another drive stays absolute
  return inside.split(rules.sep)[0] === ".." || rules.isAbsolute(inside) ? null : inside;
}

/**
 * How a person is told of a file: from the folder (absolute; null: not known) where it lies in it, else as it is given. A
 * relative path stays as it is.
 */
export function nameIn(folder: string | null, file: string, rules: PathRules): string {
  return (folder !== null && rules.isAbsolute(file) && pathIn(folder, file, rules)) || file;
}
