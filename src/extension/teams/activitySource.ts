import type { Entry } from "../../protocol/message.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import { addAudit, noAudit } from "../../team/views/activity/auditFacts.ts";
import type { ActivityFact } from "../../team/views/activity/facts.ts";
import { createMailFacts } from "../../team/views/activity/mailFacts.ts";
import { createTimeline, type TimelineSources } from "../../team/views/activity/timeline.ts";
import type { TeamFiles } from "./teamFiles.ts";

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
}: ActivityParts): () => Promise<readonly ActivityFact[]> {
  const offsets = new Map<string, number>();
  const makers = new Map<string, ReturnType<typeof createMailFacts>>();
  const decisions = noAudit();
  const timeline = createTimeline();

  const factsOf = (folder: "archive" | "inbox", to: string, entries: readonly Entry[]) => {
    const key = `${folder} ${to}`;
    const make = makers.get(key) ?? createMailFacts(to);
    makers.set(key, make);
    return make(entries);
  };
  const mail = () => {
    const { snapshot } = files;
    const archived = [...(snapshot?.archives ?? [])].map(([to, entries]) => factsOf("archive", to, entries));
    const current = [...(snapshot?.inboxes ?? [])].map(([to, { entries }]) => factsOf("inbox", to, entries));
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
