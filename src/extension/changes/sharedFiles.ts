import { errorMessage } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { ChangeRecord } from "../../protocol/changes.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { SharedFile } from "../../protocol/panel.ts";
import type { ChangeStore } from "../../store/changeStore.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import { fileHistories, membersByFile } from "../../team/changes/fileHistory.ts";
import { personsPart } from "../../team/changes/personSaves.ts";
import type { TeamSession } from "../../team/types.ts";
import type { People } from "../../team/views/people.ts";
import { nameIn } from "../folderPaths.ts";

/** What the followed files are told from and to. */
export interface SharedFilesPorts {
  session: Pick<TeamSession, "id" | "cwd" | "team">;
  store: ChangeStore;
  people: People;
  /** Who changed which file has changed. */
  onChange(): void;
  log: Logger;
}

/** Follows which files the members of a running team have changed, and which of them more than one. */
export class SharedFiles {
  private readonly ports: SharedFilesPorts;
  private readonly records = new Map<string, { all: ChangeRecord[]; next: number }>();
  private changed: ReadonlyMap<string, readonly string[]> = new Map();
  private shared: readonly (readonly [string, readonly string[]])[] = [];
  private tail: Promise<void> = Promise.resolve();

  constructor(ports: SharedFilesPorts) {
    this.ports = ports;
  }

  /** Those that more than one member changed; the one that was changed first comes last. */
  get files(): SharedFile[] {
    const { session, people } = this.ports;
    return this.shared.map(([path, members]) => ({
      file: nameIn(session.cwd, path),
      members: members.map(people),
    }));
  }

  /** Who changed a file (absolute, without links), in order of their first change. */
  membersOf(path: string): readonly string[] {
    return this.changed.get(path) ?? [];
  }

  /** A member may have changed something: what is new in the record is read. */
  look(): Promise<void> {
    this.tail = this.tail
      .then(() => this.read())
      .catch((error: unknown) => this.ports.log.debug(`The record of changes cannot be read: ${errorMessage(error)}`));
    return this.tail;
  }

  private async read(): Promise<void> {
    const { session, onChange } = this.ports;
    const owners: TranscriptOwner[] = [{ leadSession: session.id }];
    if (session.team !== null) owners.push({ team: session.team, agent: LEAD_NAME });
    const before = owners.map((owner) => this.known(owner).all.length).join();
    for (const owner of owners) await this.readOn(owner);
    if (owners.map((owner) => this.known(owner).all.length).join() === before) return;
    const records = owners.flatMap((owner) => this.known(owner).all);
    const found = membersByFile(fileHistories(records), personsPart(records));
    if (sameFiles(found, this.changed)) return;
    const shared = [...found].filter(([, members]) => members.length > 1).reverse();
    this.tell(shared);
    this.changed = found;
    this.shared = shared;
    onChange();
  }

  private tell(shared: SharedFiles["shared"]): void {
    const { session, log } = this.ports;
    for (const [path, members] of shared) {
      if (this.membersOf(path).length === members.length) continue;
      log.info(`${nameIn(session.cwd, path)} was changed by ${members.join(" and ")}.`);
    }
  }

  private async readOn(owner: TranscriptOwner): Promise<void> {
    const known = this.known(owner);
    const { records, next } = await this.ports.store.read(owner, known.next);
    known.all.push(...records);
    known.next = next;
  }

  private known(owner: TranscriptOwner): { all: ChangeRecord[]; next: number } {
    const key = "leadSession" in owner ? owner.leadSession : JSON.stringify(owner);
    const known = this.records.get(key) ?? { all: [], next: 0 };
    this.records.set(key, known);
    return known;
  }
}

function sameFiles(
  one: ReadonlyMap<string, readonly string[]>,
  other: ReadonlyMap<string, readonly string[]>,
): boolean {
  return one.size === other.size && [...one].every(([path, members]) => other.get(path)?.join() === members.join());
}
