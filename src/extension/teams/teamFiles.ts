import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { Logger } from "../../base/logger.ts";
import type { Correspondence, TaskRow } from "../../protocol/panel.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import { openTeamWatch } from "../../team/teamWatch.ts";
import type { ActivityFact } from "../../team/views/activity/facts.ts";
import { seenTasks } from "../../team/views/activity/timeline.ts";
import { createCorrespondence } from "../../team/views/correspondence.ts";
import { createMailReader } from "../../team/views/mail.ts";
import { createTaskRows } from "../../team/views/taskRows.ts";
import { createThreads, type IsBusy, type Threads } from "../../team/views/threads.ts";
import { Roster } from "../members/roster.ts";
import type { ShownTeam } from "./shownTeam.ts";
import { learnSnapshot, type SnapshotFacts, snapshotFacts } from "./snapshotFacts.ts";

const MOST_SEEN = 10_000;

/** The newest snapshot, and what was made of it. */
interface Latest {
  snapshot: TeamSnapshot | null;
  /** The same with heartbeats since then, which are no change. */
  now(): TeamSnapshot | null;
  facts: SnapshotFacts;
  seen: readonly ActivityFact[];
}

/** A team's files as the panel needs them, newest state first; whoever writes them. */
export class TeamFiles implements Disposable {
  readonly roster = new Roster();
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  /** These know what they made last: what did not change is the same object again. */
  private readonly make = {
    mail: createMailReader(),
    threads: createThreads(this.roster.people),
    rows: createTaskRows(this.roster.people),
    correspondence: createCorrespondence(this.roster.people),
  };
  private latest: Latest = { snapshot: null, now: () => null, facts: snapshotFacts(null), seen: [] };

  readonly onDidChange = this.changes.event;

  /** With the newest heartbeats. Null before the team is there. */
  get snapshot(): TeamSnapshot | null {
    return this.latest.now();
  }

  /** What was seen to change in tasks since the team was opened, the newest 10,000. */
  get seen(): readonly ActivityFact[] {
    return this.latest.seen;
  }

  get facts(): SnapshotFacts {
    return this.latest.facts;
  }

  tasks(): TaskRow[] {
    return this.make.rows(this.facts.graph);
  }

  /** The threads, and what else can be asked of them. */
  get threads(): Threads {
    return this.make.threads;
  }

  mail(): Correspondence {
    return this.make.correspondence(this.facts.mail);
  }

  /** Follows the files of a team from here on. Throws `unknown_team` and read errors. */
  async open(team: string, store: Store, log: Logger): Promise<void> {
    const watch = this.owned.add(await openTeamWatch(store, team, log));
    const now = () => watch.snapshot;
    this.owned.add(watch.onDidChange((snapshot) => this.take(snapshot, now)));
    this.take(watch.snapshot, now);
  }

  /** Shows this snapshot; `now`: the same with later heartbeats. */
  take(snapshot: TeamSnapshot, now: () => TeamSnapshot = () => snapshot): void {
    const { snapshot: before, seen } = this.latest;
    learnSnapshot(this.roster, snapshot, before);
    const changed =
      before && before.graph !== snapshot.graph ? seenTasks(before.graph, snapshot.graph, Date.now()) : [];
    const facts = snapshotFacts(snapshot, this.make.mail);
    this.latest = { snapshot, now, facts, seen: changed.length > 0 ? [...seen, ...changed].slice(-MOST_SEEN) : seen };
    this.changes.fire();
  }

  dispose(): void {
    this.owned.dispose();
  }
}

type OfFiles = "tasks" | "threads" | "earlierMessages" | "messages" | "wholeMessage" | "received" | "mail";

/** What every team on show has from its files, whoever runs it. `busy`: as its members are now; absent: that is not known. */
export function shownOf(files: TeamFiles, busy?: () => IsBusy): Pick<ShownTeam, OfFiles> {
  return {
    tasks: () => files.tasks(),
    threads: () => files.threads.all(files.facts.mail.values(), busy?.()),
    earlierMessages: (thread, before) => files.threads.before(thread, before),
    messages: (thread, ids) => files.threads.some(thread, ids),
    wholeMessage: (thread, message) => files.threads.whole(thread, message),
    received: (name) => files.facts.mail.get(name)?.entries ?? [],
    mail: () => files.mail(),
  };
}
