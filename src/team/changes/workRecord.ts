import { join } from "node:path";
import type { FileChange } from "../../agent/tools/toolEnvironment.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import { errorMessage } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { ChangeRecord, FileState } from "../../protocol/changes.ts";
import { newUuid } from "../../protocol/ids.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import { type Looks, stepsBetween, type ToldSteps, toldSince, untoldSteps } from "./commandSteps.ts";
import { type Git, openGit } from "./git.ts";
import { keptState } from "./keptState.ts";
import { linkFinder } from "./linkAbove.ts";
import { commitLook, createFolderScanner, createGitScanner, type Look, type Scanner } from "./scanner.ts";

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
  private scanner: { of: string; scanner: Scanner } | undefined;

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
      if (records.some(({ kind }) => kind === "start")) return true;
      await changes.append(owner, await this.firstLook(owner));
      return true;
    }).then((done) => {
      if (!done && this.begun.get(key) === beginning) this.begun.delete(key); // the next edit tries again
    });
    this.begun.set(key, beginning);
    return beginning;
  }

  /** The team is gone: the work tree is recorded anew for the next one, whatever its name. */
  renew(): void {
    this.begun.clear();
    this.start = undefined;
    this.scanner = undefined; // the files that it has kept went with the team
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

  /** To be called when the change was made: only then can it be known which permissions a new file was given. */
  async made(owner: TranscriptOwner, { id, path }: { id: string; path: string }): Promise<void> {
    const { changes, workTree } = this.ports.store;
    await quietly(this.ports, `That ${path} was changed was not recorded`, async () => {
      const stamp = await workTree.stamp(path);
      if (stamp)
        await changes.append(owner, { kind: "made", at: isoTime(this.ports.clock.now()), id, mode: stamp.mode });
    });
  }

  async takeBack(owner: TranscriptOwner, id: string): Promise<void> {
    await quietly(this.ports, "A change that was not made could not be taken out of the record", () =>
      this.ports.store.changes.append(owner, { kind: "void", at: isoTime(this.ports.clock.now()), id }),
    );
  }

  /** To be called before a command; what it resolves to, when it has ended: it finds what the command changed. */
  async command(author: () => Author, toolUseId: string): Promise<() => Promise<void>> {
    const { logger, clock } = this.ports;
    const { owner, member } = author();
    await this.begin(owner);
    const since = isoTime(clock.now());
    await tell(this.ports, owner, { kind: "command", at: since, member }); // before the look: whoever looks meanwhile knows of it
    const scanner = await quietly(this.ports, NOT_RECORDED, () => this.scannerFor(owner));
    const [before, passed] = await Promise.all([
      scanner && quietly(this.ports, NOT_RECORDED, () => scanner.look()),
      scanner && quietly(this.ports, NOT_RECORDED, () => scanner.passedOver()),
    ]);
    if (before === null) logger.info(`${NOT_RECORDED}: the folder holds too many files.`);
    const from = isoTime(clock.now());
    return async () => {
      const to = isoTime(clock.now());
      const { owner } = author();
      const also =
        scanner && before && passed
          ? await quietly(this.ports, NOT_RECORDED, () =>
              commandEnded(this.ports, { member, owner, toolUseId, scanner, before, passed, since }),
            )
          : undefined;
      if (also === undefined) {
        this.opened = undefined; // the folder may be in no repository any more, or in one by now
        this.scanner = undefined;
      }
      const at = isoTime(clock.now());
      await tell(this.ports, owner, { kind: "ended", at, member, since, from, to, ...(also ? { also } : {}) });
    };
  }

  private firstLook(owner: TranscriptOwner): Promise<Start> {
    const start =
      this.start ?? lookFirst(this.ports, owner, { git: this.git(), scanner: () => this.scannerFor(owner) });
    this.start = start;
    start.catch(() => {
      if (this.start === start) this.start = undefined;
    });
    return start;
  }

  private git(): Promise<Git | null> {
    const opened = this.opened ?? openGit(this.ports.cwd, this.ports.env);
    this.opened = opened;
    opened.catch(() => {
      if (this.opened === opened) this.opened = undefined;
    });
    return opened;
  }

  /** Copies of files lie beside the record, so another record needs a scanner of its own. */
  private async scannerFor(owner: TranscriptOwner): Promise<Scanner> {
    const of = keyOf(owner);
    const git = await this.git();
    if (this.scanner?.of !== of) this.scanner = { of, scanner: newScanner(this.ports, owner, git) };
    return this.scanner.scanner;
  }
}

/** Resolves to files that changed and that others told of; undefined: what changed is not known. */
async function commandEnded({ store, clock }: WorkRecordPorts, command: RunningCommand): Promise<string[] | undefined> {
  const { member, owner, toolUseId, scanner, since, before, passed } = command;
  const after = await scanner.look(before.keys());
  if (!after) return undefined;
  const lookedMs = clock.now();
  const { records } = await store.changes.read(owner);
  const told = toldSince(records, { sinceMs: Date.parse(since), lookedMs });
  const gone = await goneOf(store, told, (path) => before.has(path) || after.has(path));
  const found = await stepsBetween({ before, passed, after, told, gone }, (entry, path) =>
    keptState({ changes: store.changes, owner, scanner, records }, entry, path),
  );
  const files = found.flatMap((step) => untoldSteps(step, told.get(step.path) ?? []));
  const at = isoTime(clock.now());
  if (files.length > 0) {
    const call = { member, tool: "Bash" as const, toolUseId };
    await store.changes.append(owner, { kind: "change", at, id: newUuid(), ...call, since, files });
  }
  const own = new Set(files.map(({ path }) => path));
  return found.flatMap(({ path }) => (own.has(path) ? [] : path));
}

async function tell(ports: WorkRecordPorts, owner: TranscriptOwner, record: ChangeRecord): Promise<void> {
  await quietly(ports, "When a command ran is not recorded", () => ports.store.changes.append(owner, record));
}

interface FirstLook {
  git: Promise<Git | null>;
  scanner(): Promise<Scanner>;
}

async function lookFirst(ports: WorkRecordPorts, owner: TranscriptOwner, { git, scanner }: FirstLook): Promise<Start> {
  const { cwd, clock } = ports;
  const found = await git;
  const look = found && (await (await scanner()).look());
  const commit = found && (await commitOf(ports, found, look, owner));
  return { kind: "start", at: isoTime(clock.now()), cwd, commit };
}

async function quietly<T>({ logger }: WorkRecordPorts, what: string, job: () => Promise<T>): Promise<T | undefined> {
  try {
    return await job();
  } catch (error) {
    logger.warn(`${what}: ${errorMessage(error)}`);
    return undefined;
  }
}

interface RunningCommand extends Author, Pick<Looks, "before" | "passed"> {
  toolUseId: string;
  scanner: Scanner;
  /** ISO 8601: when it began. */
  since: string;
}

/** New files that others told of and that are not there: a link may lead to others. A look passes over some that are. */
async function goneOf({ workTree }: Store, told: ToldSteps, isSeen: (path: string) => boolean): Promise<string[]> {
  const gone: string[] = [];
  const linkAbove = linkFinder(workTree);
  const isThere = async (path: string) =>
    (await linkAbove(path)) === null && (await workTree.stamp(path).catch(() => undefined)) !== null;
  for (const [path, [first]] of told)
    if (first?.before === null && !isSeen(path) && !(await isThere(path))) gone.push(path);
  return gone;
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
