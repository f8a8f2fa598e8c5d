import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { errorMessage } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { TeamEvent } from "../protocol/events.ts";
import { messageId } from "../protocol/message.ts";
import { parseBody } from "../protocol/messageBody.ts";
import type { TaskView } from "../protocol/task.ts";
import { taskViews } from "../protocol/taskGraph.ts";
import type { TeamSnapshot } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import { watchTeam } from "../store/watcher.ts";

/** The newest snapshot of one team's files, kept up by a watcher; memory never says more than the files. */
export class TeamWatch implements Disposable {
  private readonly changes = new Emitter<TeamSnapshot>();
  private readonly inboxes = new Emitter<string>();
  private readonly happened = new Emitter<TeamEvent>();
  private readonly stop = new AbortController();
  private readonly store: Store;
  private readonly logger: Logger;
  private latest: TeamSnapshot;
  private reading: Promise<void> | null = null;
  private again = false;

  private constructor(store: Store, logger: Logger, first: TeamSnapshot) {
    this.store = store;
    this.logger = logger;
    this.latest = first;
  }

  /** Reads the team and starts watching it. Throws `unknown_team` and read errors. */
  static async open(store: Store, team: string, logger: Logger): Promise<TeamWatch> {
    const watch = new TeamWatch(store, logger, await store.snapshots.read(team));
    watchTeam(
      store,
      team,
      (change) => {
        if (change.kind === "inbox" && change.name !== undefined) watch.inboxes.fire(change.name);
        if (change.kind !== "transcript" && change.kind !== "live") void watch.refresh();
      },
      watch.stop.signal,
    );
    return watch;
  }

  readonly onDidChange = this.changes.event;
  /** The inbox of this member may have changed (by file name, without `.json`). */
  readonly onInbox = this.inboxes.event;
  /** Changes of tasks and new messages, whoever made them. */
  readonly onEvent = this.happened.event;

  get snapshot(): TeamSnapshot {
    return this.latest;
  }

  /** Reads what changed; resolves when the snapshot is at least as new as this call. */
  async refresh(): Promise<TeamSnapshot> {
    if (this.reading) this.again = true;
    this.reading ??= this.readUntilQuiet().finally(() => {
      this.reading = null;
    });
    await this.reading;
    return this.latest;
  }

  dispose(): void {
    this.stop.abort();
    this.changes.dispose();
    this.inboxes.dispose();
    this.happened.dispose();
  }

  private async readUntilQuiet(): Promise<void> {
    do {
      this.again = false;
      try {
        const next = await this.store.snapshots.read(this.latest.team);
        if (this.stop.signal.aborted) return;
        const events = eventsBetween(this.latest, next);
        this.latest = next;
        for (const event of events) this.happened.fire(event);
        this.changes.fire(next);
      } catch (error) {
        this.logger.debug(`The team's files could not be read: ${errorMessage(error)}`);
      }
    } while (this.again);
  }
}

/** What happened between two snapshots: tasks that are new, changed or gone are told as they are now, messages once. */
export function eventsBetween(before: TeamSnapshot, after: TeamSnapshot): TeamEvent[] {
  return [...taskEvents(before, after), ...messageEvents(before, after)];
}

function taskEvents(before: TeamSnapshot, after: TeamSnapshot): TeamEvent[] {
  const known = new Map(taskViews(before.graph).map((task) => [task.id, JSON.stringify(task)]));
  return taskViews(after.graph)
    .filter((task: TaskView) => known.get(task.id) !== JSON.stringify(task))
    .map((task) => ({ type: "task", task }));
}

function messageEvents(before: TeamSnapshot, after: TeamSnapshot): TeamEvent[] {
  const events: TeamEvent[] = [];
  for (const [agent, { entries }] of after.inboxes) {
    const earlier = before.inboxes.get(agent)?.entries;
    if (earlier === entries) continue;
    const known = new Set(earlier?.map(messageId));
    for (const entry of entries) {
      const msg_id = messageId(entry);
      if (known.has(msg_id)) continue;
      const summary = entry.summary === undefined ? {} : { summary: entry.summary };
      events.push({
        type: "message",
        from: entry.from,
        to: agent,
        kind: parseBody(entry.text).kind,
        ...summary,
        msg_id,
      });
    }
  }
  return events;
}
