import type { Compactor } from "../agent/compaction.ts";
import type { RetryPorts } from "../agent/retry.ts";
import type { CommandGuard } from "../agent/tools/commandGuard.ts";
import type { AgentInput, Model } from "../agent/types.ts";
import type { Emitter } from "../base/emitter.ts";
import { MusterError } from "../base/errors.ts";
import type { SerialQueue } from "../base/serial.ts";
import { sha256Hex } from "../protocol/digest.ts";
import type { TaskCounts, TeamEvent } from "../protocol/events.ts";
import type { Entry } from "../protocol/message.ts";
import type { PermissionMode } from "../protocol/mode.ts";
import { LEAD_NAME, PERSON_NAME } from "../protocol/names.ts";
import type { Hold } from "../protocol/team.ts";
import type { ImageBlock, TranscriptRecord } from "../protocol/transcript.ts";
import type { TranscriptOwner } from "../store/transcriptStore.ts";
import type { WorkRecord } from "./changes/workRecord.ts";
import type { LeadKey } from "./lead/leadSignature.ts";
import type { Leaving } from "./leaving.ts";
import type { Budgets } from "./limits/budgets.ts";
import type { MemberBills } from "./limits/cost.ts";
import type { Gate } from "./limits/hold.ts";
import type { Pauses } from "./limits/pauses.ts";
import type { Authority, Mailroom } from "./mail/mailroom.ts";
import type { Member } from "./member.ts";
import type { Requests } from "./requests/requests.ts";
import type { ReopenedRequests } from "./resume/reopened.ts";
import type { TeamWatch } from "./teamWatch.ts";
import type { SessionOptions } from "./types.ts";

/** A member with what this process keeps for it, whether it runs here or is a process of its own. */
export interface RunningMember {
  readonly member: Member;
  readonly transcript: TranscriptRecord[];
  /** Tells it from earlier members of its name; the lead's is known when its team exists. */
  incarnation: string;
  owner: TranscriptOwner;
  mailroom: Mailroom | null;
  /** Of a member that is a process of its own: what it shows to its lead; null before it is started. */
  nonce: string | null;
  /** Ids of shutdown requests of its lead that it got and has not answered. */
  readonly shutdownRequests: Set<string>;
  /** Where the member's plan goes; made when it first plans. */
  planFile: string | null;
  plansSubmitted: number;
  /** The mode to go back to after the model's own EnterPlanMode. */
  modeBeforePlan: PermissionMode | null;
  /** Keeps what is sent inside the model's context. */
  readonly compactor: Compactor;
  /** The person's words to it that need no inbox: the lead's before it has a team, and what is typed into its terminal. `at`: ms. */
  readonly words: { text: string; images: readonly ImageBlock[]; at: number }[];
  /** Whether it takes a free task by itself when it is idle: not after a failure or an interruption. */
  claims: boolean;
  /** It is taking up a task, and its run is about to begin: from the start of a claim on it counts as working. */
  takesTask: boolean;
  /** Aborts when the member is gone: what its commands left running ends with it. */
  readonly lifetime: AbortController;
  /** After a restart: inputs with which its last run goes on, or a new one begins; null: it waits. */
  takesUp: readonly AgentInput[] | null;
  /** Aborted: the person has asked it to stop, and nobody decides its requests until it has refused. */
  undecided: AbortController;
  /** Ends the run that goes on now. */
  interrupt: AbortController | null;
}

