import type { Model, Tool } from "../agent/types.ts";
import type { Clock } from "../base/clock.ts";
import type { Event } from "../base/emitter.ts";
import type { ErrorReason } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { RunResult, TaskCounts, TeamEvent } from "../protocol/events.ts";
import type { PermissionMode } from "../protocol/mode.ts";
import type { AcceptedName } from "../protocol/names.ts";
import type { QueuedMessage } from "../protocol/panel.ts";
import type { DecidedBy, Decision, PendingRequest } from "../protocol/request.ts";
import type { BackendType, Hold, MemberState } from "../protocol/team.ts";
import type { ImageBlock, TranscriptRecord, Usage } from "../protocol/transcript.ts";
import type { Store } from "../store/store.ts";
import type { ProcessHost } from "./backends/process.ts";
import type { MemberBills } from "./limits/cost.ts";
import type { ModelCatalog } from "./limits/models.ts";
import type { TaskDesk } from "./taskDesk.ts";

/** What the person or the command line settles for a session. Rules are texts such as `Bash(npm test)`. */
export interface TeamSettings {
  /** Alias or id of the lead's model; teammates inherit it. */
  model: string;
  models: ModelCatalog;
  thinking: "off" | "adaptive";
  permissionMode: PermissionMode;
  rules: { allow: string[]; ask: string[]; deny: string[]; additionalDirectories: string[] };
  approvalTarget: "user" | "lead";
  autoClaim: boolean;
  /** Teammates alive at once: the lead does not count. */
  maxMembers: number;
  /** What a team, and each member, may cost in USD; null: no limit. */
  budget: { team: number | null; member: number | null };
  /** Requests to the API at once. */
  requestLimit: number;
  keepHistory: boolean;
  /** Whether what the person's own settings of Claude Code allow counts too. */
  readClaudeSettings?: boolean;
  /** Preselected mode of a member after its plan is approved. */
  afterPlanMode: PermissionMode;
}

/** What a host gives to a session. */
export interface SessionOptions {
  store: Store;
  /** Speaks to the API, without retries and limits: the session adds them. */
  model: Model;
  settings: TeamSettings;
  /** The project folder: every member's working directory and the border of what it may change. */
  cwd: string;
  home: string;
  /** Environment of the members' commands, free of keys. */
  env: Record<string, string>;
  /** Tools of every member beside the built-in ones, such as those of MCP servers: each call is decided like any other. No host gives any yet. */
  tools?: readonly Tool[];
  /** The person's choice of a team name wins over the lead's. */
  teamName?: AcceptedName;
  /** Where teammates run that are processes of their own; without it they run in this process. */
  processes?: ProcessHost;
  /** Models are scripted: the team says so. */
  scripted?: boolean;
  /** Whether a person can see this host now; a window that lost its connection cannot be seen. Absent: always. */
  isSeen?: () => Promise<boolean>;
  /**
   * A person sits at the terminals of the members' own processes: the session does not rest while one that they
   * interrupted there waits for their words. Told the names of those, each time that nothing else goes on any more.
   */
  awaitsWords?: (members: readonly string[]) => void;
  clock: Clock;
  logger: Logger;
}

/** A member that this host runs, as it is now. Times in ms. */
export interface MemberView {
  name: string;
  /** Tells it from earlier and later members of its name. */
  incarnation: string;
  displayName: string;
  isLead: boolean;
  color: string | null;
  agentType: string;
  model: string;
  backend: BackendType;
  mode: PermissionMode;
  planModeRequired: boolean;
  state: MemberState;
  since: number;
  /** What stands behind the state, for a person. */
  reason: string | null;
  /** The tool that runs right now: its name and one line about its input. */
  activity: { tool: string; argument: string } | null;
  usage: Usage;
}

/** What deciding a request came to. `gone`: it was decided already, withdrawn, or never was. */
export type DecideResult = "decided" | "gone" | "mismatch";

/** Requests that wait for a decision, oldest first. */
export interface RequestDesk {
  readonly pending: readonly PendingRequest[];
  readonly onDidChange: Event<void>;
  /** A request that waits no more, though nobody decided it: its member was interrupted, has stopped, or took it back. */
  readonly onDidWithdraw: Event<PendingRequest>;
  /** Settles a request exactly once. `mismatch`: a plan cannot be allowed, a call cannot be approved. */
  decide(id: string, decision: Decision, by: DecidedBy): Promise<DecideResult>;
}

/** The person's pause of a team: no request begins and no tool runs while it holds. */
export interface PauseDesk {
  /** What holds the whole team; null: nothing. */
  readonly team: Hold | null;
  /** What holds a member, for itself or with its team; null: nothing. */
  member(name: string): Hold | null;
  /** Holds every member before its next request; tools that run are ended. It lasts until `resume`, whatever restarts. */
  pause(): Promise<void>;
  /** Ends the person's pause. Throws `not_ready` where the team's budget holds it. */
  resume(): Promise<void>;
}

/** What a team or a member may cost and has cost so far, in USD. */
export interface Budget {
  limit: number;
  spent: number;
}

/** A budget that is used up since then (ms); `member` null: the team's. */
export interface UsedBudget extends Budget {
  member: string | null;
  since: number;
}

/** The person's budgets for a team and its members. */
export interface BudgetDesk {
  /** Null: there is none. */
  readonly team: Budget | null;
  member(name: string): Budget | null;
  /** What the team (null) or a member spent, in USD, whether or not there is a budget. */
  spent(member: string | null): number;
  /** Budgets that hold somebody now. */
  readonly used: UsedBudget[];
  /** Sets the budget of this team, or of one member, in USD. Throws `not_allowed` where that much is spent already. */
  raise(member: string | null, limit: number): Promise<void>;
}

