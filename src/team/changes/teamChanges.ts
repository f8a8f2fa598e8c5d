import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { type Clock, isoTime } from "../../base/clock.ts";
import { errorMessage } from "../../base/errors.ts";
import { type ChangeRecord, type FileState, type FileStep, sameState } from "../../protocol/changes.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import { fileHistories, mayBeOf } from "./fileHistory.ts";
import { linkFinder } from "./linkAbove.ts";
import { removeNewFolders } from "./newFolders.ts";
import { planUndo, type UndoPlan } from "./undoPlan.ts";
import { unrecordedPlaces } from "./unrecorded.ts";

/** Where a team is: its folder under `teams` or `muster/history`, or the session of a lead that has no team. */
export interface ChangesAddress {
  kind: "team" | "finished" | "lead";
  folder: string;
  /** Of the lead: what it changed before it had a team is kept under it. */
  leadSession: string | null;
}

/** What the members of a team changed, as its files tell; the same for teams that run and those that ended. */
export interface TeamChanges {
  read(): Promise<ChangeRecord[]>;
  /** The bytes of a file at one moment; null where they are not kept. */
  content(state: FileState): Promise<Buffer | null>;
  /** A file as it lies there now; one that cannot be read is like no state. */
  now(path: string): Promise<FileState | null>;
  /** What undoing a member's changes would do now. `unsaved`: files of which an editor holds changes, absolute. */
  plan(member: string, unsaved?: readonly string[]): Promise<UndoPlan>;
  /**
   * Undoes what a plan says, byte for byte, and removes the new folders that this leaves empty. A file that was changed
   * since the plan was made is left alone, and so is one that cannot be read or written. Rejects where what was undone
   * cannot be recorded.
   */
  undo(plan: UndoPlan): Promise<Undone>;
}

/** What was undone, and which files of the plan were not. */
export interface Undone {
  done: FileStep[];
  left: { path: string; why: LeftReason }[];
}

/**
 * Somebody changed the file since the plan was made, a folder on its way is a link (`folder`), what it was is not kept any
 * more, or the system refused.
 */
export type LeftReason =
  | { kind: "changed" }
  | { kind: "linked"; folder: string }
  | { kind: "lost" }
  | { kind: "failed"; message: string };

/** A larger file than any that is kept counts as another one. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The changes of the team at `address`. */
export function openTeamChanges(store: Store, address: ChangesAddress, clock: Clock): TeamChanges {
  const owners = ownersOf(address);
  const own = owners[owners.length - 1] as TranscriptOwner;
  const changes: TeamChanges = {
    async read() {
      const all = await Promise.all(owners.map((owner) => store.changes.read(owner)));
      return all.flatMap(({ records }) => records);
    },
    async content({ hash, kept }) {
      if (!kept) return null;
      for (const owner of owners) {
        const bytes = await store.changes.content(owner, hash);
        if (bytes) return bytes;
      }
      return null;
    },
    now: (path) => stateNow(store, path).catch(() => UNKNOWN),
    async plan(member, unsaved = []) {
      const records = await changes.read();
      const paths = [...fileHistories(records)].filter(([, steps]) => steps.some((step) => mayBeOf(step, member)));
      const now = new Map<string, FileState | null>();
      const behind = new Map<string, string>();
      const linkAbove = linkFinder(store.workTree);
      for (const [path] of paths) {
        const link = (await linkAbove(path)) ?? ((await isWhereItWas(store, path)) ? null : dirname(path));
        if (link === null) now.set(path, await changes.now(path));
        else behind.set(path, link);
      }
      const plan = planUndo(records, member, { now, behind, unsaved: await everyName(store, unsaved) });
      const transcripts = transcriptsOf(owners, member);
      return { ...plan, unrecorded: await unrecordedPlaces(store, { member, owners: transcripts }, records) };
    },
    async undo(plan) {
      const records = await changes.read();
      const back = plan.files.filter(({ after }) => after !== null);
      const undone: Undone = { done: [], left: [] };
      const undo = async (step: FileStep) => {
        const why = await undoStep(store, changes, step).catch(failed);
        if (why === null) undone.done.push(step);
        else undone.left.push({ path: step.path, why });
      };
      // what goes makes room for what comes back: a folder may stand where a file was
      for (const step of plan.files) if (step.after === null) await undo(step);
      await removeNewFolders(store, records, { gone: undone.done, back });
      for (const step of back) await undo(step);
      const { done } = undone;
      if (done.length > 0)
        await store.changes.append(own, { kind: "undo", at: isoTime(clock.now()), member: plan.member, files: done });
      return undone;
    },
  };
  return changes;
}

/** These paths, and what they are without links: the folder of a project may be open under another name. */
async function everyName(store: Store, paths: readonly string[]): Promise<Set<string>> {
  const real = await Promise.all(paths.map((path) => store.pathFs.realpath(path).catch(() => path)));
  return new Set([...paths, ...real]);
}

/** The state of what is no file that could be restored. */
const UNKNOWN: FileState = { hash: "0".repeat(64), mode: 0, kept: false };

/** Rejects with the platform's errors. */
async function stateNow({ workTree }: Store, path: string): Promise<FileState | null> {
  const file = await workTree.read(path, MAX_BYTES);
  if (!file) return (await workTree.stamp(path)) === null ? null : UNKNOWN;
  const hash = createHash("sha256").update(file.bytes).digest("hex");
  return { hash, mode: file.mode, ...(file.link ? { link: true } : {}), kept: false };
}

function ownersOf({ kind, folder, leadSession }: ChangesAddress): TranscriptOwner[] {
  const before = leadSession === null ? [] : [{ leadSession }];
  if (kind === "lead") return [{ leadSession: folder }];
  const owner = kind === "team" ? { team: folder, agent: LEAD_NAME } : { finished: folder, agent: LEAD_NAME };
  return [...before, owner];
}

/** Where a member's transcripts are; the lead's may be kept apart, from before it had a team. */
function transcriptsOf(owners: readonly TranscriptOwner[], member: string): TranscriptOwner[] {
  return owners.flatMap((owner): TranscriptOwner[] => {
    if ("leadSession" in owner) return member === LEAD_NAME ? [owner] : [];
    return [{ ...owner, agent: member }];
  });
}

/** Null: it is undone. Rejects with the platform's errors. */
async function undoStep(store: Store, changes: TeamChanges, step: FileStep): Promise<LeftReason | null> {
  const { path, before, after } = step;
  const bytes = after && (await changes.content(after));
  if (after && !bytes) return { kind: "lost" };
  const folder = await linkFinder(store.workTree)(path);
  if (folder !== null) return { kind: "linked", folder };
  if (!(await isWhereItWas(store, path)) || !sameState(await stateNow(store, path), before)) return { kind: "changed" };
  await store.workTree.write(path, after && bytes ? { bytes, mode: after.mode, link: after.link === true } : null);
  return null;
}

function failed(error: unknown): LeftReason {
  return { kind: "failed", message: errorMessage(error) };
}

/** No folder on the way to a file has become a link, which would lead to another file. */
async function isWhereItWas(store: Store, path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      return (await store.pathFs.realpath(folder)) === folder;
    } catch {
      if (dirname(folder) === folder) return false; // not there: the nearest folder that is counts
    }
  }
}
