import type { ActivityEvent } from "../../../protocol/activity.ts";
import { LEAD_NAME } from "../../../protocol/names.ts";
import type { TaskGraph } from "../../../protocol/taskGraph.ts";
import { BACKENDS, isLead, type Member } from "../../../protocol/team.ts";
import type { TranscriptRecord } from "../../../protocol/transcript.ts";
import type { AuditFacts } from "./auditFacts.ts";
import { type ActivityFact, newestFirst, withoutRepeats } from "./facts.ts";
import { joinBroadcasts, type MailFact } from "./mailFacts.ts";
import { taskFact, taskFacts, transcriptFacts } from "./taskFacts.ts";

/** Everything that tells what happened in a team. */
export interface TimelineSources {
  /** What the inboxes and archives tell. */
  mail: readonly MailFact[];
  audit: AuditFacts;
  graph: TaskGraph;
  members: readonly Member[];
  /** Of the members whose transcripts are known. */
  transcripts: ReadonlyMap<string, readonly TranscriptRecord[]>;
  /** What was seen to change in tasks while somebody looked. */
  seen: readonly ActivityFact[];
}

/** What happened in a team, newest first, each thing once. */
export function timeline({ mail, audit, graph, members, transcripts, seen }: TimelineSources): ActivityFact[] {
  const own = [...transcripts].flatMap(([member, records]) =>
    // that a teammate failed, it tells its lead
    transcriptFacts(member, records).filter(({ event }) => event.what !== "failed" || member === LEAD_NAME),
  );
  const tasks = withSubjects([...taskFacts(graph), ...own], graph);
  const told = new Set(tasks.map(({ event }) => keyOf(event)));
  const all = [
    ...joinBroadcasts(mail).filter(({ request, event }) => !isAudited(request, audit) && !isTold(event, told)),
    ...audit.facts,
    ...tasks,
    ...seen.filter(({ event }) => !isTold(event, told)),
    ...members.flatMap(joinedFact),
  ];
  const once = new Map(all.map(({ id, at, kind, who, to, event }) => [id, { id, at, kind, who, to, event }]));
  return withoutRepeats([...once.values()].sort(newestFirst));
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
  if (isLead(member) || member.joinedAt === undefined) return [];
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
