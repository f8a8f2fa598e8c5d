import { systemClock } from "../../base/clock.ts";
import { type Disposable, releasedOnFailure } from "../../base/disposable.ts";
import type { Logger } from "../../base/logger.ts";
import { type FileState, sameState } from "../../protocol/changes.ts";
import { createStore, type Store } from "../../store/store.ts";
import {
  authorsOf,
  type ChangedFile,
  changedFiles,
  type FileHistories,
  fileHistories,
} from "../../team/changes/fileHistory.ts";
import { openTeamChanges, type TeamChanges } from "../../team/changes/teamChanges.ts";
import { membersWithGaps } from "../../team/changes/unrecorded.ts";
import { nameIn } from "../folderPaths.ts";
import type { TeamAddress } from "../teams/shownTeam.ts";

/** One side of a changed file: as it lies there, what the record holds, or no file. */
export type ChangeSide = { kind: "file" } | { kind: "recorded"; state: FileState } | { kind: "none" };

/** A file as a diff shows it. `path` is absolute. */
export interface ChangeToShow {
  path: string;
  before: ChangeSide;
  after: ChangeSide;
}

/** Who changed files of a team, with how many; a file that ends as it began does not count. */
export interface ChangeAuthor {
  member: string;
  files: number;
}

/** The changes of a team that is shown, whether it runs or has ended. */
export interface ShownChanges extends Disposable {
  /** In order of their first change. */
  readonly authors: readonly ChangeAuthor[];
  /** Files that anybody changed. */
  readonly files: number;
  /** Members with a command of which it is not known what it changed. */
  readonly gaps: ReadonlySet<string>;
  /**
   * What a member changed, or with null all of them: each file as it was before the first of these changes, and as the
   * last one left it.
   */
  toShow(member: string | null): Promise<ChangeToShow[]>;
  content: TeamChanges["content"];
  plan: TeamChanges["plan"];
  undo: TeamChanges["undo"];
  nameOf(path: string): string;
}

/** Reads the changes of a team. Throws read errors. */
export async function openShownChanges(address: TeamAddress, log: Logger): Promise<ShownChanges> {
  const store = createStore({ root: address.root, logger: log });
  return releasedOnFailure(store, () => read(store, address));
}

/** The bytes of a file that have this hash (hex SHA-256), as a team keeps them; null where it does not. Throws read errors. */
export async function readRecorded(address: TeamAddress, hash: string, log: Logger): Promise<Buffer | null> {
  const store = createStore({ root: address.root, logger: log });
  try {
    const changes = openTeamChanges(
      store,
      { ...address, leadSession: await leadSessionOf(store, address) },
      systemClock,
    );
    return await changes.content({ hash, mode: 0, kept: true });
  } finally {
    store.dispose();
  }
}

async function read(store: Store, address: TeamAddress): Promise<ShownChanges> {
  const leadSession = await leadSessionOf(store, address);
  const changes = openTeamChanges(store, { ...address, leadSession }, systemClock);
  const records = await changes.read();
  const histories = fileHistories(records);
  const cwd = records.flatMap((record) => (record.kind === "start" ? record.cwd : []))[0] ?? null;
  const authors = authorsOf(histories, records).map((member) => ({ member, files: count(histories, member) }));
  return {
    authors: authors.filter(({ files }) => files > 0),
    files: count(histories, null),
    gaps: membersWithGaps(records),
    async toShow(member) {
      const shown: ChangeToShow[] = [];
      for (const file of changedFiles(histories, member)) shown.push(sidesOf(file, await changes.now(file.path)));
      return shown;
    },
    content: changes.content,
    plan: changes.plan,
    undo: changes.undo,
    nameOf: (path) => nameIn(cwd, path),
    dispose: () => store.dispose(),
  };
}

/**
 * The file itself is shown where it still is what its last change made of it: so it can be worked on. Where that is not
 * known any more, as its bytes are not kept, the file is the best there is. An editor follows a link, to a folder even, so
 * that of one its target is shown as recorded.
 */
function sidesOf({ path, before, after, last }: ChangedFile, now: FileState | null): ChangeToShow {
  const live = last && !now?.link && (sameState(now, after) || (now !== null && after?.kept === false));
  return { path, before: recorded(before), after: live ? here(now) : recorded(after) };
}

function recorded(state: FileState | null): ChangeSide {
  return state ? { kind: "recorded", state } : { kind: "none" };
}

function here(now: FileState | null): ChangeSide {
  return { kind: now ? "file" : "none" };
}

function count(histories: FileHistories, member: string | null): number {
  return changedFiles(histories, member).length;
}

async function leadSessionOf(store: Store, { kind, folder }: TeamAddress): Promise<string | null> {
  if (kind === "lead") return null;
  const { config } = await (kind === "team" ? store.snapshots.read(folder) : store.snapshots.readFinished(folder));
  return config.leadSessionId ?? null;
}
