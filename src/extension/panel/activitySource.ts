import type { Entry } from "../../protocol/message.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import { addAudit, noAudit } from "../../team/views/activity/auditFacts.ts";
import type { ActivityFact } from "../../team/views/activity/facts.ts";
import { type MailFact, mailFacts } from "../../team/views/activity/mailFacts.ts";
import { type TimelineSources, timeline } from "../../team/views/activity/timeline.ts";
import type { TeamFiles } from "../teams/teamFiles.ts";

/** Where a team's activity is read from. */
export interface ActivityParts {
  files: TeamFiles;
  audit: Pick<Store["audit"], "readFrom">;
  /** The logs of decisions as they are now: before a lead has a team it has one of its own. */
  owners(): readonly TranscriptOwner[];
  transcripts(): TimelineSources["transcripts"];
}

/** Reads a team's activity again and again: of what is there already only what has changed. */
export function createActivitySource({
  files,
  audit,
  owners,
  transcripts,
}: ActivityParts): () => Promise<ActivityFact[]> {
  const offsets = new Map<string, number>();
  const known = new WeakMap<object, MailFact[]>();
  const decisions = noAudit();

  const factsOf = (to: string, entries: readonly Entry[]) => {
    const facts = known.get(entries) ?? mailFacts(to, entries);
    known.set(entries, facts);
    return facts;
  };
  const mail = () => {
    const { snapshot } = files;
    const archived = [...(snapshot?.archives ?? [])].flatMap(([to, entries]) => factsOf(to, entries));
    const current = [...(snapshot?.inboxes ?? [])].flatMap(([to, { entries }]) => factsOf(to, entries));
    return [...archived, ...current];
  };
  const readAudit = async () => {
    for (const owner of owners()) {
      const key = JSON.stringify(owner);
      const { lines, next } = await audit.readFrom(owner, offsets.get(key) ?? 0);
      offsets.set(key, next);
      addAudit(decisions, lines);
    }
  };
  return async () => {
    await readAudit();
    const { snapshot } = files;
    return timeline({
      mail: mail(),
      audit: decisions,
      graph: files.facts.graph,
      members: snapshot?.config.members ?? [],
      transcripts: transcripts(),
      seen: files.seen,
    });
  };
}
