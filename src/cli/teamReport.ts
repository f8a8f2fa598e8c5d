import type { TaskCounts } from "../protocol/events.ts";
import type { Entry } from "../protocol/message.ts";
import { parseBody, requestIdOf } from "../protocol/messageBody.ts";
import { inboxFileName, LEAD_NAME } from "../protocol/names.ts";
import { inProgressOf } from "../protocol/taskGraph.ts";
import {
  BACKENDS,
  type BackendType,
  displayNameOf,
  type Generation,
  isLead,
  type Member,
  type MemberState,
  type Presence,
  SUSPECT_AFTER_MS,
} from "../protocol/team.ts";
import type { ProcessIdentity, ProcessState } from "../store/processIdentity.ts";
import type { TeamSnapshot } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import { countTasks } from "../team/summary.ts";
import { planTitle } from "../team/views/messageText.ts";
import { toolArgument } from "../team/views/toolArgument.ts";

/** A team as `muster status` tells it. Times in ms. */
export interface TeamReport {
  team: {
    name: string;
    displayName: string;
    description: string;
    createdAt: number;
    leadAgentId: string;
    leadSessionId: string;
    generation: Generation;
    live: boolean;
  };
  members: MemberReport[];
  tasks: TaskCounts;
  requests: RequestReport[];
}

/** A member of a report. `task`: the one that it has in progress; `joinedAt` in ms, 0 where no file tells it. */
export interface MemberReport {
  name: string;
  displayName: string;
  agentId: string;
  agentType: string;
  model: string;
  color: string | null;
  backend: BackendType | null;
  state: MemberState;
  mode: string | null;
  planModeRequired: boolean;
  task: string | null;
  unread: number;
  joinedAt: number;
  cwd: string;
  paneId: string | null;
}

/** A request that waits for a decision. `createdAt` in ms. */
export interface RequestReport {
  id: string;
  kind: "permission" | "plan";
  from: string;
  tool: string | null;
  description: string;
  createdAt: number;
}

/** What the files of a team and the processes of this host say now. Throws as `store.snapshots.read`. */
export async function reportTeam(store: Store, team: string): Promise<TeamReport> {
  const snapshot = await store.snapshots.read(team);
  const { config } = snapshot;
  const members = await Promise.all(
    config.members.map(async (member) => reportMember(member, snapshot, await memberState(store, snapshot, member))),
  );
  return {
    team: {
      name: team,
      displayName: config.muster?.displayName ?? config.name,
      description: config.description ?? "",
      createdAt: config.createdAt ?? 0,
      leadAgentId: config.leadAgentId ?? "",
      leadSessionId: config.leadSessionId ?? "",
      generation: snapshot.generation,
      live: await isLive(store, snapshot),
    },
    members,
    tasks: countTasks(snapshot.graph),
    requests: pendingRequests(snapshot),
  };
}

/** What `muster teams` tells of a team whose configuration cannot be used. Throws as `store.snapshots.readRest`. */
export async function reportRest(
  store: Store,
  team: string,
): Promise<Pick<TeamReport, "tasks" | "requests"> & { live: boolean }> {
  const rest = await store.snapshots.readRest(team);
  const live = rest.lead !== null && (await store.leads.isLive(rest.lead));
  return { tasks: countTasks(rest.graph), requests: pendingRequests(rest), live };
}

function reportMember(member: Member, snapshot: TeamSnapshot, state: MemberState): MemberReport {
  const pane = member.tmuxPaneId ?? "";
  return {
    name: member.name,
    displayName: displayNameOf(member),
    agentId: member.agentId,
    agentType: member.agentType ?? "",
    model: member.model ?? "",
    color: member.color ?? null,
    backend: BACKENDS.find((backend) => backend === member.backendType) ?? null,
    state,
    mode: member.mode ?? null,
    planModeRequired: member.planModeRequired ?? false,
    task: inProgressOf(member.name, snapshot.graph)?.id ?? null,
    unread: (snapshot.inboxes.get(member.name)?.entries ?? []).filter((entry) => entry.read !== true).length,
    joinedAt: member.joinedAt ?? 0,
    cwd: member.cwd ?? "",
    paneId: pane.startsWith("%") ? pane : null,
  };
}

/** Its own word while its process lives; dead only where the process is gone; unknown where nothing is told. */
export async function memberState(store: Store, snapshot: TeamSnapshot, member: Member): Promise<MemberState> {
  const presence = snapshot.presence.get(inboxFileName(member.name));
  if (!presence || isOfAnother(presence, member)) return "unknown";
  if (presence.state === "failed") return "failed";
  const state = await store.processes.state(presence);
  // a lead that gave its lease up has ended in order
  if (state === "dead") return isLead(member) && snapshot.lead === null ? "unknown" : "dead";
  return Date.now() - presence.beat > SUSPECT_AFTER_MS ? "suspect" : presence.state;
}

function isOfAnother(presence: Presence, member: Member): boolean {
  const incarnation = member.muster?.incarnation;
  return incarnation !== undefined && presence.incarnation !== incarnation;
}

/** Whether a process leads the team now: by our lease, or by what 2.1.178 and later write into config.json. */
export async function isLive(store: Store, { lead, config }: TeamSnapshot): Promise<boolean> {
  if (lead) return store.leads.isLive(lead);
  const foreign = foreignLead(config.leadProcess);
  return foreign !== null && (await store.processes.state(foreign)) === ("alive" satisfies ProcessState);
}

function foreignLead(given: TeamSnapshot["config"]["leadProcess"]): ProcessIdentity | null {
  if (given?.pid === undefined) return null;
  const { pidSpace, procStart } = given;
  return {
    pid: given.pid,
    host: typeof pidSpace === "string" ? pidSpace : "",
    startTime: typeof procStart === "string" ? procStart : null,
  };
}

/** Requests in the lead's inbox that nobody has decided: a request becomes `read: true` when it is. */
function pendingRequests({ inboxes }: Pick<TeamSnapshot, "inboxes">): RequestReport[] {
  const entries = inboxes.get(LEAD_NAME)?.entries ?? [];
  const answered = new Set([...inboxes.values()].flatMap((inbox) => inbox.entries.flatMap(answeredId)));
  return entries
    .filter((entry) => entry.read !== true)
    .flatMap((entry) => requestOf(entry) ?? [])
    .filter((request) => !answered.has(request.id));
}

function answeredId(entry: Entry): string[] {
  const { kind, body } = parseBody(entry.text);
  const isAnswer =
    kind === "plan_approval_response" || kind === "permission_response" || kind === "sandbox_permission_response";
  const id = isAnswer ? requestIdOf(body) : undefined;
  return id === undefined ? [] : [id];
}

function requestOf(entry: Entry): RequestReport | null {
  const { kind, body } = parseBody(entry.text);
  const createdAt = Date.parse(entry.timestamp) || 0;
  switch (kind) {
    case "plan_approval_request":
      return {
        ...{ id: requestIdOf(body) ?? "", kind: "plan", from: body.from, tool: null, createdAt },
        description: planTitle(body.planContent),
      };
    case "permission_request":
      return {
        ...{ id: requestIdOf(body) ?? "", kind: "permission", from: entry.from, tool: body.tool_name, createdAt },
        description: body.description ?? toolArgument(body.tool_name, body.input),
      };
    case "sandbox_permission_request":
      return {
        ...{ id: requestIdOf(body) ?? "", kind: "permission", from: entry.from, tool: null, createdAt },
        description: `Reach ${body.hostPattern?.host ?? "a host"}`,
      };
    default:
      return null;
  }
}
