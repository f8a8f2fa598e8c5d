import { hostname } from "node:os";
import { resolve } from "node:path";
import { type Clock, settledWithin, systemClock } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import { type Logger, silentLogger } from "../base/logger.ts";
import { type AuditStore, createAuditStore } from "./auditStore.ts";
import { type ChangeStore, createChangeStore } from "./changeStore.ts";
import { createDoctor, type DoctorStore } from "./doctor.ts";
import { createFileCache } from "./fileCache.ts";
import { createHistoryStore, type HistoryStore } from "./historyStore.ts";
import { createImageStore, type ImageStore } from "./imageStore.ts";
import { createInboxStore, type InboxStore } from "./inboxStore.ts";
import { LEFTOVER_MS, sweepLeftovers } from "./janitor.ts";
import { createLeadStore, type LeadStore } from "./leadStore.ts";
import { createLocks, type LockOptions } from "./lock.ts";
import { createOutbox } from "./outbox.ts";
import { nodePathFs, type ReadOnlyPathFs } from "./pathFs.ts";
import { type StatePaths, statePaths } from "./paths.ts";
import { createPlanStore, type PlanStore } from "./planStore.ts";
import { createLiveStore, createPresenceStore, type LiveStore, type PresenceStore } from "./presenceStore.ts";
import { machineProcesses, type Processes, type ProcessIdentity } from "./processIdentity.ts";
import { realForm } from "./realForm.ts";
import { createSettingsStore, type SettingsStore } from "./settingsFile.ts";
import { createSnapshotStore, type SnapshotStore } from "./snapshot.ts";
import { createSpawnStore, type SpawnStore } from "./spawnStore.ts";
import type { Patience, StoreContext, StoreFault } from "./storeContext.ts";
import { nodeStoreFs, type StoreFs } from "./storeFs.ts";
import { createTaskStore, type TaskStore } from "./taskStore.ts";
import { createTeamStore, type TeamStore } from "./teamStore.ts";
import { createTextStore, type TextStore } from "./textFile.ts";
import { createTranscriptStore, type TranscriptStore } from "./transcriptStore.ts";
import { type TeamChange, type WatchScope, watchTeam } from "./watcher.ts";
import { nodeWorkTree, type WorkTree } from "./workTree.ts";

/**
 * Everything under one state root. Operations are bounded in time (locks are waited for at most 20 s) and are not cut
 * half-way: they take no signal. All throw MusterError for what can be expected. This is all that `team` knows of how
 * teams are kept: another engine has to pass `test/support/storeConformance.ts`, which knows no files.
 */
export interface Store extends Disposable {
  readonly paths: StatePaths;
  readonly fs: StoreFs;
  readonly pathFs: ReadOnlyPathFs;
  readonly logger: Logger;
  readonly processes: Processes;
  /** This process, as presence files and leases name it. */
  readonly process: ProcessIdentity;
  readonly teams: TeamStore;
  readonly tasks: TaskStore;
  readonly inboxes: InboxStore;
  readonly images: ImageStore;
  readonly transcripts: TranscriptStore;
  readonly presence: PresenceStore;
  readonly live: LiveStore;
  readonly plans: PlanStore;
  readonly audit: AuditStore;
  readonly changes: ChangeStore;
  readonly workTree: WorkTree;
  readonly leads: LeadStore;
  readonly history: HistoryStore;
  readonly snapshots: SnapshotStore;
  readonly settings: SettingsStore;
  readonly spawns: SpawnStore;
  readonly texts: TextStore;
  readonly doctor: DoctorStore;
  /** As `watchTeam`: tells of changes in a team, whoever makes them, until `signal` aborts or the team is gone. */
  watch(team: string, onChange: (change: TeamChange) => void, signal: AbortSignal, scope?: WatchScope): void;
  /** Removes what killed processes left, by default more than an hour ago; for whoever begins to lead a team. */
  sweep(olderThanMs?: number): Promise<number>;
  /** The end of a host that can wait: must-arrive messages are looked for again (200 ms), members' states are on disk, then all stops. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** The state root; made absolute. */
  root: string;
  fs?: StoreFs;
  clock?: Clock;
  logger?: Logger;
  processes?: Processes;
  locks?: LockOptions;
  /** By default 1 s, and 200 ms more inside the lock. */
  patience?: Patience;
  /** Files that could not be read as they are, each told once. */
  onFault?: (fault: StoreFault) => void;
}

