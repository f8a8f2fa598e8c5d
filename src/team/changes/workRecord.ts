import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FileChange } from "../../agent/tools/toolEnvironment.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import { errorMessage } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { type ChangeRecord, type FileState, type FileStep, sameState } from "../../protocol/changes.ts";
import { newUuid } from "../../protocol/ids.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import { type Git, openGit } from "./git.ts";
import {
  commitLook,
  createFolderScanner,
  createGitScanner,
  foldersOf,
  type Look,
  type Scanner,
  type SeenEntry,
} from "./scanner.ts";

/** Who changes something, and where that is kept now. */
export interface Author {
  member: string;
  owner: TranscriptOwner;
}

export interface WorkRecordPorts {
  store: Store;
  cwd: string;
  env: Readonly<Record<string, string>>;
  clock: Clock;
  logger: Logger;
}

type Start = Extract<ChangeRecord, { kind: "start" }>;

/** Changes that others told so long before a command began may be made only after it. */
const OVERLAP_MS = 2_000;

const NOT_RECORDED = "What a command changed is not recorded";

/**
 * Keeps what the members of this process change: the work tree before the team's first edit, then every change with the
 * files before and after it. A member's work never fails over this: what could not be recorded is logged.
 */
export class WorkRecord {
  private readonly ports: WorkRecordPorts;
  private readonly begun = new Map<string, Promise<void>>();
  private opened: Promise<Git | null> | undefined;
  private start: Promise<Start> | undefined;
  private scanner: { of: string; scanner: Promise<Scanner> } | undefined;

  constructor(ports: WorkRecordPorts) {
    this.ports = ports;
  }

  /** Records the work tree, if that was not done for this team; whatever follows waits for it. */
  begin(owner: TranscriptOwner): Promise<void> {
    const key = keyOf(owner);
    const known = this.begun.get(key);
    if (known) return known;
    const beginning = quietly(this.ports, "The work tree before the team's first edit was not recorded", async () => {
      const { changes } = this.ports.store;
      const { records } = await changes.read(owner);
      if (records.some(({ kind }) => kind === "start")) return;
      this.start ??= this.lookFirst(owner);
      await changes.append(owner, await this.start);
    }).then(() => {});
    this.begun.set(key, beginning);
    return beginning;
  }

  /** The team is gone: the work tree is recorded anew for the next one, whatever its name. */
  renew(): void {
    this.begun.clear();
    this.start = undefined;
  }

  /** To be called before the change; resolves to the id that `takeBack` wants where it is not made after all. */
  async change({ member, owner }: Author, change: FileChange): Promise<string> {
    const { changes, workTree } = this.ports.store;
    const { path, tool, toolUseId } = change;
    const id = newUuid();
    await this.begin(owner);
    await quietly(this.ports, `A change of ${path} by ${member} was not recorded`, async () => {
      const mode = (await workTree.stamp(path))?.mode ?? 0o644;
      const stateOf = async (text: string): Promise<FileState> => {
        const hash = await changes.keep(owner, Buffer.from(text));
        return { hash, mode, kept: true };
      };
      const before = change.before === undefined ? null : await stateOf(change.before);
      const files = [{ path, before, after: await stateOf(change.after) }];
      await changes.append(owner, {
        kind: "change",
        at: isoTime(this.ports.clock.now()),
        id,
        member,
        tool,
        toolUseId,
        files,
      });
    });
    return id;
  }

  async takeBack(owner: TranscriptOwner, id: string): Promise<void> {
    await quietly(this.ports, "A change that was not made could not be taken out of the record", () =>
      this.ports.store.changes.append(owner, { kind: "void", at: isoTime(this.ports.clock.now()), id }),
    );
  }

  /** To be called before a command; what it resolves to, when it has ended: it finds what the command changed. */
  async command(author: () => Author, toolUseId: string): Promise<() => Promise<void>> {
    const { clock, logger } = this.ports;
    const { owner } = author();
    await this.begin(owner);
    const since = clock.now();
    const scanner = await quietly(this.ports, NOT_RECORDED, () => this.scannerFor(owner));
    const [before, passed] = await Promise.all([
      scanner && quietly(this.ports, NOT_RECORDED, () => scanner.look()),
      scanner && quietly(this.ports, NOT_RECORDED, () => scanner.passedOver()),
    ]);
    if (before === null) logger.info(`${NOT_RECORDED}: the folder holds too many files.`);
    if (!scanner || !before || !passed) return async () => {};
    return async () => {
      await quietly(this.ports, NOT_RECORDED, () =>
        this.commandEnded({ ...author(), toolUseId, scanner, before, passed, since }),
      );
    };
  }

  private async commandEnded({ member, owner, toolUseId, scanner, since, ...seen }: RunningCommand): Promise<void> {
    const { store } = this.ports;
    const after = await scanner.look(seen.before.keys());
    if (!after) return;
    const found = await stepsBetween({ ...seen, after }, (entry) => keptState(store, owner, scanner, entry));
    if (found.length === 0) return;
    const { records } = await store.changes.read(owner);
    const files = withoutRecorded(found, records, since - OVERLAP_MS);
    if (files.length === 0) return;
    const id = newUuid();
    await store.changes.append(owner, {
      kind: "change",
      at: isoTime(this.ports.clock.now()),
      id,
      member,
      tool: "Bash",
      toolUseId,
      since: isoTime(since),
      files,
    });
  }

