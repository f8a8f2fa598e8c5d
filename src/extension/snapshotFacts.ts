import type { Entry } from "../protocol/message.ts";
import type { TaskGraph } from "../protocol/taskGraph.ts";
import { isLead } from "../protocol/team.ts";
import { joinArchive } from "../store/inboxReader.ts";
import type { TeamSnapshot } from "../store/snapshot.ts";
import type { Roster } from "./roster.ts";

/** What the panel takes from a team's files. */
export interface SnapshotFacts {
  /** The lead's session, else the folder; empty without files. */
  key: string;
  title: string;
  goal: string | null;
  graph: TaskGraph;
  inboxes: ReadonlyMap<string, readonly Entry[]>;
  /** The inboxes with what was moved out of them, oldest first. */
  mail: ReadonlyMap<string, readonly Entry[]>;
}

const NOTHING: SnapshotFacts = {
  key: "",
  title: "",
  goal: null,
  graph: { tasks: new Map(), blockers: new Map(), blocked: new Map() },
  inboxes: new Map(),
  mail: new Map(),
};

/** The facts of a snapshot; null: there are no files yet. */
export function snapshotFacts(snapshot: TeamSnapshot | null): SnapshotFacts {
  if (!snapshot) return NOTHING;
  const { config, graph } = snapshot;
  return {
    key: config.leadSessionId ?? snapshot.team,
    title: config.muster?.displayName ?? config.name,
    goal: config.muster?.goal ?? null,
    graph,
    inboxes: new Map([...snapshot.inboxes].map(([agent, { entries }]) => [agent, entries])),
    mail: mailOf(snapshot),
  };
}

function mailOf({ inboxes, archives }: TeamSnapshot): Map<string, readonly Entry[]> {
  const agents = new Set([...inboxes.keys(), ...archives.keys()]);
  const all = (agent: string) => joinArchive(archives.get(agent) ?? [], inboxes.get(agent)?.entries ?? []);
  return new Map([...agents].map((agent) => [agent, all(agent)]));
}

/** Lets a roster know everybody whom the files name. */
export function learnSnapshot(roster: Roster, snapshot: TeamSnapshot): void {
  roster.learnMembers(snapshot.config.members);
  for (const { entries } of snapshot.inboxes.values()) roster.learnSenders(entries);
  for (const entries of snapshot.archives.values()) roster.learnSenders(entries);
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
