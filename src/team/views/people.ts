import { LEAD_NAME, PERSON_NAME } from "../../protocol/names.ts";
import type { MemberRef } from "../../protocol/panel.ts";

/** Who is behind a name: members that are there, and members that were. */
export type People = (name: string) => MemberRef;

/** What is known of a member; `color` is null for the lead. */
export interface KnownMember {
  name: string;
  displayName: string;
  color: string | null;
}

/** The person, as every surface shows them. */
export const THE_PERSON: MemberRef = { name: PERSON_NAME, displayName: "you", color: null, role: "person" };

/**
 * Looks names up among `members` (the first of one name counts). A name that is not among them is a teammate without
 * colour: one that left, or the sender that another program wrote.
 */
export function peopleOf(members: Iterable<KnownMember>): People {
  const known = new Map<string, MemberRef>([[PERSON_NAME, THE_PERSON]]);
  for (const member of members) if (!known.has(member.name)) known.set(member.name, memberRef(member));
  return (name) => {
    const member = known.get(name) ?? memberRef({ name, displayName: name, color: null });
    known.set(name, member); // the same person is the same object
    return member;
  };
}

function memberRef({ name, displayName, color }: KnownMember): MemberRef {
  if (name === LEAD_NAME) return { name, displayName, color: null, role: "lead" };
  return { name, displayName, color, role: "teammate" };
}
