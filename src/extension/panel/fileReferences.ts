/** Files that are offered for what was typed behind `@`. */
const OFFERED = 12;
/** Characters of a selection that are put into a message; of a file on disk only its place is. */
const MOST_SELECTED = 20_000;

/**
 * A glob for files whose path has what was typed in it, in small or capital letters. `typed` may hold `/`; what has a
 * meaning in globs stands for any character.
 */
export function fileGlob(typed: string): string {
  const any = [...typed.replaceAll("\\", "/")]
    .map((character) => {
      if (character === "/") return "*/*";
      if (/[[\]{}*?!,]/.test(character)) return "?";
      const [small, capital] = [character.toLowerCase(), character.toUpperCase()];
      return small === capital || small.length !== 1 || capital.length !== 1 ? character : `[${small}${capital}]`;
    })
    .join("");
  return `{**/*${any}*,**/*${any}*/**}`;
}

/**
 * A glob for what a search leaves out: the folders of packages, and what the person's settings `search.exclude` and
 * `files.exclude` name (glob → whether it is left out, or a condition, which is not looked at).
 */
export function excludeGlob(...settings: readonly Readonly<Record<string, unknown>>[]): string {
  const named = settings.flatMap((globs) => Object.keys(globs).filter((glob) => globs[glob] === true));
  return `{${[...new Set(["**/node_modules", "**/.git", ...named])].join(",")}}`;
}

/** The best of these paths (relative, with `/`): names that begin with what was typed, names that hold it, short ones. */
export function bestFiles(paths: readonly string[], typed: string): string[] {
  const wanted = typed.replaceAll("\\", "/").toLowerCase();
  const rank = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    if (name.startsWith(wanted)) return 0;
    return name.includes(wanted) || path.toLowerCase().startsWith(wanted) ? 1 : 2;
  };
  return [...new Set(paths)]
    .map((path) => ({ path, rank: rank(path) }))
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ path }) => path);
}

/** `@path`, with lines `@path:3-9`; in quotes where a path has blanks. Lines count from 1. */
export function reference(path: string, lines: { first: number; last: number } | null): string {
  const range = lines === null ? "" : lines.first === lines.last ? `:${lines.first}` : `:${lines.first}-${lines.last}`;
  return /\s/.test(path) ? `@"${path}"${range}` : `@${path}${range}`;
}

/** A selection that no member could read from disk, as a block of code with what it is from. */
export function quotedSelection(from: string, language: string, text: string): string {
  const shown = text.length <= MOST_SELECTED ? text : `${text.slice(0, MOST_SELECTED)}\n…`;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${from}:\n${fence}${language}\n${shown.replace(/\n$/, "")}\n${fence}\n`;
}
