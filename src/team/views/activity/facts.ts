import type { ActivityEvent, ActivityFilter, ActivityKind, ActivityRow } from "../../../protocol/activity.ts";
import { LEAD_NAME } from "../../../protocol/names.ts";
import type { People } from "../people.ts";

/** A row before its names have become people. `who` and `to` are names of members. */
export interface ActivityFact {
  id: string;
  at: number;
  kind: ActivityKind;
  who: string | null;
  to: string[];
  event: ActivityEvent;
}

/** Newest first; two of one moment by id. */
export function newestFirst(one: ActivityFact, other: ActivityFact): number {
  return other.at - one.at || (other.id < one.id ? -1 : Number(other.id > one.id));
}

/** Whether a fact is wanted. */
export function fits({ who, to, kind }: ActivityFact, filter: ActivityFilter): boolean {
  if (filter.kind !== null && filter.kind !== kind) return false;
  return filter.member === null || who === filter.member || to.includes(filter.member);
}

/** The fact as the panel shows it. */
export function activityRow({ who, to, ...fact }: ActivityFact, people: People): ActivityRow {
  return { ...fact, who: who === null ? null : people(who), to: to.map(people) };
}

/**
 * Facts in order, without those that say nothing new: a member that is idle again while nothing was heard of it since.
 * `facts`: newest first.
 */
export function withoutRepeats(facts: readonly ActivityFact[]): ActivityFact[] {
  const idle = new Set<string>();
  const kept: ActivityFact[] = [];
  for (const fact of facts.toReversed()) {
    const { who, to, event } = fact;
    const again = event.what === "idle" && who !== null && idle.has(who);
    if (event.what === "idle" && who !== null) idle.add(who);
    else for (const name of [who, ...to]) if (name !== null && name !== LEAD_NAME) idle.delete(name);
    if (!again) kept.push(fact);
  }
  return kept.reverse();
}
