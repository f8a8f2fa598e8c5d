import { newestFirst, sortedOnce } from "./facts.ts";
import type { MailFact } from "./mailFacts.ts";

/** What archives and inboxes tell, one list each, always in the same order. */
type Lists = readonly (readonly MailFact[])[];

/**
 * Makes one list of many, newest first, again and again: a message that went to several members is there once. Where
 * entries only came to the ends of lists, as they do, what was there is not looked at again.
 */
export function createJoinedMail(): (lists: Lists) => readonly MailFact[] {
  let last = joinAll([]);
  return (lists) => {
    const added = addedTo(last.lists, lists);
    if (added?.length === 0) return last.joined;
    const more = added && last.ids !== null ? joinMore({ ...last, ids: last.ids }, lists, added) : undefined;
    last = more ?? joinAll(lists);
    return last.joined;
  };
}

/** One fact for a message that went to several members; one that went to one member is the same object. */
function joinBroadcasts(facts: readonly MailFact[]): MailFact[] {
  const known = new Map<string, number>();
  const joined: MailFact[] = [];
  for (const fact of facts) {
    const at = fact.sameAs === null ? undefined : known.get(fact.sameAs);
    const first = at === undefined ? undefined : joined[at];
    if (at !== undefined && first && !first.to.includes(fact.to[0] ?? "")) {
      joined[at] = { ...first, to: [...first.to, ...fact.to] };
      continue;
    }
    if (fact.sameAs !== null) known.set(fact.sameAs, joined.length);
    joined.push(fact);
  }
  return joined;
}

interface InList {
  fact: MailFact;
  /** Which list it is of. */
  list: number;
}

interface Join {
  lists: Lists;
  joined: readonly MailFact[];
  /** Null where two facts have one id: the later one stands for both. */
  ids: Set<string> | null;
  /** Facts that may be one message, in order of the lists. */
  alike: Map<string, InList[]>;
}

function joinAll(lists: Lists): Join {
  const ids = new Set<string>();
  const alike = new Map<string, InList[]>();
  const all = lists.flat();
  for (const [list, facts] of lists.entries())
    for (const fact of facts) {
      ids.add(fact.id);
      if (fact.sameAs !== null) addAlike(alike, fact.sameAs, { fact, list });
    }
  return { lists, joined: sortedOnce(joinBroadcasts(all)), ids: ids.size === all.length ? ids : null, alike };
}

/** What came to the ends of the lists; undefined where something else changed. */
function addedTo(before: Lists, lists: Lists): InList[] | undefined {
  if (before.length !== lists.length) return undefined;
  const added: InList[] = [];
  for (const [list, facts] of lists.entries()) {
    const known = before[list] ?? [];
    if (known === facts) continue;
    if (known.some((fact, at) => fact !== facts[at])) return undefined;
    for (const fact of facts.slice(known.length)) added.push({ fact, list });
  }
  return added;
}

/** The join with more facts; undefined where one of them has the id of another. */
function joinMore(
  { joined, ids, alike }: Join & { ids: Set<string> },
  lists: Lists,
  added: readonly InList[],
): Join | undefined {
  const next = [...joined];
  for (const one of added) {
    const { id, sameAs } = one.fact;
    if (ids.has(id)) return undefined;
    ids.add(id);
    if (sameAs === null) {
      next.splice(placeOf(one.fact, next), 0, one.fact);
      continue;
    }
    const before = alike.get(sameAs)?.map(({ fact }) => fact) ?? [];
    for (const fact of joinBroadcasts(before)) next.splice(placeOf(fact, next), 1);
    const after = addAlike(alike, sameAs, one).map(({ fact }) => fact);
    for (const fact of joinBroadcasts(after)) next.splice(placeOf(fact, next), 0, fact);
  }
  return { lists, joined: next, ids, alike };
}

function addAlike(alike: Join["alike"], sameAs: string, one: InList): InList[] {
  const all = alike.get(sameAs) ?? [];
  const later = all.findIndex(({ list }) => list > one.list);
  all.splice(later < 0 ? all.length : later, 0, one);
  alike.set(sameAs, all);
  return all;
}

/** Where a fact stands, or would stand, among facts that are newest first. */
function placeOf(fact: MailFact, facts: readonly MailFact[]): number {
  let [low, high] = [0, facts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (newestFirst(facts[middle] as MailFact, fact) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
