import { basename, dirname, join, relative, sep } from "node:path";
import { errorCode } from "../../base/errors.ts";
import type { WorkStamp, WorkTree } from "../../store/workTree.ts";
import type { Git, GitOptions } from "./git.ts";
import { type ChangedFile, hashFiles } from "./hashFiles.ts";
import { linkFinder } from "./linkAbove.ts";

/**
 * A file as a look at the work tree found it. `id`: of its bytes, where they are `kept`; of a file that is too large or
 * cannot be read they are not. `stamp`: what a file has for as long as nobody changes it; empty where nobody can tell.
 */
export interface SeenEntry {
  id: string;
  mode: number;
  link: boolean;
  kept: boolean;
  stamp: string;
}

/** Files by absolute path. */
export type Look = ReadonlyMap<string, SeenEntry>;

/** Looks at a whole work tree again and again; what did not change since the last look is not read. */
export interface Scanner {
  /**
   * `also`: paths that are looked at even where they would be passed over by now. What lies behind a link counts as not
   * there: it is another file. Null: there are too many files, or too much in them.
   */
  look(also?: Iterable<string>): Promise<Look | null>;
  /** What a look passes over now though it is there: files, and folders with all that is in them. Absolute. */
  passedOver(): Promise<ReadonlySet<string>>;
  /** The bytes of an entry; null where they are not kept, or not any more. */
  bytes(entry: SeenEntry): Promise<Buffer | null>;
}

/** Files of more bytes are noticed, but their bytes are not kept. */
const MAX_KEPT_BYTES = 20 * 1024 * 1024;

const MAX_FILES_IN_GIT = 50_000;
const MAX_FILES = 5_000;
const MAX_BYTES = 100 * 1024 * 1024;

/** What happened in the last moments before a look may happen again under the same stamp. */
const RACY_MS = 2_000;

/** Folders of no interest outside a repository. */
const PASSED_OVER = new Set([".git", ".hg", ".svn", "node_modules"]);

export interface ScannerPorts {
  cwd: string;
  files: WorkTree;
  /** Keeps bytes; resolves to what `content` finds them by. */
  keep(bytes: Uint8Array): Promise<string>;
  content(id: string): Promise<Buffer | null>;
  isHidden(path: string): boolean;
}

/** Looks at a repository's files but the ignored ones. Their bytes go to the repository's objects, without filters. */
export function createGitScanner(git: Git, { cwd, files, isHidden }: ScannerPorts): Scanner {
  const stamps = new Map<string, { stamp: string; entry: SeenEntry }>();
  return {
    async look(also = []) {
      const names = await namesOf(git, ["--cached", "--others", "--exclude-standard"]);
      const paths = new Set(names.map((name) => pathOf(cwd, name)));
      if (paths.size > MAX_FILES_IN_GIT) return null;
      for (const path of also) paths.add(path); // git lists what it tracks, even behind a link
      return await lookAt(
        await notBehindLinks(
          { cwd, files },
          [...paths].filter((path) => !isHidden(path)),
        ),
        { files, stamps, ids: (changed) => hashFiles(git, { files, maxBytes: MAX_KEPT_BYTES }, changed) },
      );
    },
    async passedOver() {
      let hasWarned = false;
      const warned = () => {
        hasWarned = true;
      };
      // an ignored folder is one entry, so is a repository within this one
      const [ignored, others, tracked] = await Promise.all([
        namesOf(git, ["--others", "--ignored", "--exclude-standard", "--directory"]),
        namesOf(git, ["--others", "--exclude-standard"], { warned }),
        namesOf(git, ["--stage"]),
      ]);
      const passed = new Set([
        ...ignored.map((name) => pathOf(cwd, name)),
        ...others.flatMap((name) => (name.endsWith("/") ? pathOf(cwd, name) : [])),
        ...tracked.flatMap((entry) => (entry.startsWith(SUBMODULE) ? pathOf(cwd, entry.replace(/^[^\t]*\t/, "")) : [])),
      ]);
      if (!hasWarned) return passed;
      // git goes on past a folder that it cannot open, and says so in words alone
      const isPassedOver = (path: string) => passed.has(path) || basename(path) === ".git";
      const listed = await files.list(cwd, isPassedOver, MAX_FILES_IN_GIT);
      return new Set([...passed, ...(listed?.closed ?? [cwd])]);
    },
    async bytes({ id, kept }) {
      if (!kept) return null;
      try {
        return await git(["cat-file", "blob", id]);
      } catch (error) {
        if (errorCode(error) !== undefined) throw error; // it did not run
        stamps.clear(); // somebody pruned the repository's objects: the others may be gone too
        return null;
      }
    },
  };
}

/** How git lists a submodule. */
const SUBMODULE = "160000 ";

/** What git lists, relative to its folder; a folder has a `/` at its end. */
async function namesOf(
  git: Git,
  which: readonly string[],
  options: Pick<GitOptions, "warned"> = {},
): Promise<string[]> {
  const out = await git(["ls-files", "-z", ...which], options);
  return out
    .toString()
    .split("\0")
    .filter((name) => name !== "");
}

function pathOf(cwd: string, name: string): string {
  return join(cwd, name.replace(/\/$/, ""));
}

/** The folders that a path lies in, the nearest first. */
export function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersOf(folder)];
}

