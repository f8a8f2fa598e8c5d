import type { DisposableStore } from "../base/disposable.ts";
import { errorMessage, MusterError } from "../base/errors.ts";
import type { BackendHandle } from "./backends/backend.ts";
import { memberJoined, type RunningMember, type SessionContext } from "./context.ts";
import { writePresence } from "./presence.ts";
import { removeTeammate } from "./teamLife.ts";

/** The members that run here, and what has to happen when one comes, changes or goes. */
export class Crew {
  /** Living teammates by name. */
  readonly handles = new Map<string, BackendHandle>();
  private readonly context: SessionContext;
  private readonly owned: DisposableStore;

  constructor(context: SessionContext, owned: DisposableStore) {
    this.context = context;
    this.owned = owned;
    this.watch(context.lead);
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
      await removeTeammate(this.context, running, reason).catch((error: unknown) =>
        this.context.options.logger.error(`${name} could not be removed: ${errorMessage(error)}`),
      );
      this.handles.delete(name);
      return reason;
    });
    this.handles.set(name, { ...handle, exited: gone });
  }

  /** Ends a teammate at once. Throws `unknown_member` where none of this name runs here. */
  async kill(name: string, reason: string): Promise<void> {
    const handle = this.handles.get(name);
    if (!handle) throw new MusterError("unknown_member", `${name} does not run here.`);
    handle.kill(reason);
    await handle.exited;
  }

  /** Tells of every new state, once, and writes it into the member's presence. */
  private watch(running: RunningMember): void {
    const { member } = running;
    const { events, changes } = this.context;
    let told = "";
    this.owned.add(
      member.onDidChange((what) => {
        const { state, reason } = member.view();
        if (what === "state" && told !== `${state} ${reason}`) {
          told = `${state} ${reason}`;
          const why = reason === null ? {} : { reason };
          events.fire({ type: "member_state", member: member.name, state, ...why });
          writePresence(this.context, running);
        }
        changes.fire();
      }),
    );
  }
}
