import { settledWithin } from "../base/clock.ts";
import type { DisposableStore } from "../base/disposable.ts";
import { errorMessage, MusterError } from "../base/errors.ts";
import { type Backend, type BackendHandle, type ExitReason, endedBefore } from "./backends/backend.ts";
import { isRemote, memberJoined, type RunningMember, type SessionContext } from "./context.ts";
import { newStates } from "./newStates.ts";
import { writePresence } from "./presence.ts";
import { removeTeammate } from "./removeTeammate.ts";

/** How long a process that is ended may take to go, in ms. */
const GONE_MS = 3_000;

/** The members that this session started, in whatever backend, and what has to happen when one comes, changes or goes. */
export class Crew {
  /** Living teammates. */
  readonly handles = new Map<RunningMember, BackendHandle>();
  /** Those that are being started. */
  private readonly starts = new Map<RunningMember, Promise<unknown>>();
  /** Those that are being added to the team, or taken out of it again: a start is a part of it. */
  private readonly spawns = new Set<Promise<unknown>>();
  private readonly over = new AbortController();
  private readonly context: SessionContext;

  constructor(context: SessionContext, owned: DisposableStore) {
    this.context = context;
    tellStates(context, context.lead);
    owned.add(context.changes.event(() => this.endRemoved()));
  }

  /** A teammate is about to run. */
  join(running: RunningMember): void {
    this.context.teammates.set(running.member.name, running);
    tellStates(this.context, running);
    this.context.events.fire(memberJoined(running.member));
  }

  /** The backend, with starts of which the crew knows until they are over. */
  following(backend: Backend): Backend {
    return {
      type: backend.type,
      start: (running) => {
        const start = backend.start(running).catch((error: unknown) => {
          const isEnded = running.lifetime.signal.aborted && !this.context.suspended;
          throw isEnded ? endedBefore(running) : error;
        });
        const over = () => void this.starts.delete(running);
        this.starts.set(running, start);
        start.then(over, over);
        return start;
      },
    };
  }

  /**
   * Adds a teammate: the crew's end waits for it. `signal` aborts where it is not to go on. Throws `not_ready` where the
   * session is over.
   */
  async spawn<T>(add: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.over.signal.aborted) throw endsNow();
    const spawn = add(this.over.signal);
    this.spawns.add(spawn);
    try {
      return await spawn;
    } finally {
      this.spawns.delete(spawn);
    }
  }

  /** A teammate runs: when it has gone, it is taken out of the team before `exited` settles. */
  keep(running: RunningMember, handle: BackendHandle): void {
    const failed = (error: unknown): ExitReason => ({ kind: "crashed", reason: errorMessage(error) });
    const gone = handle.exited.catch(failed).then(async (reason) => {
      if (this.context.suspended) return reason; // it goes on in the next process
      await removeTeammate(this.context, running, reason);
      this.handles.delete(running);
      return reason;
    });
    this.handles.set(running, { ...handle, exited: gone });
    if (this.over.signal.aborted) handle.kill("the session is over");
  }

  /** A teammate's handle, once its start is over; undefined where no teammate of this name runs here. */
  async handleOf(name: string): Promise<BackendHandle | undefined> {
    const running = this.context.teammates.get(name);
    if (!running) return undefined;
    await this.starts.get(running)?.catch(() => {}); // told by who started it
    return this.handles.get(running);
  }

  /**
   * Ends a teammate at once, also one that is being started: it may be at work before its lead knows that. Throws
   * `unknown_member` where none of this name runs here.
   */
  async kill(name: string, reason: string): Promise<void> {
    const running = this.context.teammates.get(name);
    const start = running && this.starts.get(running);
    if (running && start && !this.handles.has(running)) {
      running.lifetime.abort();
      await start.catch(() => {}); // that is its end
      if (!this.handles.has(running)) return;
    }
    const handle = await this.handleOf(name);
    if (!handle) throw new MusterError("unknown_member", `${name} does not run here.`);
    handle.kill(reason);
    await handle.exited;
  }

  /**
   * Ends all teammates at once, those too that are being started; resolves when they have gone. A start that hangs, as in
   * a window that lost its connection, is not waited for longer than a process may take to go.
   */
  async endAll(reason: string): Promise<void> {
    const handles = [...this.handles];
    const coming = [...this.starts.values(), ...this.spawns];
    for (const [, handle] of handles) handle.kill(reason);
    for (const running of this.starts.keys()) running.lifetime.abort();
    await Promise.allSettled(handles.map(([, handle]) => handle.exited));
    await settledWithin(this.context.options.clock, coming, GONE_MS);
  }

  /** From here on nobody comes: whoever is still being added or started ends at once. */
  close(): void {
    this.over.abort();
    for (const running of this.starts.keys()) running.lifetime.abort();
  }

  /** Ends those whom another program took out of the team: nobody can reach them, and they can claim nothing. */
  private endRemoved(): void {
    const members = this.context.team?.watch.snapshot.config.members;
    if (!members) return;
    for (const [{ member, lifetime }, handle] of this.handles) {
      if (members.some(({ name }) => name === member.name)) continue;
      if (!this.context.teammates.has(member.name)) continue;
      lifetime.abort();
      handle.kill("another program removed it from the team");
    }
  }
}

/** What says that the session is over, to whoever would add a teammate. */
export function endsNow(): MusterError {
  return new MusterError("not_ready", "The team is being ended: nobody is started any more.");
}

/**
 * Tells of every new state, once, and writes it into the member's presence. The subscription lives as long as the member:
 * kept anywhere else it would keep the member.
 */
function tellStates(context: SessionContext, running: RunningMember): void {
  const { member } = running;
  const newState = newStates();
  member.onDidChange((what) => {
    const event = what === "state" ? newState(member.view()) : null;
    if (event) {
      context.events.fire(event);
      if (!isRemote(running)) writePresence(context, running); // a process writes its own
    }
    context.changes.fire();
  });
}