/** Looks at a folder outside a repository. A copy of each file is kept before anybody changes it. */
export function createFolderScanner({ cwd, files, keep, content, isHidden }: ScannerPorts): Scanner {
  const stamps = new Map<string, { stamp: string; entry: SeenEntry }>();
  const ids = async (changed: readonly ChangedFile[]) => {
    const kept = new Map<string, string | null>();
    for (const { path } of changed) {
      const file = await files.read(path, MAX_KEPT_BYTES).catch(() => undefined);
      if (file !== undefined) kept.set(path, file && (await keep(file.bytes)));
    }
    return kept;
  };
  const list = () => files.list(cwd, (folder) => PASSED_OVER.has(basename(folder)), MAX_FILES);
  return {
    // those of no interest are the same before and after
    passedOver: async () => new Set((await list())?.closed),
    async look(also = []) {
      const listed = await list();
      const paths = listed && new Set([...listed.files, ...also]);
      return (
        paths &&
        (await lookAt(
          await notBehindLinks(
            { cwd, files },
            [...paths].filter((path) => !isHidden(path)),
          ),
          { files, stamps, ids, maxBytes: MAX_BYTES },
        ))
      );
    },
    bytes: async ({ id, kept }) => (kept ? await content(id) : null),
  };
}

async function notBehindLinks(
  { cwd, files }: Pick<ScannerPorts, "cwd" | "files">,
  paths: readonly string[],
): Promise<string[]> {
  const linkAbove = linkFinder(files, cwd);
  const found: string[] = [];
  for (const path of paths) if ((await linkAbove(path)) === null) found.push(path);
  return found;
}

interface LookPorts {
  files: WorkTree;
  stamps: Map<string, { stamp: string; entry: SeenEntry }>;
  /** By path. Null: the file went meanwhile; none: it cannot be read. */
  ids(changed: readonly ChangedFile[]): Promise<ReadonlyMap<string, string | null>>;
  maxBytes?: number;
}

async function lookAt(paths: readonly string[], { files, stamps, ids, maxBytes }: LookPorts): Promise<Look | null> {
  const now = Date.now();
  const found = new Map<string, SeenEntry>();
  const changed: ChangedFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const stamp = await files.stamp(path).catch(() => undefined);
    if (stamp === undefined) found.set(path, OUT_OF_REACH);
    if (!stamp) continue;
    bytes += isLarge(stamp.size) ? 0 : stamp.size;
    if (maxBytes !== undefined && bytes > maxBytes) return null;
    const known = stamps.get(path);
    if (known?.stamp === stamp.stamp) found.set(path, known.entry);
    else if (isLarge(stamp.size)) found.set(path, entryNotKept(stamp));
    else changed.push({ path, stamp });
  }
  const made = await ids(changed);
  for (const { path, stamp } of changed) {
    const id = made.get(path);
    if (id === undefined) found.set(path, entryNotKept(stamp)); // what closes or locks it may go: it is read anew next time
    if (!id) continue;
    const entry = { ...entryOf(stamp), id, kept: true };
    found.set(path, entry);
    if (stamp.changedMs < now - RACY_MS) stamps.set(path, { stamp: stamp.stamp, entry });
  }
  return found;
}

/** A file of which nothing can be told, as a folder on its way is closed to this user: it may be there. */
const OUT_OF_REACH: SeenEntry = { id: "out of reach", mode: 0, link: false, kept: false, stamp: "" };

function entryOf({ mode, link, stamp }: WorkStamp): Omit<SeenEntry, "id" | "kept"> {
  return { mode, link, stamp };
}

function entryNotKept(stamp: WorkStamp): SeenEntry {
  return { ...entryOf(stamp), id: `not kept ${stamp.stamp}`, kept: false };
}

/** Whether two looks found the same file. One that only one of them could read is the same where nothing else tells. */
export function isSameEntry(one: SeenEntry | undefined, other: SeenEntry | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.mode !== other.mode || one.link !== other.link) return false;
  return one.id === other.id || (one.kept !== other.kept && one.stamp === other.stamp);
}

function isLarge(size: number): boolean {
  return size > MAX_KEPT_BYTES;
}

/**
 * Makes a commit of a look, outside of any branch, under `ref`; `index` is a file of our own. The repository's index,
 * HEAD, branches and stash stay as they are. Resolves to the commit.
 */
export async function commitLook(
  git: Git,
  look: Look,
  where: { cwd: string; ref: string; index: string },
): Promise<string> {
  const prefix = (await git(["rev-parse", "--show-prefix"])).toString().replace(/\n$/, "");
  const lines = [...look]
    .filter(([, { kept }]) => kept)
    .map(([path, entry]) => {
      const name = prefix + relative(where.cwd, path).split(sep).join("/");
      return `${gitMode(entry)} ${entry.id}\t${name}\0`;
    });
  const { index } = where;
  await git(["read-tree", "--empty"], { index });
  await git(["update-index", "-z", "--index-info"], { index, input: lines.join("") });
  const tree = (await git(["write-tree"], { index })).toString().trim();
  const head = await git(["rev-parse", "--verify", "-q", "HEAD"]).then(
    (out) => ["-p", out.toString().trim()],
    () => [], // no commit yet
  );
  const commit = (await git(["commit-tree", tree, ...head, "-m", "The work tree before a team's first edit"]))
    .toString()
    .trim();
  await git(["update-ref", where.ref, commit]);
  return commit;
}

function gitMode({ link, mode }: SeenEntry): string {
  if (link) return "120000";
  return (mode & 0o100) === 0 ? "100644" : "100755";
}
