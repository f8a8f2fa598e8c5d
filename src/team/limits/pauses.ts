import { errorMessage, MusterError } from "../../base/errors.ts";
import { SerialQueue } from "../../base/serial.ts";
import type { Hold, TeamConfig } from "../../protocol/team.ts";
import { recordAudit } from "../audit.ts";
import type { SessionContext } from "../context.ts";
import type { PauseDesk } from "../types.ts";

/**
 * What holds a session's members: the person's pause, or a budget that is used up. The pause is kept in `audit.jsonl`,
 * from which the next process takes it up; what holds is told to processes of members and to other readers through
 * config.json (`muster.paused`).
 */
export class Pauses implements PauseDesk {
  private readonly context: () => SessionContext;
  private readonly queue = new SerialQueue();
  private since: number | null;
  private told: string | null = null;
  private written: Promise<void> = Promise.resolve();

  /** `since`: the person paused the team then (ms), and it was not resumed. */
  constructor(context: () => SessionContext, since: number | null) {
    this.context = context;
    this.since = since;
  }

  get team(): Hold | null {
    if (this.since !== null) return { by: "person", since: this.since };
    return this.context().budgets.holdOf(null);
  }

  member(name: string): Hold | null {
    return this.team ?? this.context().budgets.holdOf(name);
  }

  async pause(): Promise<void> {
    if (this.since !== null) return;
    await this.set(this.context().options.clock.now(), "paused");
  }

  async resume(): Promise<void> {
    if (this.since !== null) await this.set(null, "resumed");
    if (this.team) throw new MusterError("not_ready", "The team's budget is used up: raise it, and the team goes on.");
  }

  /** Writes what holds into config.json, where that says something else. Called after every change; resolves when it is there. */
  publish(): Promise<void> {
    const { team, suspended } = this.context();
    if (!team || suspended) return this.written;
    const paused = this.holds();
    const wanted = JSON.stringify([team.folder, paused ?? null]);
    this.told ??= JSON.stringify([team.folder, team.watch.snapshot.config.muster?.paused ?? null]);
    if (wanted === this.told) return this.written;
    this.told = wanted;
    this.written = this.queue.run("publish", async () => {
      const { options } = this.context();
      try {
        await options.store.teams.updateTeam(team.folder, { paused });
        await team.watch.refresh();
      } catch (error) {
        this.told = null; // the next change tries again
        options.logger.warn(`What holds team ${team.folder} was not written: ${errorMessage(error)}`);
      }
    });
    return this.written;
  }

  private holds(): NonNullable<TeamConfig["muster"]>["paused"] {
    if (this.team) return { team: this.team };
    const names = [...this.context().teammates.keys()];
    const members = names.flatMap((name) => {
      const hold = this.member(name);
      return hold ? [[name, hold] as const] : [];
    });
    return members.length === 0 ? undefined : { members: Object.fromEntries(members) };
  }

  private async set(since: number | null, event: "paused" | "resumed"): Promise<void> {
    const { options, lead, changes } = this.context();
    this.since = since;
    changes.fire(); // at once: no request begins while this is written
    await recordAudit({ options, lead }, { event }, since ?? undefined);
    await this.publish();
  }
}
