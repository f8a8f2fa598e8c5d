import { DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { Logger } from "../../base/logger.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { QueuedMessage, RequestPreview } from "../../protocol/panel.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import { isBusy } from "../../protocol/team.ts";
import type { TranscriptRecord } from "../../protocol/transcript.ts";
import type { Store } from "../../store/store.ts";
import { type Bill, costOf, tokensOf } from "../../team/limits/cost.ts";
import type { ModelCatalog } from "../../team/limits/models.ts";
import type { SessionPast } from "../../team/resume/past.ts";
import type { Budget, TeamSession } from "../../team/types.ts";
import { budgetNote } from "../../team/views/budgetNote.ts";
import { lastText } from "../../team/views/finished.ts";
import { factsOfView } from "../../team/views/memberRows.ts";
import { type PanelFacts, panelState } from "../../team/views/panelState.ts";
import { toldTo } from "../../team/views/told.ts";
import { oneLine } from "../../team/views/toolArgument.ts";
import type { TerminalTeam } from "../backends/memberPty.ts";
import { EditedFiles } from "../changes/editedFiles.ts";
import { recordPersonChanges } from "../changes/personChanges.ts";
import { SharedFiles } from "../changes/sharedFiles.ts";
import { memberScreen } from "../members/memberScreen.ts";
import { createMemberTranscripts, type MemberTranscripts } from "../members/memberTranscripts.ts";
import { RequestPreviews } from "../requests/requestPreviews.ts";
import { WithdrawnRequests } from "../requests/withdrawnRequests.ts";
import { createActivitySource } from "./activitySource.ts";
import type { Remains } from "./finishedTeam.ts";
import type { ShownTeam } from "./shownTeam.ts";
import { shownOf, TeamFiles } from "./teamFiles.ts";

/** What a team that this window runs is made of. */
export interface LiveTeamParts {
  session: TeamSession;
  goal: string;
  /** What an earlier process left, where the session goes on with it. */
  past: SessionPast | null;
  store: Store;
  models: ModelCatalog;
  /** The text of the file that a request would change. */
  readFile(request: PendingRequest): Promise<string | null>;
  log: Logger;
}

/** A team that this window runs. */
export interface LiveTeam extends ShownTeam {
  readonly session: TeamSession;
  readonly terminals: TerminalTeam;
  /** The person undid something: which files members share may have changed. */
  lookAtChanges(): Promise<void>;
  /** The person has just changed these files (absolute) in this window; never rejects. */
  personChanged(files: readonly string[]): Promise<void>;
  /** What it would leave if it ended now and nothing were kept on disk. */
  remains(): Remains;
}

/**
 * Shows a team that this window runs: its members and requests from the session, everything else from its files. To be
 * made before the session starts: what it tells before that is missed.
 */
export function createLiveTeam(parts: LiveTeamParts): LiveTeam {
  const { session, store } = parts;
  const owned = new DisposableStore();
  const changes = owned.add(new Emitter<void>());
  const changed = () => changes.fire();
  const files = owned.add(new TeamFiles());
  const { people } = files.roster;
  const transcripts = owned.add(createMemberTranscripts(people, session.cwd));
  const previews = new RequestPreviews(parts.readFile, changed);
  const withdrawn = new WithdrawnRequests();
  owned.add(session.requests.onDidWithdraw((request) => withdrawn.add(request)));
  const shared = new SharedFiles({ session, store: store.changes, people, onChange: changed, log: parts.log });
  const edited = new EditedFiles(shared, changed);
  const update = () => {
    files.roster.learnViews(session.members());
    previews.update(session.requests.pending);
    edited.update(session.requests.pending);
    withdrawn.update(session.members());
    changed();
  };
  const activity = activityOf(parts, { files, transcripts });
  const decisions = countDecisions(session, owned);
  owned.add(files.onDidChange(changed));
  follow(parts, { files, transcripts, shared, owned, update });
  if (parts.past) takePast(parts.past, { files, transcripts });
  update();
  return {
    session,
    terminals: {
      session,
      screen: (member, columns, say) => {
        const { name } = member;
        const spoken = { records: transcripts.records(name), streaming: transcripts.streaming(name) };
        return memberScreen(member, columns, { session, people, say, ...spoken });
      },
    },
    get address() {
      const { root } = store.paths;
      return session.team === null
        ? { root, kind: "lead" as const, folder: session.id }
        : { root, kind: "team" as const, folder: session.team };
    },
    onDidChange: changes.event,
    ...{ onConversation: transcripts.onConversation, onStreaming: transcripts.onStreaming },
    state: () =>
      panelState(
        factsOf(parts, { files, transcripts, previews: previews.all, withdrawn: withdrawn.all, shared, edited }),
      ),
    ...shownOf(files, () => busyIn(session)),
    conversation: async (name) => transcripts.conversation(name),
    streaming: (name) => transcripts.streaming(name),
    queued: (name) => unread(session.queued(name), transcripts.records(name)),
    output: async (name, seq) => transcripts.output(name, seq),
    fileChange: (name, seq) => transcripts.fileChange(name, seq),
    activity,
    people,
    requests: () => session.requests.pending,
    lookAtChanges: () => shared.look(),
    personChanged: (paths) => recordPersonChanges({ session, changes: store.changes, log: parts.log }, paths),
    remains: () => {
      const kept = { snapshot: files.snapshot, transcripts: transcripts.all(), decisions: decisions() };
      return { address: null, changes: [], ...kept };
    },
    dispose: () => owned.dispose(),
  };
}

function activityOf(
  { session, store }: LiveTeamParts,
  { files, transcripts }: Pick<Followed, "files" | "transcripts">,
) {
  return createActivitySource({
    files,
    audit: store.audit,
    owners: () => [
      { leadSession: session.id },
      ...(session.team === null ? [] : [{ team: session.team, agent: LEAD_NAME }]),
    ],
    transcripts: transcripts.all,
  });
}

/** Whether a member can take nothing now: it is in the middle of something, or something holds it back. */
function busyIn(session: TeamSession): (name: string) => boolean {
  const busy = session.members().filter(({ name, state }) => isBusy(state) || session.pauses.member(name) !== null);
  const names = new Set(busy.map(({ name }) => name));
  return (name) => names.has(name);
}

/** Those that the member's transcript does not hold: it does a moment before the inbox says so. */
function unread(queued: readonly QueuedMessage[], records: readonly TranscriptRecord[]): QueuedMessage[] {
  if (queued.length === 0) return [];
  const read = new Set(records.flatMap((record) => (record.kind === "input" ? (record.msgIds ?? []) : [])));
  return queued.filter(({ id }) => !read.has(id));
}

/** Counts what the person decides from now on. */
function countDecisions(session: TeamSession, owned: DisposableStore): () => number {
  let count = 0;
  owned.add(
    session.events((event) => {
      if (event.type === "decision" && event.by === "person") count += 1;
    }),
  );
  return () => count;
}

interface Followed {
  files: TeamFiles;
  transcripts: MemberTranscripts;
  shared: SharedFiles;
  owned: DisposableStore;
  update(): void;
}

/** What the members had said before this process took over. */
function takePast(past: SessionPast, { files, transcripts }: Pick<Followed, "files" | "transcripts">) {
  const members = [past.lead, ...past.teammates];
  files.roster.learnMembers(members.map(({ entry }) => entry));
  for (const { entry, transcript } of members) {
    transcripts.add(entry.name, transcript);
  }
}

/** Takes in what the session tells. */
function follow({ session, store, log }: LiveTeamParts, { files, transcripts, shared, owned, update }: Followed): void {
  owned.add(session.onDidChange(update));
  owned.add(session.requests.onDidChange(update));
  owned.add(session.onRecord(({ member, record }) => transcripts.add(member, [record])));
  owned.add(session.onText(({ member, text }) => transcripts.write(member, text)));
  owned.add(session.onRecord(({ record }) => record.kind === "tool_result" && void shared.look()));
  owned.add(
    session.events((event) => {
      if (event.type !== "team_created") return;
      void shared.look();
      files
        .open(event.team, store, log)
        .catch((error: unknown) => log.error(`The files of team ${event.team} cannot be watched.`, error));
    }),
  );
}

interface Shown {
  withdrawn: PanelFacts["withdrawn"] & {};
  files: TeamFiles;
  transcripts: MemberTranscripts;
  previews: ReadonlyMap<string, RequestPreview>;
  shared: SharedFiles;
  edited: EditedFiles;
}

function factsOf(
  { session, goal, models }: LiveTeamParts,
  { files, transcripts, previews, withdrawn, shared, edited }: Shown,
): PanelFacts {
  const { title, graph, mail } = files.facts;
  const spent = session.spent(); // those that live first: an earlier member of a name comes behind
  const bills = spent.flatMap((member) => member.bills);
  const amounts = (of: readonly Bill[], budget: Budget | null) => ({
    // 0 becomes null: a budget that has counted nothing knows of no price, and the work was not free
    cost: session.scripted ? null : (costOf(of, models) ?? (budget?.spent || null)),
    budget: budget?.limit ?? null,
  });
  return {
    team: session.id,
    title: title || session.team || oneLine(goal, 60),
    goal,
    readOnly: null,
    canContinue: false,
    scripted: session.scripted,
    folder: session.cwd,
    graph,
    mail,
    people: files.roster.people,
    members: session.members().map((view) => ({
      ...factsOfView(view, {
        delegates: session.delegates,
        held: session.pauses.member(view.name) !== null,
        asks: session.requests.pending.some(({ from }) => from === view.name),
      }),
      ...amounts(spent.find(({ name }) => name === view.name)?.bills ?? [], session.budgets.member(view.name)),
    })),
    requests: session.requests.pending,
    previews,
    othersOf: (request) => edited.othersOf(request),
    withdrawn,
    told: (member) => {
      const { orders } = transcripts.conversation(member);
      return toldTo(member, member === LEAD_NAME ? orders.person : orders.run, mail);
    },
    paused: session.pauses.team,
    shared: shared.files,
    ...amounts(bills, session.budgets.team),
    budgetNote: noteOf(session, bills, models),
    usedBudgets: session.budgets.used,
    answer: leadAnswer(session, transcripts),
    tokens: tokensOf(bills),
    finished: null,
  };
}

/** What the budgets of the team and of its members do not count. */
function noteOf({ budgets, members }: TeamSession, bills: readonly Bill[], models: ModelCatalog): string | null {
  const views = members();
  if (!budgets.team && !views.some(({ name }) => budgets.member(name))) return null;
  return budgetNote(
    [...views, ...bills].map(({ model }) => model),
    models,
  );
}

/** What the lead said before it came to rest, or why it stopped. */
function leadAnswer(session: TeamSession, transcripts: MemberTranscripts): PanelFacts["answer"] {
  const lead = session.members().find(({ isLead }) => isLead);
  if (!lead) return null;
  if (lead.state === "failed") {
    return { text: lead.reason ?? "", since: lead.since, failure: session.leadNeeds ?? "other" };
  }
  return session.leadWaits ? { text: lastText(transcripts.records(LEAD_NAME)), since: lead.since } : null;
}
