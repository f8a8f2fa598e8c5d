import { settledWithin, systemClock } from "../../base/clock.ts";
import { DisposableStore, releasedOnFailure } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { Logger } from "../../base/logger.ts";
import { inboxFileName, LEAD_NAME } from "../../protocol/names.ts";
import { BACKENDS, holdIn, isBusy, type Member } from "../../protocol/team.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import type { TeamChange } from "../../store/watcher.ts";
import { createListening } from "../../team/listening.ts";
import { factsOfPresence, type MemberFacts } from "../../team/views/memberRows.ts";
import { panelState } from "../../team/views/panelState.ts";
import { createMemberTranscripts } from "../members/memberTranscripts.ts";
import { createActivitySource } from "./activitySource.ts";
import type { ShownTeam, TeamAddress } from "./shownTeam.ts";
import { agentsOf, leadFolder, leadSessionOf } from "./snapshotFacts.ts";
import { shownOf, TeamFiles } from "./teamFiles.ts";
import { TranscriptFollower } from "./transcriptFollower.ts";

/** Presence that is not renewed has to be noticed without a change of any file. */
const LOOK_MS = 5_000;

/** For how long the activity waits for transcripts, in ms: what is read later is told as a change. */
const ACTIVITY_READ_MS = 1_000;

/**
 * A team that another program or window runs, or that nobody runs any more: live, and only to be read. Throws
 * `unknown_team` and read errors.
 */
export async function openForeignTeam(store: Store, address: TeamAddress, log: Logger): Promise<ShownTeam> {
  const owned = new DisposableStore();
  return releasedOnFailure(owned, () => follow(store, address, owned, log));
}

async function follow(store: Store, address: TeamAddress, owned: DisposableStore, log: Logger): Promise<ShownTeam> {
  const { folder } = address;
  const changes = owned.add(new Emitter<void>());
  const files = owned.add(new TeamFiles());
  await files.open(folder, store, log);
  const transcripts = owned.add(createMemberTranscripts(files.roster.people, leadFolder(files.snapshot)));
  const follower = new TranscriptFollower({ store, team: folder, transcripts, log });
  const stop = new AbortController();
  owned.defer(() => stop.abort());
  owned.add(transcripts.onConversation(() => changes.fire())); // the activity tells of it
  const activity = createActivitySource({
    files,
    audit: store.audit,
    owners: () => [...leadSessionOf(files.snapshot), { team: folder, agent: LEAD_NAME }],
    transcripts: transcripts.all,
  });
  const watched = await watchRunner({ store, files, log, changed: () => changes.fire() });
  owned.add(files.onDidChange(watched.look));
  const listening = createListening();
  const hasListened = () => listening(Date.now());
  const timer = setInterval(() => {
    hasListened();
    watched.look();
  }, LOOK_MS);
  owned.defer(() => clearInterval(timer));
  const took = (change: TeamChange) => {
    if (change.kind === "gone") watched.tellGone();
    follower.changed(change);
  };
  store.watch(folder, took, stop.signal);
  return {
    ...{ address, session: null, onDidChange: changes.event },
    onConversation: transcripts.onConversation,
    onStreaming: transcripts.onStreaming,
    state: () => screenOf(files, watched.runner, hasListened()),
    ...shownOf(files, () => busyIn(files, watched.runner, hasListened())),
    conversation: async (member) => {
      await follower.read(member);
      return transcripts.conversation(member);
    },
    streaming: (member) => transcripts.streaming(member),
    queued: () => [],
    output: async (member, seq) => transcripts.output(member, seq),
    fileChange: (member, seq) => transcripts.fileChange(member, seq),
    activity: async () => {
      const agents = files.snapshot ? agentsOf(files.snapshot) : [];
      await settledWithin(systemClock, [follower.readAll(agents)], ACTIVITY_READ_MS);
      return activity();
    },
    people: files.roster.people,
    requests: () => [],
    dispose: () => owned.dispose(),
  };
}

