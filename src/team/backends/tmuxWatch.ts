import { neverAborted } from "../../base/abort.ts";
import { systemClock } from "../../base/clock.ts";
import { deferred } from "../../base/deferred.ts";
import type { Logger } from "../../base/logger.ts";
import { signalReaches } from "../../store/processIdentity.ts";
import { isAlive, type KnownProcess } from "./processTree.ts";
import { type TmuxClient, TmuxRefusal } from "./tmuxClient.ts";
import type { Pane } from "./tmuxLayout.ts";

/** How often the system is asked whether the processes are there, and how often each one's file is read as well. */
const PROCESS_POLL_MS = 1_000;
const FILE_POLL_MS = 3_000;
/** How often tmux is asked for all panes: a process each time. Finds a pane that was closed under its process. */
const PANES_POLL_MS = 5_000;

/** A pane that is watched, with what tells its process from a later one of the same number. */
export interface WatchedPane extends Pane, KnownProcess {}

/** Watches the panes of one starter. */
export interface TmuxWatch {
  /** Settles when the pane's process is gone; never rejects. */
  exited(pane: WatchedPane): Promise<{ reason: string }>;
  /** Looks now. */
  look(): Promise<void>;
}

/**
 * One timer for all panes, and only while there are some. A pane ends with its process; a process whose pane was closed
 * is handed to `endOrphan`: nobody can reach it any more.
 */
export function watchPanes(
  client: TmuxClient,
  endOrphan: (pane: WatchedPane) => Promise<void>,
  logger: Logger,
): TmuxWatch {
  const watched = new Map<WatchedPane, (ended: { reason: string }) => void>();
  let running = false;

  const settle = (pane: WatchedPane, reason: string) => {
    const resolve = watched.get(pane);
    watched.delete(pane);
    resolve?.({ reason });
  };
  const look = async () => {
    for (const pane of [...watched.keys()]) {
      if (!(await isAlive(pane))) settle(pane, "its process in tmux ended");
    }
  };
  const lookAtPanes = async () => {
    const closed = await closedPanes(client, [...watched.keys()]);
    for (const pane of closed ?? []) {
      await endOrphan(pane);
      settle(pane, "its tmux pane was closed");
    }
  };
  const run = async () => {
    running = true;
    for (let at = PROCESS_POLL_MS; watched.size > 0; at += PROCESS_POLL_MS) {
      await systemClock.sleep(PROCESS_POLL_MS, neverAborted);
      try {
        if (at % FILE_POLL_MS === 0 || [...watched.keys()].some(({ pid }) => !signalReaches(pid))) await look();
        if (at % PANES_POLL_MS === 0) await lookAtPanes();
      } catch (error) {
        logger.warn("The tmux panes could not be looked at.", error);
      }
    }
    running = false;
  };
  return {
    exited(pane) {
      const end = deferred<{ reason: string }>();
      watched.set(pane, end.resolve);
      if (!running) void run();
      return end.promise;
    },
    look,
  };
}

/**
 * The panes that do not exist, or belong to another process; undefined where tmux gives no clear answer. A socket that
 * somebody deleted says nothing: its server may live on.
 */
export async function closedPanes(
  client: TmuxClient,
  panes: readonly WatchedPane[],
): Promise<WatchedPane[] | undefined> {
  if (panes.length === 0) return [];
  try {
    const rows = await client.run([["list-panes", "-a", "-F", "#{pane_id} #{pane_pid}"]]);
    const there = new Set(rows.trimEnd().split("\n"));
    return panes.filter((pane) => !there.has(`${pane.id} ${pane.pid}`));
  } catch (error) {
    if (!(error instanceof TmuxRefusal)) throw error;
    return error.message.startsWith("no server running") ? [...panes] : undefined;
  }
}
