/** A new `msg_id`, session id or nonce: UUID v4. */
export function newUuid(): string {
  return globalThis.crypto.randomUUID();
}

/** `{name}@{team}`, the `agentId` of a member. */
export function agentId(name: string, team: string): string {
  return `${name}@${team}`;
}

/** `shutdown-{ms}@{agent}`: the form that the reference writes. `ms` must grow between two requests to one agent. */
export function shutdownRequestId(ms: number, agent: string): string {
  return `shutdown-${ms}@${agent}`;
}

/** `plan_approval-{ms}@{agent}@{team}`: the form that the reference writes. */
export function planRequestId(ms: number, agent: string, team: string): string {
  return `plan_approval-${ms}@${agent}@${team}`;
}

/** `perm-{ms}-{7 base36}`: the form that the reference writes. */
export function permissionRequestId(ms: number): string {
  const digits = globalThis.crypto.getRandomValues(new Uint8Array(7));
  return `perm-${ms}-${[...digits].map((value) => (value % 36).toString(36)).join("")}`;
}

/** Milliseconds that grow with every call, so that ids made of them differ even within one millisecond. */
export function growingTime(): (now: number) => number {
  let last = 0;
  return (now) => {
    last = Math.max(now, last + 1);
    return last;
  };
}