/** How a session came to rest: nobody works, nothing waits, and the lead has nothing to add. */
export type Rest =
  | { kind: "at_rest" }
  | { kind: "deleted"; history: string | null }
  /** The lead's run failed; a message of the person starts a new one. `reason` is null for a fault of our own. */
  | { kind: "failed"; reason: ErrorReason | null; message: string; needs?: LeadNeed };

/** What may help a lead whose run failed: another key, or another address of the API. */
export type LeadNeed = "key" | "server";

/** What a session came to, for `run_finished` and the finished team. */
export interface SessionSummary {
  result: RunResult;
  reason: string | null;
  /** The lead's last text. */
  text: string;
  tasks: TaskCounts;
  usage: Usage;
  history: string | null;
}

/** Program and arguments that show a member in another terminal; `exited` settles when there is nothing more to show. */
export interface Attach {
  argv: readonly string[];
  exited: Promise<unknown>;
}

/** Where a member can be looked at: it has no place of its own, its place is on show now, or a command shows it. */
export type Revealed = "in-process" | "shown" | { attach: Attach };

/** A teammate as the person wants it. `name`: as typed. Without a mode it has the lead's; `plan`: it plans first. */
export interface PersonsTeammate {
  name: string;
  prompt: string;
  mode?: PermissionMode;
  backend?: BackendType;
}

/** One lead with its team, run by this host. */
export interface TeamSession {
  readonly id: string;
  readonly cwd: string;
  /** Folder name of the team, null before TeamCreate; it stays after TeamDelete. */
  readonly team: string | null;
  readonly scripted: boolean;
  readonly events: Event<TeamEvent>;
  /** The reply that a member is writing, piece by piece; null: what came so far is void or has become a record. */
  readonly onText: Event<{ member: string; text: string | null }>;
  readonly onRecord: Event<{ member: string; record: TranscriptRecord }>;
  /** A member's state, activity or usage changed, or members came or went. */
  readonly onDidChange: Event<void>;
  readonly requests: RequestDesk;
  readonly pauses: PauseDesk;
  readonly budgets: BudgetDesk;
  /** What the person does with the tasks. */
  readonly tasks: TaskDesk;
  /** What every member used that is or was in the team. */
  spent(): MemberBills[];
  members(): MemberView[];
  /** Whether the lead rests after a message to the person, who has not answered yet. */
  readonly leadWaits: boolean;
  /**
   * Of a lead whose run failed, what may help: `key`, as there is none, it was refused, or its account may spend no more;
   * `server`, as its address was not reached, answers as no Messages API does, or does not know the model. Else null.
   */
  readonly leadNeeds: LeadNeed | null;
  /** Starts the lead's first run. Call once. */
  start(goal: string): void;
  /**
   * Goes on with the past that the session was made with; call once, instead of `start`. Throws `lead_elsewhere` while
   * another process leads the team.
   */
  resume(): Promise<void>;
  /**
   * Leaves the session to the next process: everything stops at once, requests go on waiting, the lease is given up.
   * Nothing is stored or sent after the call.
   */
  suspend(): Promise<void>;
  /** Another process asks to lead the team, and the lead's turn is over: the host suspends the session. */
  readonly onHandover: Event<void>;
  /**
   * The person's words to a member (name or display name): they enter a running run before its next request. `images`: at
   * most 5. Throws `not_allowed` where the member is another program, which cannot be shown images.
   */
  say(to: string, text: string, images?: readonly ImageBlock[]): Promise<void>;
  /** The person's words that lie unread before a member, oldest first; empty where there is no such member. */
  queued(member: string): QueuedMessage[];
  /** Ends the member's run, wherever it goes on; it goes idle. Throws `not_allowed` for a program that is not ours. */
  interrupt(member: string): Promise<void>;
  /** Shows a process member where it runs; `preserveFocus`: without going there. */
  reveal(member: string, options: { preserveFocus: boolean }): Promise<Revealed>;
  /** What a member's tmux pane shows now, as plain text. Rejects with `not_ready` where it has none, or it is gone. */
  screen(member: string): Promise<string>;
  /** The person gives a member another mode, from its next decision on. Throws `not_ready` while its plan waits. */
  setMode(member: string, mode: PermissionMode): Promise<void>;
  /** Whether the lead has only team, message and task tools now. */
  readonly delegates: boolean;
  setDelegates(on: boolean): void;
  /** Where teammates can run, the usual place first. */
  readonly backends: readonly BackendType[];
  /** The person adds a teammate; gives its name. The lead is told. Throws `not_ready` before there is a team. */
  spawn(teammate: PersonsTeammate): Promise<string>;
  /** Asks a teammate to shut down, in the lead's name. */
  askToStop(member: string, reason: string): Promise<void>;
  /** Ends a teammate at once; its tasks are released. */
  endMember(member: string, reason: string): Promise<void>;
  /** Ends a teammate at once and counts it as failed. */
  failMember(member: string, reason: string): Promise<void>;
  /** The next time the session comes to rest (at once if it rests now). */
  waitForRest(signal: AbortSignal): Promise<Rest>;
  /** Asks all members to shut down, ends those that have not agreed after `graceMs`, then ends the lead. Files stay. */
  end(options: { graceMs: number; interrupted: boolean }): Promise<SessionSummary>;
  summary(interrupted: boolean): Promise<SessionSummary>;
}
