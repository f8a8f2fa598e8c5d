import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import type { LeadLease } from "../../store/leadStore.ts";
import type { SessionContext } from "../context.ts";

/** The lead may be in the middle of a turn for so long before the team is given up all the same, in ms. */
const TURN_MS = 20_000;

/**
 * Tells, once, that another process wants to lead the team and that the lead's turn is over. One that wants it only where
 * nobody sees this host gets it then, in the middle of a turn too: what that asks the window for does not come.
 */
export function watchHandover(context: SessionContext): Disposable & { readonly event: Event<void> } {
  const owned = new DisposableStore();
  const asked = owned.add(new Emitter<void>());
  const isUnseen = watchUnseen(context);
  let since: number | null = null;
  let told = false;
  const look = () => {
    const lease = context.team?.watch.snapshot.lead;
    if (told || !lease || lease.sessionId !== context.id) return;
    const unseen = isUnseen(lease);
    if (lease.handover === undefined && !unseen) return;
    since ??= context.options.clock.now();
    const late = unseen || context.options.clock.now() - since >= TURN_MS;
    const { state } = context.lead.member;
    if (!late && (state === "working" || state === "starting")) return;
    told = true;
    context.options.logger.info(
      `Another window or program takes the team over${unseen ? ": this one is not seen" : ""}.`,
    );
    asked.fire();
  };
  owned.add(context.changes.event(look));
  const timer = setInterval(look, 1_000);
  owned.defer(() => clearInterval(timer));
  return { event: asked.event, dispose: () => owned.dispose() };
}

/** Whether this host was found unseen when another window asked; it is looked once for each time that one asks. */
function watchUnseen({ options }: SessionContext): (lease: LeadLease) => boolean {
  let answered: number | undefined;
  let unseen = false;
  const look = async () => {
    unseen = options.isSeen !== undefined && !(await options.isSeen());
  };
  return ({ handoverIfUnseen }) => {
    if (handoverIfUnseen !== answered) {
      answered = handoverIfUnseen;
      look().catch((error: unknown) => options.logger.warn("Whether a person sees this host cannot be told.", error));
    }
    return unseen;
  };
}
