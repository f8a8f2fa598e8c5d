import { basename } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { Emitter } from "../../base/emitter.ts";
import type { ChangeRecord } from "../../protocol/changes.ts";
import type { RunResult } from "../../protocol/events.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import { failedCalls, type TranscriptRecord } from "../../protocol/transcript.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import { openTeamChanges } from "../../team/changes/teamChanges.ts";
import { billsOf, costOf } from "../../team/limits/cost.ts";
import type { ModelCatalog } from "../../team/limits/models.ts";
import { finishedSummary } from "../../team/views/finished.ts";
import { panelState } from "../../team/views/panelState.ts";
import { createMemberTranscripts } from "../members/memberTranscripts.ts";
import { createActivitySource } from "./activitySource.ts";
import type { ShownTeam, TeamAddress } from "./shownTeam.ts";
import { agentsOf, leadFolder, leadSessionOf } from "./snapshotFacts.ts";
import { shownOf, TeamFiles } from "./teamFiles.ts";

/** What a team that ended has left, on disk or in memory. */
export interface Remains {
  address: TeamAddress | null;
  /** Null where the lead made no team. */
  snapshot: TeamSnapshot | null;
  transcripts: ReadonlyMap<string, readonly TranscriptRecord[]>;
  /** What its members changed, as far as that is kept. */
  changes: readonly ChangeRecord[];
  /** Requests that the person decided. */
  decisions: number;
}

/** What no file tells of a team that ended. */
export interface FinishedKnowledge {
  result: RunResult | null;
  scripted: boolean;
  goal: string | null;
  title: string;
  cwd: string | null;
  /** What the panel knew it by while it ran here: drafts and places are kept by it. */
  key?: string;
}

/**
 * Reads what a team left: its folder under `muster/history`, or under `teams` where its lead did not delete it. Throws
 * `unknown_team` and read errors.
 */
export async function readRemains(store: Store, address: TeamAddress): Promise<Remains> {
  const folder = basename(address.folder);
  const kept = address.kind === "finished";
  const snapshot = await (kept ? store.snapshots.readFinished(folder) : store.snapshots.read(folder));
  const owner = (agent: string): TranscriptOwner => (kept ? { finished: folder, agent } : { team: folder, agent });
  const transcripts = new Map<string, TranscriptRecord[]>();
  for (const agent of agentsOf(snapshot)) transcripts.set(agent, await store.transcripts.read(owner(agent)));
  const audit = [...(await auditBeforeTeam(store, snapshot)), ...(await store.audit.read(owner(LEAD_NAME)))];
  const leadSession = snapshot.config.leadSessionId ?? null;
  const changes = await openTeamChanges(store, { ...address, folder, leadSession }, systemClock).read();
  return { address, snapshot, transcripts, changes, decisions: decided(audit) };
}

/** Shows a team that ended. Nothing of it changes any more. */
export function createFinishedTeam(
  remains: Remains,
  known: FinishedKnowledge,
  { store, models }: { store: Store; models: ModelCatalog },
): ShownTeam {
  const files = new TeamFiles();
  if (remains.snapshot) files.take(remains.snapshot);
  const { people } = files.roster;
  const cwd = known.cwd ?? leadFolder(remains.snapshot);
  const transcripts = createMemberTranscripts(people, cwd);
  for (const [agent, records] of remains.transcripts) transcripts.add(agent, records);
  const { key, title, goal, graph, mail } = files.facts;
  const finished = finishedSummary({
    ...{
      graph,
      people,
      transcripts: remains.transcripts,
      changes: remains.changes,
      decisions: remains.decisions,
      models: known.scripted ? null : models,
    },
    ...{ cwd, plans: store.paths.plans, result: known.result ?? resultOfDeleted(remains) },
  });
  const screen = panelState({
    ...{ team: known.key ?? (key || known.title), title: title || known.title, goal: known.goal ?? goal },
    ...{
      readOnly: null,
      canContinue: false,
      scripted: known.scripted,
      folder: cwd,
      graph,
      mail,
      people,
      members: [],
      requests: [],
    },
    ...{ previews: new Map(), paused: null, answer: null, tokens: finished.tokens, finished },
    cost: known.scripted ? null : costOf(billsOf([...remains.transcripts.values()].flat()), models),
  });
  return {
    ...{ address: remains.address, session: null, onDidChange: new Emitter<void>().event },
    onConversation: transcripts.onConversation,
    onStreaming: transcripts.onStreaming,
    state: () => screen,
    ...shownOf(files),
    conversation: async (member) => transcripts.conversation(member),
    streaming: () => "",
    queued: () => [],
    output: async (member, seq) => transcripts.output(member, seq),
    fileChange: (member, seq) => transcripts.fileChange(member, seq),
    activity: createActivitySource({
      files,
      audit: store.audit,
      owners: () => auditOwners(remains),
      transcripts: () => remains.transcripts,
    }),
    people,
    requests: () => [],
    dispose: () => {
      transcripts.dispose();
      files.dispose();
    },
  };
}

/**
 * A team that its lead deleted has no open tasks, whatever they were (the command line says so too); one that the person
 * deleted may.
 */
function resultOfDeleted({ address, transcripts }: Remains): RunResult | null {
  if (address?.kind !== "finished") return null;
  const records = transcripts.get(LEAD_NAME) ?? [];
  const failed = failedCalls(records);
  const byLead = records.some(
    (one) => one.kind === "tool_start" && one.name === "TeamDelete" && !failed.has(one.toolUseId),
  );
  return byLead ? "completed" : null;
}

/** What was decided for the lead before it made its team; only our leads keep that. */
async function auditBeforeTeam(store: Store, { config }: TeamSnapshot): Promise<unknown[]> {
  const { muster, leadSessionId } = config;
  return muster && leadSessionId !== undefined ? store.audit.read({ leadSession: leadSessionId }) : [];
}

/** Where what was decided is kept: of a team that left nothing on disk nowhere. */
function auditOwners({ address, snapshot }: Remains): TranscriptOwner[] {
  if (!address) return [];
  const folder = basename(address.folder);
  const agent = LEAD_NAME;
  const own = address.kind === "finished" ? { finished: folder, agent } : { team: folder, agent };
  return [...leadSessionOf(snapshot), ...(address.kind === "lead" ? [{ leadSession: address.folder }] : [own])];
}

/** How many requests the person decided, as the record says. */
function decided(audit: readonly unknown[]): number {
  const lines = audit as readonly ({ event?: unknown; by?: unknown } | null)[];
  return lines.filter((line) => line?.event === "decided" && line.by === "person").length;
}
