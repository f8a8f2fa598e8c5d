import type { TeamEvent } from "../protocol/events.ts";
import type { MemberView } from "./types.ts";

/** Gives the event of each state that a member comes to, once; null where it was told. */
export function newStates(): (view: Pick<MemberView, "name" | "state" | "reason">) => TeamEvent | null {
  let told = "";
  return ({ name, state, reason }) => {
    const now = `${state} ${reason}`;
    if (told === now) return null;
    told = now;
    return { type: "member_state", member: name, state, ...(reason === null ? {} : { reason }) };
  };
}
