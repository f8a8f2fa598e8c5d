import { isAborted } from "../../base/abort.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { MusterError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { RunResult } from "../../protocol/events.ts";
import { isBusy } from "../../protocol/team.ts";
import type { TeamSession } from "../../team/types.ts";
import type { LiveTeam } from "./liveTeam.ts";
import type { ShownTeam, TeamAddress } from "./shownTeam.ts";
import type { ReadyTeam } from "./startTeam.ts";

/** What a team that this window ran came to. */
export interface EndedTeam {
  ready: ReadyTeam;
  result: RunResult;
  /** Where its files are now; null where nothing is kept. */
  address: TeamAddress | null;
}

/** Makes what is shown of a team that has ended. */
export type ShowEnded = (ended: EndedTeam) => Promise<ShownTeam>;

/** What the teams of a window need. */
export interface TeamsPorts {
  showEnded: ShowEnded;
  /** Another process asks to lead the team that this window runs. */
  handedOver(): void;
  log: Logger;
}

/** The team that runs, and what ends with it. `deleted`: its lead has deleted it. */
interface RunningTeam {
  ready: ReadyTeam;
  stop: AbortController;
  owned: DisposableStore;
  deleted: boolean;
}

/** The team that this window runs. Throws `not_allowed` where there is none. */
export function requireLive({ live }: Pick<Teams, "live">): LiveTeam {
  if (live) return live;
  throw new MusterError("not_allowed", "No team runs in this window: start one, or run the demo team.");
}

/** The one team that this window shows, and the one that it runs: while a team runs, they are the same. */
export class Teams implements Disposable {
  private readonly ports: TeamsPorts;
  private readonly changes = new Emitter<void>();
  private shown: ShownTeam | null = null;
  private running: RunningTeam | null = null;
  private ending: Promise<void> | null = null;

  constructor(ports: TeamsPorts) {
    this.ports = ports;
  }

  /** Another team is shown, or none. */
  readonly onDidChange = this.changes.event;

  get current(): ShownTeam | null {
    return this.shown;
  }

  /** The team that this window runs. */
  get live(): LiveTeam | null {
    return this.running?.ready.team ?? null;
  }

  /**
   * Runs a team. Throws `not_ready`, and lets go of it, where another runs here already; rejects, and shows nothing, where
   * it cannot begin.
   */
  async run(ready: ReadyTeam): Promise<void> {
    if (this.running) {
      await discardTeam(ready);
      throw runsAlready();
    }
    const owned = new DisposableStore();
    const stop = new AbortController();
    const running = { ready, stop, owned, deleted: false };
    this.running = running;
    this.show(ready.team);
    const { session } = ready.team;
    owned.add(
      session.events((event) => {
        if (event.type !== "team_deleted") return;
        running.deleted = true;
        whenDeletedRests(session, stop.signal)
          .then((rests) => (rests ? this.end(0) : undefined))
          .catch((error: unknown) => this.ports.log.error("The finished team cannot be shown.", error));
      }),
    );
    owned.add(session.onHandover(() => this.ports.handedOver()));
    try {
      await ready.begin();
    } catch (error) {
      if (this.running !== running) throw error; // it was suspended or ended meanwhile, and so is closed
      this.running = null;
      stop.abort();
      owned.dispose();
      this.show(null);
      await ready.close();
      throw error;
    }
  }

  /** Shows a team that this window does not run. Null: none. Throws `not_ready` while the window runs another. */
  show(team: ShownTeam | null): void {
    if (this.running && team !== this.running.ready.team) {
      team?.dispose();
      throw runsAlready();
    }
    const before = this.shown;
    this.shown = team;
    this.changes.fire();
    if (before && before !== team) before.dispose();
  }

  /**
   * Ends the team that runs, in order, and stays on what it left. Members get `graceMs` to agree to stop. A team that is
   * in the middle of something is interrupted.
   */
  end(graceMs: number): Promise<void> {
    this.ending ??= this.endRunning(graceMs).finally(() => {
      this.ending = null;
    });
    return this.ending;
  }

  /** Leaves the team that runs to the next window: everything stops at once, and goes on from the files. */
  async suspend(): Promise<void> {
    const { running } = this;
    if (this.ending) return this.ending;
    if (!running) return;
    this.running = null;
    running.stop.abort();
    running.owned.dispose();
    try {
      await running.ready.team.session.suspend();
    } finally {
      await running.ready.close();
    }
  }

  dispose(): void {
    this.running?.stop.abort();
    this.shown?.dispose();
    this.changes.dispose();
  }

  private async endRunning(graceMs: number): Promise<void> {
    const { running } = this;
    if (!running) return;
    const { ready, stop, owned } = running;
    stop.abort();
    owned.dispose();
    let left: ShownTeam | null = null;
    try {
      const { session } = ready.team;
      const interrupted = session.members().some(({ state }) => isBusy(state));
      const { result, history } = await session.end({ graceMs, interrupted });
      left = await this.ports.showEnded({ ready, result, address: addressAfter(running, history) });
    } finally {
      this.running = null; // also where it ended badly: nothing of it goes on
      this.show(left);
      await ready.close();
    }
  }
}

/** Lets go of a team that was made ready and never began. */
export async function discardTeam({ team, close }: ReadyTeam): Promise<void> {
  await team.session.suspend();
  team.dispose();
  await close();
}

function runsAlready(): MusterError {
  return new MusterError("not_ready", "Another team runs in this window by now: shut it down first.");
}

/** Where the files of a team that ended are. `history`: the folder that a team that its lead deleted left, if it did. */
function addressAfter({ ready, deleted }: RunningTeam, history: string | null): TeamAddress | null {
  const { root } = ready.store.paths;
  const { team } = ready.team.session;
  if (history !== null) return { root, kind: "finished", folder: history };
  return deleted || team === null ? null : { root, kind: "team", folder: team };
}

/** The lead has deleted its team: when it has said its last words, the team is finished. False: `signal` came first. */
async function whenDeletedRests(session: TeamSession, signal: AbortSignal): Promise<boolean> {
  try {
    return (await session.waitForRest(signal)).kind === "deleted";
  } catch (error) {
    if (isAborted(error)) return false;
    throw error;
  }
}
