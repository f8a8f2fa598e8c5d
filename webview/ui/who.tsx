import type { MemberRef } from "../../src/protocol/panel.ts";
import { age, clock, moment, nameOf, timeOfDay } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";

/** A person, lead or teammate: always the dot and the name together. */
export function Who({ member, class: extra = "" }: { member: MemberRef; class?: string }) {
  const name = nameOf(member);
  return (
    <span class={`who ${extra}`}>
      <Dot member={member} />
      <span class="who-name" title={name}>
        {name}
      </span>
    </span>
  );
}

const COLORS: ReadonlySet<string> = new Set(["blue", "green", "yellow", "purple", "orange", "pink", "cyan", "red"]);

/** Filled and coloured for a teammate, a ring for the lead, a square for the person. */
export function Dot({ member }: { member: MemberRef }) {
  const color = member.color !== null && COLORS.has(member.color) ? `dot-${member.color}` : "";
  return <span class={`dot dot-${member.role} ${color}`} aria-hidden="true" />;
}

/** How long ago something began, kept up to date. */
export function Age({ since, class: extra = "" }: { since: number; class?: string }) {
  const { now } = useModel();
  return (
    <span class={`meta ${extra}`} title={moment(since)}>
      {age(now.value - since)}
    </span>
  );
}

/** A clock time, behind the date where it is not today's; `bare`: without, where the date stands above it. */
export function Clock({ at, bare, class: extra = "" }: { at: number; bare?: boolean; class?: string }) {
  const date = new Date(at);
  return (
    <time class={`meta ${extra}`} dateTime={date.getTime() ? date.toISOString() : undefined} title={moment(at)}>
      {bare ? timeOfDay(at) : clock(at)}
    </time>
  );
}

/** The person, as who said something. */
export const YOU = { name: "user", displayName: t("you"), color: null, role: "person" } as const satisfies MemberRef;
