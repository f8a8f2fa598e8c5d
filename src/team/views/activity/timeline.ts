import type { ActivityEvent } from "../../../protocol/activity.ts";
import { LEAD_NAME } from "../../../protocol/names.ts";
import type { TaskGraph } from "../../../protocol/taskGraph.ts";
import { BACKENDS, isLead, type Member } from "../../../protocol/team.ts";
import type { TranscriptRecord } from "../../../protocol/transcript.ts";
import type { AuditFacts } from "./auditFacts.ts";
import { type ActivityFact, merged, sortedOnce, withoutRepeats } from "./facts.ts";
import { createJoinedMail } from "./joinedMail.ts";
import type { MailFact } from "./mailFacts.ts";
import { taskFact, taskFacts, transcriptFacts } from "./taskFacts.ts";

/** Everything that tells what happened in a team. */
export interface TimelineSources {
  /** What the archives tell, then what the inboxes do. */
  mail: readonly (readonly MailFact[])[];
  audit: AuditFacts;
  graph: TaskGraph;
  members: readonly Member[];
  /** Of the members whose transcripts are known. */
  transcripts: ReadonlyMap<string, readonly TranscriptRecord[]>;
  /** What was seen to change in tasks while somebody looked. */
  seen: readonly ActivityFact[];
}

/**
 * Makes what happened in a team, newest first, each thing once, again and again: what is made of a source whose parts are
 * the same objects as before is not made anew.
 */
export function createTimeline(): (sources: TimelineSources) => readonly ActivityFact[] {
  const allMail = createJoinedMail();
  const ofAudit = remembered((facts: readonly ActivityFact[], _count: number) => sortedOnce(facts));
  const ofMembers = remembered((members: readonly Member[]) => sortedOnce(members.flatMap(joinedFact)));
  const ofTranscripts = new Map<string, (records: readonly TranscriptRecord[], length: number) => ActivityFact[]>();
  const ofTasks = remembered(
    (graph: TaskGraph, seen: readonly ActivityFact[], ...own: (readonly ActivityFact[])[]): ToldTasks => {
      const tasks = withSubjects([...taskFacts(graph), ...own.flat()], graph);
      const told = new Set(tasks.map(({ event }) => keyOf(event)));
      return { told, facts: sortedOnce([...tasks, ...seen.filter(({ event }) => !isTold(event, told))]) };
    },
  );
  return ({ mail, audit, graph, members, transcripts, seen }) => {
    const own = [...transcripts].map(([member, records]) => {
      const make = ofTranscripts.get(member) ?? remembered((all) => ownFacts(member, all));
      ofTranscripts.set(member, make);
      return make(records, records.length); // they are appended to
    });
    const tasks = ofTasks(graph, seen, ...own);
    const news = allMail(mail).filter(({ request, event }) => !isAudited(request, audit) && !isTold(event, tasks.told));
    const others = merged(ofMembers(members), merged(ofAudit(audit.facts, audit.count), tasks.facts));
    return withoutRepeats(merged(others, news));
  };
}

interface ToldTasks {
  told: ReadonlySet<string | null>;
  facts: ActivityFact[];
}

/** Calls `make` only where an argument is another one than the last time. */
function remembered<A extends readonly unknown[], R>(make: (...given: A) => R): (...given: A) => R {
  let last: { given: A; made: R } | undefined;
  return (...given) => {
    const before = last;
    const same = before?.given.length === given.length && given.every((one, index) => one === before.given[index]);
    last = before && same ? before : { given, made: make(...given) };
    return last.made;
  };
}

/** What a member's transcript tells; that a teammate failed, it tells its lead. */
function ownFacts(member: string, records: readonly TranscriptRecord[]): ActivityFact[] {
  return transcriptFacts(member, records).filter(({ event }) => event.what !== "failed" || member === LEAD_NAME);
}

function isAudited(request: string | null, audit: AuditFacts): boolean {
  return request !== null && audit.requests.has(request);
}

/** A task is started and finished by one after the other: what its file tells stands for all that was seen of it. */
function isTold(event: ActivityEvent, told: ReadonlySet<string | null>): boolean {
  const key = keyOf(event);
  return key !== null && told.has(key);
}

function keyOf(event: ActivityEvent): string | null {
  return "task" in event && "subject" in event && event.what !== "gave" ? `${event.what} ${event.task}` : null;
}

/** Calls name a task by its number only. */
function withSubjects(facts: readonly ActivityFact[], graph: TaskGraph): ActivityFact[] {
  return facts.map((fact) => {
    const { event } = fact;
    if (!("subject" in event) || event.subject !== "") return fact;
    return { ...fact, event: { ...event, subject: graph.tasks.get(event.task)?.subject ?? "" } };
  });
}

function joinedFact(member: Member): ActivityFact[] {
  if (isLead(member) || !member.joinedAt) return []; // 0: not known
  const backend = BACKENDS.find((one) => one === member.backendType) ?? null;
  const id = `j:${member.name}:${member.joinedAt}`;
  return [{ id, at: member.joinedAt, kind: "state", who: member.name, to: [], event: { what: "joined", backend } }];
}

/** What changed in tasks between two looks at them, `at` (ms). Who did it is not known but for the owner. */
export function seenTasks(before: TaskGraph, after: TaskGraph, at: number): ActivityFact[] {
  const facts: ActivityFact[] = [];
  for (const task of after.tasks.values()) {
    const was = before.tasks.get(task.id);
    const owner = task.owner ?? null;
    if (!was) facts.push(taskFact("created", task, at, null));
    else if (was.status !== task.status) {
      const what = { in_progress: "started", completed: "finished", pending: "released" } as const;
      facts.push(taskFact(what[task.status], task, at, owner ?? was.owner ?? null));
    } else if (was.owner && !owner) facts.push(taskFact("released", task, at, was.owner));
  }
  for (const task of before.tasks.values())
    if (!after.tasks.has(task.id)) facts.push(taskFact("removed", task, at, null));
  return facts;
}
