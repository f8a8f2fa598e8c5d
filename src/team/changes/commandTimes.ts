import type { ChangeRecord } from "../../protocol/changes.ts";

type Change = Extract<ChangeRecord, { kind: "change" }>;
type Ended = Extract<ChangeRecord, { kind: "ended" }>;

/** A command of which no end is told, as its process was killed, ran no longer than the longest may: ten minutes. */
const LONGEST_MS = 11 * 60_000;

/** A command that was told. Times in ms. */
interface Ran {
  member: string;
  sinceMs: number;
  /** When it had ended. */
  toMs: number;
  end: Ended | undefined;
  /** What had changed when it had ended, whoever it was. */
  paths: Set<string>;
}

/**
 * Tells of a file of a change which other members' commands ran at the same time, so that the change may be theirs: members,
 * each once. None where no command made it: who calls *Write* or *Edit* is known.
 */
export function commandsBeside(records: readonly ChangeRecord[]): (change: Change, path: string) => string[] {
  const all = commandsOf(records);
  const ran = [...all.values()];
  const beside = new Map<Change, Ran[]>();
  return (change, path) => {
    const { since, member } = change;
    if (since === undefined) return [];
    const found = beside.get(change) ?? overlapping(ran, change);
    beside.set(change, found);
    const own = all.get(keyOf(member, since))?.end;
    return [...new Set(found.flatMap((one) => (isOutOfIt(one, own, path) ? [] : one.member)))];
  };
}

function overlapping(ran: readonly Ran[], { member, since = "", at }: Change): Ran[] {
  const [fromMs, toMs] = [Date.parse(since), Date.parse(at)];
  return ran.filter((one) => one.member !== member && one.sinceMs < toMs && one.toMs > fromMs);
}

/**
 * A command that began and ended between the two looks at the work tree of another one (`own`) did nothing to a file that
 * was after it what it had been before it. One that ran during such a look may have changed it for a while.
 */
function isOutOfIt({ end, paths, sinceMs }: Ran, own: Ended | undefined, path: string): boolean {
  if (end?.also === undefined || own === undefined || paths.has(path)) return false;
  return sinceMs >= Date.parse(own.from) && Date.parse(end.at) <= Date.parse(own.to);
}

/** By member and beginning. */
function commandsOf(records: readonly ChangeRecord[]): Map<string, Ran> {
  const all = new Map<string, Ran>();
  const last = new Map<string, Ran>();
  for (const record of records) {
    if (record.kind !== "command") continue;
    const { member, at } = record;
    const sinceMs = Date.parse(at);
    const before = last.get(member); // a member runs one at a time
    if (before) before.toMs = Math.min(before.toMs, sinceMs);
    const ran: Ran = { member, sinceMs, toMs: sinceMs + LONGEST_MS, end: undefined, paths: new Set() };
    all.set(keyOf(member, at), ran);
    last.set(member, ran);
  }
  for (const record of records)
    if (record.kind === "ended") noteEnd(all.get(keyOf(record.member, record.since)), record);
  for (const record of records) if (record.kind === "change") noteChange(all, record);
  return all;
}

function noteEnd(ran: Ran | undefined, end: Ended): void {
  if (!ran) return;
  ran.end = end;
  ran.toMs = Date.parse(end.to);
  for (const path of end.also ?? []) ran.paths.add(path);
}

/** An earlier version told of a command by its change alone. */
function noteChange(all: Map<string, Ran>, { member, since, at, files }: Change): void {
  if (since === undefined) return;
  const key = keyOf(member, since);
  const times = { sinceMs: Date.parse(since), toMs: Date.parse(at) };
  const ran = all.get(key) ?? { member, ...times, end: undefined, paths: new Set() };
  all.set(key, ran);
  for (const { path } of files) ran.paths.add(path);
}

function keyOf(member: string, since: string): string {
  return `${since} ${member}`;
}