function screenOf(files: TeamFiles, runner: Runner, hasListened: boolean) {
  const readOnly = whyReadOnly(runner);
  const { key: team, title, goal, graph, mail } = files.facts;
  const { snapshot } = files;
  const paused = (runner.kind === "process" && snapshot?.config.muster?.paused?.team) || null;
  const members = snapshot ? membersOf(snapshot, runner, hasListened) : [];
  return panelState({
    ...{
      team,
      title,
      goal,
      readOnly,
      canContinue: runner.kind === "nobody",
      scripted: false,
      folder: leadFolder(snapshot),
      graph,
      mail,
    },
    ...{ people: files.roster.people, members, requests: [], previews: new Map(), paused, answer: null },
    ...{ tokens: members.reduce((sum, { tokens }) => sum + tokens, 0), cost: null, finished: null },
  });
}

/** Whether a member can take nothing now, as far as the process that runs it says. */
function busyIn({ snapshot }: TeamFiles, runner: Runner, hasListened: boolean): (name: string) => boolean {
  const members = snapshot ? membersOf(snapshot, runner, hasListened) : [];
  const names = new Set(members.filter(({ state, held }) => isBusy(state) || held).map(({ name }) => name));
  return (name) => names.has(name);
}

/** Members of a team that nobody runs have ended with it. */
function membersOf({ config, presence }: TeamSnapshot, runner: Runner, hasListened: boolean): MemberFacts[] {
  return config.members.map((member) => {
    const own = presence.get(inboxFileName(member.name)) ?? null;
    const facts = factsOfPresence(member.name, own, backendOf(member), Date.now(), hasListened);
    if (runner.kind === "nobody" || runner.kind === "deleted") return { ...facts, state: "dead", reason: null };
    return { ...facts, held: holdIn(config, member.name) !== null };
  });
}

function backendOf(member: Member) {
  return BACKENDS.find((backend) => backend === member.backendType) ?? null;
}

/** Who runs a team, as far as its files tell. `ended`: in order, not with its window. */
type Runner =
  | { kind: "process"; pid: number }
  | { kind: "nobody"; ended: boolean }
  | { kind: "unknown" }
  | { kind: "deleted" };

async function runnerOf(store: Store, snapshot: TeamSnapshot | null): Promise<Runner> {
  const lead = snapshot?.lead;
  if (lead && (await store.leads.isLive(lead))) return { kind: "process", pid: lead.pid };
  if (!snapshot?.config.muster) return { kind: "unknown" };
  return { kind: "nobody", ended: snapshot.presence.get(LEAD_NAME)?.ended ?? false };
}

/** Who runs a team, kept up to date. */
interface WatchedRunner {
  readonly runner: Runner;
  /** It may have changed. */
  look(): void;
  /** The team's folder is not there any more. */
  tellGone(): void;
}

/** Looks one after another, so that the last one counts. `changed` is called after each. Throws read errors of the first. */
async function watchRunner(parts: {
  store: Store;
  files: TeamFiles;
  log: Logger;
  changed(): void;
}): Promise<WatchedRunner> {
  const { store, files, log, changed } = parts;
  let runner = await runnerOf(store, files.snapshot);
  let gone = false;
  let queued = false;
  let tail: Promise<void> = Promise.resolve();
  const lookNow = async () => {
    queued = false;
    runner = gone ? { kind: "deleted" } : await runnerOf(store, files.snapshot);
    changed();
  };
  const look = () => {
    if (queued) return;
    queued = true;
    tail = tail.then(lookNow).catch((error: unknown) => log.debug("Who runs the team cannot be told.", error));
  };
  return {
    get runner() {
      return runner;
    },
    look,
    tellGone() {
      gone = true;
      look();
    },
  };
}

/** Why nothing can be decided here, one sentence. */
function whyReadOnly(runner: Runner): string {
  switch (runner.kind) {
    case "process":
      return `Another window or program (process ${runner.pid}) runs this team. It can be read here, and decided there.`;
    case "nobody":
      return runner.ended
        ? "This team was shut down. It can be read here, or continued."
        : "Nobody runs this team: its window was closed. It can be read here, or continued.";
    case "unknown":
      return "Another program made this team. It can be read here.";
    case "deleted":
      return "This team was deleted. This is what it was at the end.";
  }
}
