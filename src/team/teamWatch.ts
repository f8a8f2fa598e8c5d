import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { Emitter, type Event } from "../base/emitter.ts";
import { errorMessage } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { TeamEvent } from "../protocol/events.ts";
import { messageId } from "../protocol/message.ts";
import { parseBody } from "../protocol/messageBody.ts";
import { isInternalTask, type Task } from "../protocol/task.ts";
import { byId, openBlockers, type TaskGraph, taskView } from "../protocol/taskGraph.ts";
import type { Presence } from "../protocol/team.ts";
import type { TeamSnapshot } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import type { TeamChange, WatchScope } from "../store/watcher.ts";
import { createTaskHints } from "./taskHints.ts";

/** The newest snapshot of one team's files, kept up by a watcher; memory never says more than the files. */
export interface TeamWatch extends Disposable {
  readonly snapshot: TeamSnapshot;
  readonly onDidChange: Event<TeamSnapshot>;
  /** The inbox of this member may have changed (by file name, without `.json`). */
  readonly onInbox: Event<string>;
  /** The transcript of this member may have grown (by file name). */
  readonly onTranscript: Event<string>;
  /** The reply that this member is writing may have grown (by file name). */
  readonly onLive: Event<string>;
  /** The team's folder is not there any more. */
  readonly onGone: Event<void>;
  /** Changes of tasks and new messages, whoever made them. */
  readonly onEvent: Event<TeamEvent>;
  /** Reads what changed; resolves when the snapshot is at least as new as this call. */
  refresh(): Promise<TeamSnapshot>;
}

/**
 * Reads the team and starts watching it. Throws `unknown_team` and read errors. What `scope` leaves out wakes nobody
 * here, and is as new as the last `refresh`.
 */
export async function openTeamWatch(
  store: Store,
  team: string,
  logger: Logger,
  scope: WatchScope = { without: [] },
): Promise<TeamWatch> {
  const owned = new DisposableStore();
  const stop = new AbortController();
  const changes = owned.add(new Emitter<TeamSnapshot>());
  const inboxes = owned.add(new Emitter<string>());
  const transcripts = owned.add(new Emitter<string>());
  const lives = owned.add(new Emitter<string>());
  const gone = owned.add(new Emitter<void>());
  const happened = owned.add(new Emitter<TeamEvent>());
  owned.defer(() => stop.abort());
  const tasks = createTaskHints({ told: !scope.without.includes("task") });
  let latest = await store.snapshots.read(team);

  async function readOnce(): Promise<void> {
    const hinted = tasks.take();
    const unchanged = hinted && ((id: string) => latest.graph.tasks.has(id) && !hinted.has(id));
    try {
      const next = withKnownGraph(latest, await store.snapshots.read(team, unchanged));
      if (stop.signal.aborted) return;
      const before = latest;
      latest = next;
      if (saysTheSame(before, next)) return;
      for (const event of eventsBetween(before, next)) happened.fire(event);
      changes.fire(next);
    } catch (error) {
      tasks.doubt();
      logger.debug(`The team's files could not be read: ${errorMessage(error)}`);
    }
  }

  const read = coalesced(readOnce);
  /** A heartbeat, which comes all the time, changes nothing but a time: only its own file is read. */
  const readPresence = async (file: string) => {
    const before = latest;
    const known = before.presence.get(file);
    const now = known && (await store.presence.read(team, file).catch(() => null));
    if (latest !== before || !now || withoutBeat(now) !== withoutBeat(known)) return read();
    latest = { ...before, presence: new Map(before.presence).set(file, now) };
  };
  const onChange = (change: TeamChange) => {
    if (change.kind === "gone") return gone.fire();
    if (change.kind === "task") tasks.add(change.name);
    if (change.kind === "inbox" && change.name !== undefined) inboxes.fire(change.name);
    if (change.kind === "transcript" && change.name !== undefined) transcripts.fire(change.name);
    else if (change.kind === "live" && change.name !== undefined) lives.fire(change.name);
    else if (change.kind === "presence" && change.name !== undefined) void readPresence(change.name);
    else void read();
  };
  store.watch(team, onChange, stop.signal, scope);
  return {
    get snapshot() {
      return latest;
    },
    onDidChange: changes.event,
    onInbox: inboxes.event,
    onTranscript: transcripts.event,
    onLive: lives.event,
    onGone: gone.event,
    onEvent: happened.event,
    async refresh() {
      tasks.doubt();
      await read();
      return latest;
    },
    dispose: () => owned.dispose(),
  };
}

/** Runs `job` so that calls during a run are answered by one more run, however many they are. */
function coalesced(job: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    current = job().finally(() => {
      current = null;
    });
    return current;
  };
  return () => {
    if (!current) return run();
    next ??= current.then(() => {
      next = null;
      return run();
    });
    return next;
  };
}

/** The snapshot with the graph that is known where no task changed. */
function withKnownGraph({ graph }: TeamSnapshot, next: TeamSnapshot): TeamSnapshot {
  const { tasks, damaged } = next.graph;
  const isKnown = sameEntries(graph.tasks, tasks, (one, other) => one === other) && sameIds(graph.damaged, damaged);
  return isKnown ? { ...next, graph } : next;
}

/** Whether two snapshots say the same; unchanged files are the same objects, and a heartbeat alone is no change. */
function saysTheSame(a: TeamSnapshot, b: TeamSnapshot): boolean {
  return (
    a.config === b.config &&
    a.graph === b.graph &&
    sameEntries(a.inboxes, b.inboxes, (one, other) => one === other) &&
    sameEntries(a.presence, b.presence, (one, other) => withoutBeat(one) === withoutBeat(other)) &&
    a.lead?.sessionId === b.lead?.sessionId &&
    a.lead?.pid === b.lead?.pid &&
    a.lead?.handover === b.lead?.handover &&
    a.lead?.handoverIfUnseen === b.lead?.handoverIfUnseen
  );
}

function sameEntries<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>, same: (a: V, b: V) => boolean): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !same(value, other)) return false;
  }
  return true;
}

function sameIds(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}

function withoutBeat(presence: Presence): string {
  return JSON.stringify({ ...presence, beat: 0 });
}

/** What happened between two snapshots: tasks that are new, changed or gone are told as they are now, messages once. */
function eventsBetween(before: TeamSnapshot, after: TeamSnapshot): TeamEvent[] {
  return [...taskEvents(before, after), ...messageEvents(before, after)];
}

function taskEvents({ graph: before }: TeamSnapshot, { graph: after }: TeamSnapshot): TeamEvent[] {
  if (before === after) return [];
  return [...after.tasks.values()]
    .filter((task) => !isInternalTask(task) && !isKnown(task, before, after))
    .sort(byId)
    .map((task) => ({ type: "task", task: taskView(task, after) }));
}

/** Whether a task looked the same in the graph before. Most tasks are the same object, and only their edges can differ. */
function isKnown(task: Task, before: TaskGraph, after: TaskGraph): boolean {
  const known = before.tasks.get(task.id);
  if (!known || edgesOf(task.id, before) !== edgesOf(task.id, after)) return false;
  return known === task || JSON.stringify(taskView(known, before)) === JSON.stringify(taskView(task, after));
}

function edgesOf(id: string, graph: TaskGraph): string {
  return [graph.blockers.get(id) ?? [], graph.blocked.get(id) ?? [], openBlockers(id, graph)].join(";");
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
