import type { Logger } from "../../base/logger.ts";
import { SerialQueue } from "../../base/serial.ts";
import { inboxFileName } from "../../protocol/names.ts";
import type { Store } from "../../store/store.ts";
import type { TeamChange } from "../../store/watcher.ts";
import type { MemberTranscripts } from "../members/memberTranscripts.ts";

/** What a follower reads, and where it puts it. */
export interface FollowerParts {
  store: Pick<Store, "transcripts" | "live">;
  /** The team's folder. */
  team: string;
  transcripts: MemberTranscripts;
  log: Logger;
}

/** Reads on in the transcripts of a team that another process runs. */
export class TranscriptFollower {
  private readonly parts: FollowerParts;
  /** Whose changes are followed. */
  private readonly followed = new Set<string>();
  /** How far each was read, in bytes. */
  private readonly offsets = new Map<string, number>();
  /** Whose conversation somebody looks at: what they are writing is followed too. */
  private readonly seen = new Set<string>();
  /** One after another for each member, so that nothing older comes later. */
  private readonly queue = new SerialQueue();
  private all: Promise<void> | null = null;

  constructor(parts: FollowerParts) {
    this.parts = parts;
  }

  /**
   * What is new of a member whose conversation somebody looks at; from the first call on, its changes are followed. Never
   * rejects.
   */
  async read(agent: string): Promise<void> {
    this.seen.add(agent);
    await this.readOn(agent);
  }

  /**
   * What is new of those that were not read yet, one member after another: a conversation that is opened meanwhile does
   * not wait for them. Their changes are followed from then on. Never rejects.
   */
  readAll(agents: readonly string[]): Promise<void> {
    this.all ??= this.readEach(agents).finally(() => {
      this.all = null;
    });
    return this.all;
  }

  /** Something changed on disk; without a name, perhaps everything. */
  changed({ kind, name }: TeamChange): void {
    const isMeant = (agent: string) => name === undefined || inboxFileName(agent) === name;
    if (kind === "transcript") for (const agent of this.followed) if (isMeant(agent)) void this.readOn(agent);
    if (kind === "live") for (const agent of this.seen) if (isMeant(agent)) void this.readLive(agent);
  }

  private async readEach(agents: readonly string[]): Promise<void> {
    for (const agent of agents) if (!this.offsets.has(agent)) await this.readOn(agent);
  }

  private readOn(agent: string): Promise<void> {
    const { store, team, transcripts } = this.parts;
    this.followed.add(agent);
    return this.next(agent, async () => {
      const { records, next } = await store.transcripts.readFrom({ team, agent }, this.offsets.get(agent) ?? 0);
      this.offsets.set(agent, next);
      transcripts.add(agent, records);
    });
  }

  private readLive(agent: string): Promise<void> {
    const { store, team, transcripts } = this.parts;
    return this.next(agent, async () => transcripts.setStreaming(agent, await store.live.read(team, agent)));
  }

  private async next(agent: string, job: () => Promise<void>): Promise<void> {
    await this.queue
      .run(agent, job)
      .catch((error: unknown) => this.parts.log.debug(`What ${agent} says cannot be followed.`, error));
  }
}