/** What the members that one process runs share: a session's lead and in-process teammates, or one teammate alone. */
export interface MemberContext {
  readonly options: SessionOptions;
  /** A member's model, with retries, the team's limit on requests at once, and what holds the member. `onHurry`: mail came. */
  modelOf(name: string, onHurry?: RetryPorts["onHurry"]): Model;
  /** Why this member may neither ask its model nor run a tool now; null: it may. */
  holdOf(name: string): Hold | null;
  /** Milliseconds that grow with every call, for ids of requests. */
  readonly growing: (now: number) => number;
  readonly requests: Requests;
  /** Rules that the person allowed for this session. */
  readonly sessionRules: string[];
  /** Folders that the person added to the project for this session. */
  readonly sessionDirectories: string[];
  /** What this host wrote in the name of the lead or the person, by id: what gives an entry authority. */
  readonly written: Map<string, string>;
  /** The newest `mode_set_request` to each member, by id: an older one says nothing any more. */
  readonly modesSet: Map<string, string>;
  /** Keys with which this host signs its entries, by the process member that they are for. */
  readonly keys: Map<string, LeadKey>;
  team: TeamHandle | null;
  /** Requests that waited when the process before this one ended: asked again under their ids. */
  readonly reopened: ReopenedRequests;
  /** This process leaves the session to a later one: nothing is stored or sent any more. */
  suspended: boolean;
  /**
   * The session is being ended in order, or has been: no host goes on with it by itself. Of a teammate's own process: the
   * person has ended it.
   */
  ends: boolean;
  /** The lead is in delegate mode. */
  delegates: boolean;
  readonly events: Emitter<TeamEvent>;
  readonly texts: Emitter<{ member: string; text: string | null }>;
  readonly records: Emitter<{ member: string; record: TranscriptRecord }>;
  /** Something changed that a wait of the lead or a view may depend on. */
  readonly changes: Emitter<void>;
  /** Changes of one file by members of this process come one after another. */
  readonly fileQueue: SerialQueue;
  /** Keeps what the members change in the project. */
  readonly work: WorkRecord;
  /** Ends the members' commands when this process is killed. */
  readonly guard: CommandGuard;
  /** How a member is, as far as this process knows, in a word or a few. */
  stateOf(name: string): string;
  /** Which of the teammates that have had this name lives now; null where this process does not lead it. */
  incarnationOf(name: string): string | null;
}

/** What everybody in one session shares, in the process that leads it. */
export interface SessionContext extends MemberContext {
  readonly id: string;
  readonly lead: RunningMember;
  readonly pauses: Pauses;
  readonly budgets: Budgets;
  /** Teammates that live, and those that are gone and still in config.json, by name. */
  readonly teammates: Map<string, RunningMember>;
  /** Teammates that are gone and have left something in the team's files, by name. */
  readonly leaving: Map<string, Leaving>;
  /** What the lead's model has to be told, besides its mail. */
  readonly notices: Notice[];
  /** Members that failed for good, with why. */
  readonly failures: Map<string, string>;
  /** What teammates used that are gone. */
  readonly gone: MemberBills[];
  /** Teammates of before are still being started: as far as anybody knows, they have something to do. */
  resuming: boolean;
  goal: string | null;
  /** TeamDelete is at work: that the team's files go is its doing. */
  deleting: boolean;
  /** The team that this session led was deleted. */
  deleted: { team: string; history: string | null; tasks: TaskCounts } | null;
}

/** The team that the session leads. */
export interface TeamHandle {
  readonly folder: string;
  readonly displayName: string;
  readonly watch: TeamWatch;
}

/** The team that the session leads. Throws `not_ready` with what to do where there is none. */
export function teamOf(context: MemberContext): TeamHandle {
  if (context.team) return context.team;
  throw new MusterError("not_ready", "There is no team yet. Create one with TeamCreate first.");
}

/** Whether a teammate is a process of its own, also before that is started. */
export function isRemote(running: RunningMember | undefined): boolean {
  return running !== undefined && running.member.spec.backend !== "in-process";
}

/** News for the lead. `urgent` wakes it at once, the others when the team is at rest. */
export interface Notice {
  text: string;
  urgent: boolean;
}

/** The event that tells of a member that joined. */
export function memberJoined({ name, spec }: Member): TeamEvent {
  const { agentType, model, backend, color, planModeRequired } = spec;
  return { type: "member_joined", member: name, agentType, model, backend, color, planModeRequired };
}

/** Every member of the session that lives, the lead first. */
export function allMembers(context: SessionContext): RunningMember[] {
  return [context.lead, ...context.teammates.values()];
}

/**
 * The authority of an entry in the inbox of a member of this session: the names of the person and of the lead count only
 * where the host itself wrote this text, under this id, to this member and not to an earlier one of its name.
 */
export function authorityOf(context: SessionContext, to: string, entry: Entry, id: string): Authority {
  if (entry.from !== PERSON_NAME && entry.from !== LEAD_NAME) return "peer";
  if (context.written.get(id) !== letterMark(entry.from, to, entry, context.incarnationOf(to))) return "unverified";
  return entry.from === PERSON_NAME ? "person" : "lead";
}

/** What the authority of a letter is bound to. Its id alone is no secret: it stands in the inbox. */
export function letterMark(
  from: string,
  to: string,
  { text, summary }: Pick<Entry, "text" | "summary">,
  incarnation: string | null,
): string {
  return sha256Hex(JSON.stringify([from, to, text, summary ?? null, incarnation]));
}

/** What holds members of a context back, and when that may have changed. */
export function gateOf(context: () => MemberContext): Gate {
  return { holdOf: (name) => context().holdOf(name), onDidChange: (listener) => context().changes.event(listener) };
}
