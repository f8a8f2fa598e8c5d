import type { DisposableStore } from "../base/disposable.ts";
import { errorMessage, MusterError } from "../base/errors.ts";
import type { BackendHandle } from "./backends/backend.ts";
import { isRemote, memberJoined, type RunningMember, type SessionContext } from "./context.ts";
import { writePresence } from "./presence.ts";
import { removeTeammate } from "./removeTeammate.ts";
import { waitUntil } from "./waitUntil.ts";

const NEVER = new AbortController().signal;

/** The members that this session started, in whatever backend, and what has to happen when one comes, changes or goes. */
export class Crew {
  /** Living teammates by name. */
  readonly handles = new Map<string, BackendHandle>();
  private over = false;
  private readonly context: SessionContext;

  constructor(context: SessionContext, owned: DisposableStore) {
    this.context = context;
    this.watch(context.lead);
    owned.add(context.changes.event(() => this.endRemoved()));
  }

  /** A teammate is about to run. */
  join(running: RunningMember): void {
    this.context.teammates.set(running.member.name, running);
    this.watch(running);
    this.context.events.fire(memberJoined(running.member));
  }

  /** A teammate runs: when it has gone, it is taken out of the team before `exited` settles. */
  keep(running: RunningMember, handle: BackendHandle): void {
    const { name } = running.member;
    const gone = handle.exited.then(async (reason) => {
      if (this.context.suspended) return reason; // it goes on in the next process
      await removeTeammate(this.context, running, reason).catch((error: unknown) =>
        this.context.options.logger.error(`${name} could not be removed: ${errorMessage(error)}`),
      );
      if (this.handles.get(name) === kept) this.handles.delete(name); // or a new one of this name
      return reason;
    });
    const kept = { ...handle, exited: gone };
    this.handles.set(name, kept);
    this.context.changes.fire();
    if (this.over) handle.kill("the session is over");
  }

  /**
   * A teammate's handle; undefined where none of this name runs here. One that is being started may be at work before
   * the lead knows that: its start is waited for.
   */
  async handleOf(name: string): Promise<BackendHandle | undefined> {
    const starting = this.context.teammates.get(name);
    const known = async () => {
      const handle = this.handles.get(name);
      if (handle) return { handle };
      return starting && this.context.teammates.get(name) === starting ? undefined : { handle: undefined };
    };
    const { handle } = await waitUntil(known, [this.context.changes.event], NEVER);
    return handle;
  }

  /** Ends a teammate at once, or once it is started. Throws `unknown_member` where none of this name runs here. */
  async kill(name: string, reason: string): Promise<void> {
    const handle = await this.handleOf(name);
    if (!handle) throw new MusterError("unknown_member", `${name} does not run here.`);
    handle.kill(reason);
    await handle.exited;
  }

  /** Ends all teammates at once, those too that are being started; resolves when they have gone. */
  async endAll(reason: string): Promise<void> {
    const handles = [...this.handles];
    for (const [, handle] of handles) handle.kill(reason);
    await Promise.all(handles.map(([, handle]) => handle.exited));
  }

  /** From here on whoever is still being started ends at once. */
  close(): void {
    this.over = true;
  }

  /** Ends those whom another program took out of the team: nobody can reach them, and they can claim nothing. */
  private endRemoved(): void {
    const members = this.context.team?.watch.snapshot.config.members;
    if (!members) return;
    for (const [name, handle] of this.handles) {
      if (members.some((member) => member.name === name)) continue;
      if (this.context.teammates.get(name)?.lifetime.signal.aborted === false)
        handle.kill("another program removed it from the team");
    }
  }

  /**
   * Tells of every new state, once, and writes it into the member's presence. The subscription lives as long as the
   * member: kept anywhere else it would keep the member.
   */
  private watch(running: RunningMember): void {
    const { member } = running;
    const { events, changes } = this.context;
    let told = "";
    member.onDidChange((what) => {
      const { state, reason } = member.view();
      if (what === "state" && told !== `${state} ${reason}`) {
        told = `${state} ${reason}`;
        const why = reason === null ? {} : { reason };
        events.fire({ type: "member_state", member: member.name, state, ...why });
        if (!isRemote(running)) writePresence(this.context, running); // a process writes its own
      }
      changes.fire();
    });
  }
}
