import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import type { SessionContext } from "../context.ts";

/** The lead may be in the middle of a turn for so long before the team is given up all the same, in ms. */
const TURN_MS = 20_000;

/** Tells, once, that another process wants to lead the team and that the lead's turn is over. */
export function watchHandover(context: SessionContext): Disposable & { readonly event: Event<void> } {
  const owned = new DisposableStore();
  const asked = owned.add(new Emitter<void>());
  let since: number | null = null;
  let told = false;
  const look = () => {
    const lease = context.team?.watch.snapshot.lead;
    if (told || lease?.handover === undefined || lease.sessionId !== context.id) return;
    since ??= context.options.clock.now();
    const late = context.options.clock.now() - since >= TURN_MS;
    const { state } = context.lead.member;
    if (!late && (state === "working" || state === "starting")) return;
    told = true;
    context.options.logger.info("Another window or program takes the team over.");
    asked.fire();
  };
  owned.add(context.changes.event(look));
  const timer = setInterval(look, 1_000);
  owned.defer(() => clearInterval(timer));
  return { event: asked.event, dispose: () => owned.dispose() };
}