  private async lookFirst(owner: TranscriptOwner): Promise<Start> {
    const { cwd } = this.ports;
    const git = await this.git();
    const look = git && (await (await this.scannerFor(owner)).look());
    return {
      kind: "start",
      at: isoTime(this.ports.clock.now()),
      cwd,
      commit: git && (await commitOf(this.ports, git, look, owner)),
    };
  }

  private git(): Promise<Git | null> {
    this.opened ??= openGit(this.ports.cwd, this.ports.env);
    return this.opened;
  }

  /** Copies of files lie beside the record, so another record needs a scanner of its own. */
  private async scannerFor(owner: TranscriptOwner): Promise<Scanner> {
    const of = keyOf(owner);
    if (this.scanner?.of !== of)
      this.scanner = { of, scanner: this.git().then((git) => newScanner(this.ports, owner, git)) };
    return this.scanner.scanner;
  }
}

async function quietly<T>({ logger }: WorkRecordPorts, what: string, job: () => Promise<T>): Promise<T | undefined> {
  try {
    return await job();
  } catch (error) {
    logger.warn(`${what}: ${errorMessage(error)}`);
    return undefined;
  }
}

interface RunningCommand extends Author {
  toolUseId: string;
  scanner: Scanner;
  before: Look;
  /** What was there before it and not looked at. */
  passed: ReadonlySet<string>;
  /** Ms: when it began. */
  since: number;
}

/**
 * What of `steps` is nobody else's: a step that a record since `since` (ms) tells of is that member's, and one that goes
 * on from there begins where it ended.
 */
function withoutRecorded(steps: readonly FileStep[], records: readonly ChangeRecord[], since: number): FileStep[] {
  const taken = new Set(records.flatMap((record) => (record.kind === "void" ? record.id : [])));
  const recent = records.flatMap((record) =>
    record.kind === "start" ||
    record.kind === "void" ||
    record.kind === "person" ||
    Date.parse(record.at) < since ||
    ("id" in record && taken.has(record.id))
      ? []
      : record.files,
  );
  const last = new Map(recent.map((step) => [step.path, step.after]));
  return steps.flatMap((step) => {
    const known = last.get(step.path);
    if (known === undefined) return [step];
    return sameState(known, step.after) ? [] : [{ ...step, before: known }];
  });
}

interface Looks extends Pick<RunningCommand, "before" | "passed"> {
  after: Look;
}

/** What a command made of files. One that was passed over before it, ignored say, may have been there: it is no change. */
async function stepsBetween(
  { before, passed, after }: Looks,
  stateOf: (entry: SeenEntry) => Promise<FileState>,
): Promise<FileStep[]> {
  const steps: FileStep[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(path), after.get(path)];
    if (old?.id === now?.id && old?.mode === now?.mode && old?.link === now?.link) continue;
    if (!old && [path, ...foldersOf(path)].some((place) => passed.has(place))) continue;
    steps.push({ path, before: old ? await stateOf(old) : null, after: now ? await stateOf(now) : null });
  }
  return steps;
}

async function keptState(store: Store, owner: TranscriptOwner, scanner: Scanner, entry: SeenEntry): Promise<FileState> {
  const { mode } = entry;
  const link = entry.link ? { link: true as const } : {};
  const bytes = await scanner.bytes(entry);
  if (bytes === null) return { hash: createHash("sha256").update(entry.id).digest("hex"), mode, ...link, kept: false };
  return { hash: await store.changes.keep(owner, bytes), mode, ...link, kept: true };
}

function newScanner({ store, cwd }: WorkRecordPorts, owner: TranscriptOwner, git: Git | null): Scanner {
  const scannerPorts = {
    cwd,
    files: store.workTree,
    keep: (bytes: Uint8Array) => store.changes.keep(owner, bytes),
    content: (id: string) => store.changes.content(owner, id),
    isHidden: store.paths.isOutOfReach,
  };
  return git ? createGitScanner(git, scannerPorts) : createFolderScanner(scannerPorts);
}

async function commitOf(
  { store, cwd, logger }: WorkRecordPorts,
  git: Git,
  look: Look | null,
  owner: TranscriptOwner,
): Promise<Start["commit"]> {
  if (!look) {
    logger.info("The work tree is not kept as a commit: it holds too many files.");
    return null;
  }
  const ref = refOf(owner);
  const index = join(store.paths.muster, `index-${newUuid()}`);
  try {
    await store.workTree.makeFolder(store.paths.muster);
    return { id: await commitLook(git, look, { cwd, ref, index }), ref };
  } finally {
    await store.workTree.write(index, null).catch(() => {}); // git made none
  }
}

/** The name of the commit: no branch, and of this team alone. */
function refOf(owner: TranscriptOwner): string {
  const name = "team" in owner ? owner.team : "finished" in owner ? owner.finished : `lead-${owner.leadSession}`;
  const plain = name.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+/, "");
  return `refs/muster/${plain || "team"}-${newUuid().slice(0, 8)}`;
}

function keyOf(owner: TranscriptOwner): string {
  return "team" in owner
    ? `team ${owner.team}`
    : "finished" in owner
      ? `finished ${owner.finished}`
      : owner.leadSession;
}
