import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import type { Logger } from "../base/logger.ts";
import type { Correspondence, TaskRow, Thread } from "../protocol/panel.ts";
import type { TeamSnapshot } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import { openTeamWatch } from "../team/teamWatch.ts";
import type { ActivityFact } from "../team/views/activity/facts.ts";
import { seenTasks } from "../team/views/activity/timeline.ts";
import { correspondenceOf } from "../team/views/correspondence.ts";
import { deadLettersIn } from "../team/views/deadLetters.ts";
import { taskRows } from "../team/views/panelState.ts";
import { THREAD_LIMITS, threadsOf } from "../team/views/threads.ts";
import { Roster } from "./roster.ts";
import { learnSnapshot, type SnapshotFacts, snapshotFacts } from "./snapshotFacts.ts";

const MOST_SEEN = 10_000;

/** A team's files as the panel needs them, newest state first; whoever writes them. */
export class TeamFiles implements Disposable {
  readonly roster = new Roster();
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  private latest: TeamSnapshot | null = null;
  private changedTasks: ActivityFact[] = [];

  readonly onDidChange = this.changes.event;

  /** Null before the team is there. */
  get snapshot(): TeamSnapshot | null {
    return this.latest;
  }

  /** What was seen to change in tasks since the team was opened, the newest 10,000. */
  get seen(): readonly ActivityFact[] {
    return this.changedTasks;
  }

  get facts(): SnapshotFacts {
    return snapshotFacts(this.latest);
  }

  tasks(): TaskRow[] {
    return taskRows(this.facts.graph, this.roster.people);
  }

  threads(): Thread[] {
    const isDead = this.latest ? deadLettersIn(this.latest) : () => false;
    return threadsOf(this.facts.mail, this.roster.people, THREAD_LIMITS, isDead);
  }

  mail(): Correspondence {
    return correspondenceOf(this.facts.mail, this.roster.people);
  }

  /** Follows the files of a team from here on. Throws `unknown_team` and read errors. */
  async open(team: string, store: Store, log: Logger): Promise<void> {
    const watch = this.owned.add(await openTeamWatch(store, team, log));
    this.owned.add(watch.onDidChange((snapshot) => this.take(snapshot)));
    this.take(watch.snapshot);
  }

  /** Shows this snapshot. */
  take(snapshot: TeamSnapshot): void {
    const before = this.latest?.graph;
    if (before && before !== snapshot.graph)
      this.changedTasks = [...this.changedTasks, ...seenTasks(before, snapshot.graph, Date.now())].slice(-MOST_SEEN);
    this.latest = snapshot;
    learnSnapshot(this.roster, snapshot);
    this.changes.fire();
  }

  dispose(): void {
    this.owned.dispose();
  }
}
