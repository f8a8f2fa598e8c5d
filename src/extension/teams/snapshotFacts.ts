import { LEAD_NAME } from "../../protocol/names.ts";
import { type TaskGraph, taskGraph } from "../../protocol/taskGraph.ts";
import { isLead } from "../../protocol/team.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";
import { createMailReader, type MailByRecipient } from "../../team/views/mail.ts";
import type { Roster } from "../members/roster.ts";

/** What the panel takes from a team's files. */
export interface SnapshotFacts {
  /** The lead's session, else the folder; empty without files. */
  key: string;
  title: string;
  goal: string | null;
  graph: TaskGraph;
  mail: MailByRecipient;
}

const NOTHING: SnapshotFacts = {
  key: "",
  title: "",
  goal: null,
  graph: taskGraph([]),
  mail: new Map(),
};

/** The facts of a snapshot; null: there are no files yet. `mailOf` knows what the last snapshot held. */
export function snapshotFacts(snapshot: TeamSnapshot | null, mailOf = createMailReader()): SnapshotFacts {
  if (!snapshot) return NOTHING;
  const { config, graph } = snapshot;
  return {
    key: config.leadSessionId ?? snapshot.team,
    title: config.muster?.displayName ?? config.name,
    goal: config.muster?.goal ?? null,
    graph,
    mail: mailOf(snapshot),
  };
}

/** Lets a roster know everybody whom the files name. `before`: a snapshot that it knows already. */
export function learnSnapshot(roster: Roster, snapshot: TeamSnapshot, before: TeamSnapshot | null): void {
  roster.learnMembers(snapshot.config.members);
  for (const [name, { entries }] of snapshot.inboxes)
    if (entries !== before?.inboxes.get(name)?.entries) roster.learnSenders(entries);
  for (const [name, entries] of snapshot.archives)
    if (entries !== before?.archives.get(name)) roster.learnSenders(entries);
}

/** The folder in which a team's lead works, null where it is not known. */
export function leadFolder(snapshot: TeamSnapshot | null): string | null {
  return snapshot?.config.members.find(isLead)?.cwd ?? null;
}

/** Where a lead of ours kept what was decided for it before it had a team. */
export function leadSessionOf(snapshot: TeamSnapshot | null): { leadSession: string }[] {
  const { muster, leadSessionId } = snapshot?.config ?? {};
  return muster && leadSessionId !== undefined ? [{ leadSession: leadSessionId }] : [];
}

/** Everybody who is or was in the team: a member's prompt is in its inbox, and the inboxes stay. */
export function agentsOf(snapshot: TeamSnapshot): string[] {
  return [...new Set([LEAD_NAME, ...snapshot.config.members.map(({ name }) => name), ...snapshot.inboxes.keys()])];
}
