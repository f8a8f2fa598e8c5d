import { compileGlob, expandBraces, type Glob, globMatches, matchWithStars } from "./globs.ts";
import { foldCase, isWithin } from "./paths.ts";

/** Folders that path rules start from. `settings`: the folder of the file that a rule stands in. */
export type Anchor = "root" | "home" | "settings" | "cwd";

type Segment = Glob | "**";

/** A path pattern for one alternative of its braces. `loose`: as deny and ask rules read it; `strict`: as allow rules do. */
interface Alternative {
  looseAnchor: Anchor;
  loose: readonly Segment[];
  strictAnchor: Anchor;
  strict: readonly Segment[];
  strictFolded: readonly Segment[];
  /** Leading `..`: how far above the anchor the pattern starts. */
  up: number;
}

/**
 * The pattern of a `Read(…)` or `Edit(…)` rule: `//abs`, `~/home`, `/settings-folder`, `./cwd`, or a bare name. A bare
 * pattern denies at any depth, but allows only below the working directory, and `dir/**` only in `cwd/dir`.
 * A deny pattern also covers what lies below the path that it names. `literal`: it has no wildcard.
 */
export interface PathPattern {
  alternatives: readonly Alternative[];
  literal: boolean;
}

/** One absolute path, cut in components: as written and case-folded. */
export interface PathForm {
  segments: readonly string[];
  folded: readonly string[];
}

/** Components of the anchor folders, each in every form (lexical and real). */
export type AnchorForms = Readonly<Record<Anchor, readonly PathForm[]>>;

