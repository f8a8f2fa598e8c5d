import { createCompactor } from "../agent/compaction.ts";
import type { Model } from "../agent/types.ts";
import { isoTime } from "../base/clock.ts";
import { errorMessage } from "../base/errors.ts";
import { acceptMemberName, LEAD_NAME } from "../protocol/names.ts";
import { displayNameOf, type Member as MemberEntry } from "../protocol/team.ts";
import type { SentMessage } from "../store/messageSender.ts";
import type { AgentType } from "./agentTypes.ts";
import type { Backend } from "./backends/backend.ts";
import { type RunningMember, type SessionContext, teamOf } from "./context.ts";
import { endsNow } from "./crew.ts";
import { resolveModel } from "./limits/models.ts";
import { sendAs } from "./mail/send.ts";
import { Member } from "./member.ts";
import { removeUnstarted } from "./removeTeammate.ts";
import { ensurePlanFile } from "./requests/planFile.ts";
import { spawnMode } from "./spawnMode.ts";

/** What the lead or the person asks for. */
export interface SpawnRequest {
  wanted: string;
  prompt: string;
  agentType: AgentType;
  /** Alias, full id, or `inherit`. */
  model?: string;
  mode?: string;
}

export interface SpawnedTeammate {
  name: string;
}

export interface SpawnPorts {
  /** It is there, and is about to run. */
  started(running: RunningMember): void;
  /** Aborts where the session ends: nobody comes any more. */
  signal: AbortSignal;
}

/**
 * Adds a teammate: its entry in config.json, its prompt as the first entry of its inbox, then its loop in the backend.
 * A failure at any step takes back what was done before it; where the host goes away, the next one takes the member up.
 */
export async function spawnTeammate(
  context: SessionContext,
  backend: Backend,
  request: SpawnRequest,
  { started, signal }: SpawnPorts,
): Promise<SpawnedTeammate> {
  const { folder, watch } = teamOf(context);
  const { store, settings } = context.options;
  const entry = await store.teams.addMember(
    folder,
    draftOf(context, request, backend),
    acceptMemberName(request.wanted),
    {
      leadSessionId: context.id,
      maxMembers: settings.maxMembers,
      taken: () => [...context.leaving.keys(), ...context.teammates.keys()],
    },
  );
  const running = runningOf(context, backend, entry, request);
  let prompt: SentMessage | undefined;
  try {
    if (running.member.spec.mode === "plan") await ensurePlanFile(context, running);
    await watch.refresh();
    requireGoingOn(context, signal);
    [prompt] = await sendAs(context, context.lead, { to: [entry.name], text: request.prompt, mustArrive: true });
    await markIncarnation(context, running);
    requireGoingOn(context, signal);
    started(running);
    await backend.start(running);
    return { name: entry.name };
  } catch (error) {
    if (context.suspended) throw error;
    const reason = errorMessage(error);
    context.options.logger.warn(`${entry.name} was not started: ${reason}`);
    await removeUnstarted(context, running, reason, prompt);
    throw error;
  }
}

/** Throws `not_ready` where the session ends. In a host that goes away it is added all the same: the next one starts it. */
function requireGoingOn({ suspended }: SessionContext, signal: AbortSignal): void {
  if (signal.aborted && !suspended) throw endsNow();
}

function draftOf(context: SessionContext, request: SpawnRequest, backend: Backend) {
  const mode = spawnMode(request.mode);
  return {
    agentType: request.agentType,
    model: modelOf(context, request),
    prompt: request.prompt,
    planModeRequired: mode === "plan",
    joinedAt: context.options.clock.now(),
    tmuxPaneId: backend.type,
    cwd: context.options.cwd,
    backendType: backend.type,
  };
}

/** What config.json shows is what was asked for: an alias stays an alias. */
function modelOf(context: SessionContext, { model }: SpawnRequest): string {
  return model === undefined || model === "inherit" || model === "" ? context.lead.member.spec.model : model;
}

function runningOf(
  context: SessionContext,
  backend: Backend,
  entry: MemberEntry,
  request: SpawnRequest,
): RunningMember {
  const named = spawnMode(request.mode);
  const mode = named ?? context.lead.member.permission.mode;
  const spec = {
    name: entry.name,
    displayName: displayNameOf(entry),
    agentType: request.agentType,
    model: resolveModel(modelOf(context, request), context.options.settings.models).id,
    color: entry.color ?? null,
    backend: backend.type,
    mode,
    planModeRequired: named === "plan",
    modeIsFixed: mode === "plan",
    incarnation: entry.muster?.incarnation ?? "",
  };
  const owner = { team: teamOf(context).folder, agent: entry.name };
  return newRunning(new Member(spec, context.options.clock), owner, context.modelOf(entry.name));
}

/** A name that was used before has a transcript already: what follows belongs to the new member. */
async function markIncarnation(context: SessionContext, { owner, incarnation }: RunningMember): Promise<void> {
  const { store, clock } = context.options;
  if ((await store.transcripts.read(owner)).length === 0) return;
  const at = isoTime(clock.now());
  await store.transcripts.append(owner, { kind: "session", at, sessionId: context.id, agent: incarnation });
}

/** A member without a past. */
export function newRunning(member: Member, owner: RunningMember["owner"], model: Model): RunningMember {
  return {
    member,
    owner,
    incarnation: member.spec.incarnation,
    compactor: createCompactor(model),
    transcript: [],
    mailroom: null,
    nonce: null,
    shutdownRequests: new Set(),
    planFile: null,
    plansSubmitted: 0,
    modeBeforePlan: null,
    words: [],
    claims: member.name !== LEAD_NAME,
    takesTask: false,
    lifetime: new AbortController(),
    takesUp: null,
    undecided: new AbortController(),
    interrupt: null,
  };
}
