import { AsyncLocalStorage } from "node:async_hooks";

/** Who a piece of code runs for. */
export interface AgentIdentity {
  readonly name: string;
}

const storage = new AsyncLocalStorage<AgentIdentity>();

/**
 * Runs `work` as this member. Only log prefixes and the "who am I" of tools read it: everything else is passed on.
 */
export function runAsAgent<T>(identity: AgentIdentity, work: () => T): T {
  return storage.run(identity, work);
}

/** The member that the running code works for. Throws outside of a member's run. */
export function currentAgent(): AgentIdentity {
  const identity = storage.getStore();
  if (!identity) throw new Error("No member runs here.");
  return identity;
}

/** The prefix of log lines: `[alice]`, or `[muster]` outside of a member's run. */
export function logPrefix(): string {
  return `[${storage.getStore()?.name ?? "muster"}]`;
}