/** Compiles a pattern; undefined where its braces stand for too many paths. */
export function compilePathPattern(text: string): PathPattern | undefined {
  const texts = expandBraces(text.replaceAll("\\", "/"));
  if (!texts) return undefined;
  const alternatives = texts.map(compileAlternative);
  return { alternatives, literal: texts.length === 1 && !/[*?[]/.test(text) };
}

/** Cuts a path for comparison. */
export function pathForm(segments: readonly string[]): PathForm {
  return { segments, folded: segments.map(foldCase) };
}

/** Whether a deny or ask pattern covers the path. Case is ignored: better one denial too many. */
export function patternCovers(pattern: PathPattern, path: PathForm, anchors: AnchorForms): boolean {
  return pattern.alternatives.some(({ loose, looseAnchor, up }) =>
    below(path.folded, anchors[looseAnchor], "folded", up, loose[0]).some((rest) => matchSegments(loose, rest)),
  );
}

/** Whether a deny or ask pattern may cover one of the files that wildcards below a folder stand for. */
export function patternMayCover(
  pattern: PathPattern,
  folder: PathForm,
  below: readonly Glob[],
  anchors: AnchorForms,
): boolean {
  return pattern.alternatives.some(({ loose, looseAnchor, up }) =>
    anchors[looseAnchor].some((anchor) => {
      const start = above(anchor.folded, up);
      const path = [...folder.folded, ...below];
      if (!start.every((name, index) => path[index] !== undefined && nameMatches(path[index], name))) return false;
      return restsAfter(loose, path.slice(start.length)).some((rest) => rest.every((segment) => segment === "**"));
    }),
  );
}

/** Whether wildcards below a folder may stand for something in `place`. */
export function mayLieWithin(folder: PathForm, below: readonly Glob[], place: PathForm): boolean {
  const path = [...folder.folded, ...below];
  return place.folded.every((name, index) => path[index] !== undefined && nameMatches(path[index], name));
}

/** Whether an allow pattern matches the path. `ignoreCase` on Windows. */
export function patternAllows(
  pattern: PathPattern,
  path: PathForm,
  anchors: AnchorForms,
  ignoreCase: boolean,
): boolean {
  const form = ignoreCase ? "folded" : "segments";
  return pattern.alternatives.some(({ strict, strictFolded, strictAnchor, up }) =>
    below(path[form], anchors[strictAnchor], form, up, (ignoreCase ? strictFolded : strict)[0]).some((rest) =>
      matchSegments(ignoreCase ? strictFolded : strict, rest),
    ),
  );
}

/**
 * Whether a deny pattern could cover something below `folder` that a recursive read reaches. `hidden`: whether the
 * reader looks at names that begin with a dot.
 */
export function patternReachesInto(
  pattern: PathPattern,
  folder: PathForm,
  anchors: AnchorForms,
  hidden: boolean,
): boolean {
  return pattern.alternatives.some(({ loose, looseAnchor, up }) =>
    anchors[looseAnchor].some((anchor) => reaches(loose, above(anchor.folded, up), folder.folded, hidden)),
  );
}

function reaches(
  pattern: readonly Segment[],
  anchor: readonly string[],
  folder: readonly string[],
  hidden: boolean,
): boolean {
  const shared = anchor.findIndex((segment, index) => folder[index] !== segment);
  if (shared >= 0 && shared < folder.length) return false;
  if (shared >= 0) return hidden || !anchor.slice(folder.length).some(isHiddenName);
  return restsAfter(pattern, folder.slice(anchor.length)).some(
    (rest) => hidden || !rest.some((segment) => segment !== "**" && segment.literal?.startsWith(".")),
  );
}

/** What is left of the pattern after each way of matching all of `segments`. */
function restsAfter(pattern: readonly Segment[], segments: readonly (string | Glob)[]): (readonly Segment[])[] {
  let states = new Set([0]);
  const spread = (from: Set<number>): Set<number> => {
    for (const at of from) if (pattern[at] === "**") from.add(at + 1);
    return from;
  };
  states = spread(states);
  for (const segment of segments) {
    const next = new Set<number>();
    for (const at of states) {
      const item = pattern[at];
      if (item === undefined) continue;
      if (item === "**") next.add(at);
      else if (segmentMayMatch(item, segment)) next.add(at + 1);
    }
    states = spread(next);
  }
  return [...states].map((at) => pattern.slice(at));
}

function segmentMayMatch(item: Glob, segment: string | Glob): boolean {
  if (typeof segment === "string") return globMatches(item, segment);
  return item.literal === undefined || nameMatches(segment, item.literal);
}

/** Whether a component, perhaps with wildcards of the shell, may be this name: a wildcard does not match a leading dot. */
function nameMatches(segment: string | Glob, name: string): boolean {
  if (typeof segment === "string") return segment === name;
  const [first] = segment.atoms;
  if (name.startsWith(".") && first?.kind !== "char") return false;
  return globMatches(segment, name);
}

/** What is left of the path behind each anchor that it lies below; `first`: the pattern's first component. */
function below(
  path: readonly string[],
  anchors: readonly PathForm[],
  form: keyof PathForm,
  up: number,
  first: Segment | undefined,
): (readonly string[])[] {
  const name = first === undefined || first === "**" ? undefined : first.literal;
  const rests: (readonly string[])[] = [];
  for (const anchor of anchors) {
    const start = above(anchor[form], up);
    if (name !== undefined && path[start.length] !== name) continue;
    if (isWithin(path, start)) rests.push(start.length === 0 ? path : path.slice(start.length));
  }
  return rests;
}

function above(anchor: readonly string[], up: number): readonly string[] {
  return up === 0 ? anchor : anchor.slice(0, Math.max(0, anchor.length - up));
}

function matchSegments(pattern: readonly Segment[], segments: readonly string[]): boolean {
  return matchWithStars(
    pattern,
    segments,
    (item) => item === "**",
    (item, segment) => item !== "**" && globMatches(item, segment),
  );
}

function compileAlternative(text: string): Alternative {
  const { anchor, rest } = splitAnchor(text);
  const { parts, up } = withoutDots(rest.split("/"));
  const bare = anchor === undefined && up === 0;
  const open = text.endsWith("/");
  const everywhere = bare && parts.length === 1 && /[*?[]/.test(rest);
  const strict = (fold: (part: string) => string): Segment[] => [
    ...(everywhere ? (["**"] as const) : []),
    ...parts.map((part) => compileSegment(fold(part))),
    ...(open ? (["**"] as const) : []),
  ];
  const named = parts.map((part) => compileSegment(foldCase(part)));
  return {
    looseAnchor: anchor ?? (bare ? "root" : "cwd"),
    loose: [...(bare ? (["**"] as const) : []), ...named, "**"],
    strictAnchor: anchor ?? "cwd",
    strict: strict((part) => part),
    strictFolded: strict(foldCase),
    up,
  };
}

/** Removes empty and `.` parts and resolves `..`; `up` counts those that lead above the start. */
function withoutDots(parts: readonly string[]): { parts: string[]; up: number } {
  const kept: string[] = [];
  let up = 0;
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.pop() === undefined) up += 1;
  }
  return { parts: kept, up };
}

function splitAnchor(text: string): { anchor: Anchor | undefined; rest: string } {
  if (text.startsWith("//")) return { anchor: "root", rest: text.slice(2) };
  if (/^[A-Za-z]:\//.test(text)) return { anchor: "root", rest: text };
  if (text === "~" || text.startsWith("~/")) return { anchor: "home", rest: text.slice(1) };
  if (text.startsWith("/")) return { anchor: "settings", rest: text.slice(1) };
  if (text === "." || text.startsWith("./")) return { anchor: "cwd", rest: text.slice(1) };
  return { anchor: undefined, rest: text };
}

function compileSegment(part: string): Segment {
  return part === "**" ? "**" : compileGlob(part);
}

function isHiddenName(name: string): boolean {
  return name.startsWith(".");
}
