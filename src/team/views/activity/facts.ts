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
export function activityRow({ id, at, kind, who, to, event }: ActivityFact, people: People): ActivityRow {
  return { id, at, kind, who: who === null ? null : people(who), to: to.map(people), event };
}

/** Each id once, as it comes last, newest first. */
export function sortedOnce<T extends ActivityFact>(facts: readonly T[]): T[] {
  return [...new Map(facts.map((fact) => [fact.id, fact])).values()].sort(newestFirst);
}

/** Two lists, each newest first, as one. */
export function merged(one: readonly ActivityFact[], other: readonly ActivityFact[]): readonly ActivityFact[] {
  if (one.length === 0) return other;
  const all: ActivityFact[] = [];
  let next = 0;
  for (const fact of one) {
    for (let rival = other[next]; rival && newestFirst(rival, fact) < 0; rival = other[next]) {
      all.push(rival);
      next += 1;
    }
    all.push(fact);
  }
  for (; next < other.length; next += 1) all.push(other[next] as ActivityFact);
  return all;
}

/**
 * Facts in order, without those that say nothing new: a member that is idle again while nothing was heard of it since.
 * `facts`: newest first.
 */
export function withoutRepeats(facts: readonly ActivityFact[]): readonly ActivityFact[] {
  const idle = new Set<string>();
  const again = new Set<ActivityFact>();
  for (let index = facts.length - 1; index >= 0; index -= 1) {
    const fact = facts[index] as ActivityFact;
    const { who, to, event } = fact;
    if (event.what === "idle" && who !== null) {
      if (idle.has(who)) again.add(fact);
      idle.add(who);
    } else if (idle.size > 0)
      for (const name of [who, ...to]) if (name !== null && name !== LEAD_NAME) idle.delete(name);
  }
  return again.size === 0 ? facts : facts.filter((fact) => !again.has(fact));
}
