import type { Entry } from "../../protocol/message.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import { displayNameOf, type Member } from "../../protocol/team.ts";
import type { MemberView } from "../../team/types.ts";
import { type KnownMember, type People, peopleOf } from "../../team/views/people.ts";

/** Everybody who is or was in a team, so that whoever left keeps name and colour. */
export class Roster {
  private readonly known = new Map<string, KnownMember>([
    [LEAD_NAME, { name: LEAD_NAME, displayName: LEAD_NAME, color: null }],
  ]);
  private lookUp: People | null = null;

  readonly people: People = (name) => {
    this.lookUp ??= peopleOf(this.known.values());
    return this.lookUp(name);
  };

  /** Members as this process runs them. */
  learnViews(views: readonly MemberView[]): void {
    for (const { name, displayName, color } of views) this.learn({ name, displayName, color });
  }

  /** Members as `config.json` has them. */
  learnMembers(members: readonly Member[]): void {
    for (const member of members) {
      const color = member.name === LEAD_NAME ? null : (member.color ?? null);
      this.learn({ name: member.name, displayName: displayNameOf(member), color });
    }
  }

  /** What entries tell of senders that are in no `config.json` any more: their colour. */
  learnSenders(entries: Iterable<Entry>): void {
    for (const { from, color } of entries)
      if (color && !this.known.has(from)) this.learn({ name: from, displayName: from, color });
  }

  private learn(member: KnownMember): void {
    const before = this.known.get(member.name);
    if (before?.displayName === member.displayName && before.color === member.color) return;
    this.known.set(member.name, member);
    this.lookUp = null;
  }
}