/** So long at most is waited for what is done under locks, in ms: one that another program holds is waited for no longer. */
const LOCKED_MS = 2_000;

/** Opens the store of a state root. Nothing is read or made before the first call of an operation. */
export function createStore(options: StoreOptions): Store {
  const stop = new AbortController();
  const context = contextOf(options, stop.signal);
  const cache = createFileCache(context);
  const outbox = createOutbox(context);
  const self = selfOf(context.processes);
  const teams: TeamStore = createTeamStore({ context, cache, retireInbox: (team, name) => inboxes.retire(team, name) });
  const readTeam = teams.read;
  const presence = createPresenceStore(context, cache);
  const live = createLiveStore(context);
  const inboxes: InboxStore = createInboxStore({ context, cache, outbox, readTeam });
  return {
    paths: context.paths,
    fs: context.fs,
    pathFs: nodePathFs,
    logger: context.logger,
    processes: context.processes,
    get process() {
      return self();
    },
    teams,
    tasks: createTaskStore({ context, cache, readTeam }),
    inboxes,
    images: createImageStore(context),
    transcripts: createTranscriptStore(context),
    presence,
    live,
    plans: createPlanStore(context),
    audit: createAuditStore(context),
    changes: createChangeStore(context),
    workTree: nodeWorkTree,
    leads: createLeadStore(context, cache),
    history: createHistoryStore(context, cache),
    snapshots: createSnapshotStore(context, cache),
    settings: createSettingsStore(context, cache),
    spawns: createSpawnStore(context),
    texts: createTextStore(context),
    doctor: createDoctor(context, outbox),
    watch: (team, onChange, signal, scope) => watchTeam(context, team, onChange, signal, scope),
    sweep: (olderThanMs = LEFTOVER_MS) => sweepLeftovers(context, olderThanMs),
    async close() {
      // a write that is cut leaves a file, and a lock
      await Promise.all([inboxes.settled(), presence.settled(), live.settled()]);
      await settledWithin(systemClock, [context.locks.settled()], LOCKED_MS);
      stop.abort();
    },
    dispose: () => stop.abort(),
  };
}

function contextOf(options: StoreOptions, signal: AbortSignal): StoreContext {
  const fs = options.fs ?? nodeStoreFs;
  const logger = options.logger ?? silentLogger;
  const processes = options.processes ?? machineProcesses();
  const root = resolve(options.root);
  return {
    fs,
    logger,
    processes,
    paths: statePaths(root, realRootOf(root)),
    locks: createLocks(fs, processes, logger, options.locks),
    patience: options.patience ?? { unlockedMs: 1_000, lockedMs: 200 },
    clock: options.clock ?? systemClock,
    mends: true,
    tell: tellOnce(logger, options.onFault),
    signal,
  };
}

function tellOnce(logger: Logger, onFault: StoreOptions["onFault"]): StoreContext["tell"] {
  const told = new Set<string>();
  return (fault) => {
    const key = `${fault.file}\n${fault.message}`;
    if (told.has(key)) return;
    told.add(key);
    logger.warn(fault.message);
    onFault?.(fault);
  };
}

/** The root without links, known a moment after the store was opened. */
function realRootOf(root: string): () => string {
  let real = root;
  void realForm(root, () => true).then(
    (path) => {
      real = path;
    },
    () => {}, // a drive that is not there has no links
  );
  return () => real;
}

function selfOf(processes: Processes): () => ProcessIdentity {
  let self: ProcessIdentity = { pid: process.pid, host: hostname(), startTime: null };
  void processes.self().then((identity) => {
    self = identity;
  });
  return () => self;
}
