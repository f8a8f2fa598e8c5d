import { createFileTools } from "../agent/tools/fileTools.ts";
import { seenFiles } from "../agent/tools/seenFiles.ts";
import { webFetchTool } from "../agent/tools/webFetch.ts";
import type { Tool } from "../agent/types.ts";
import { isPrivateHost } from "../permission/webAddresses.ts";
import { LEAD_TOOL_NAMES, toolNamesOf } from "./agentTypes.ts";
import { toolRecord } from "./changes/toolRecord.ts";
import type { MemberContext, RunningMember, SessionContext } from "./context.ts";
import type { SpawnedTeammate, SpawnRequest } from "./spawn.ts";
import { createTeamTool } from "./tools/createTeam.ts";
import { deleteTeamTool } from "./tools/deleteTeam.ts";
import { planModeTools } from "./tools/planMode.ts";
import { sendMessageTool } from "./tools/sendMessage.ts";
import { spawnTools } from "./tools/spawnTeammate.ts";
import { taskTools } from "./tools/tasks.ts";

/** What the lead's own tools do to the session. */
export interface LeadActions {
  open(folder: string, displayName: string): Promise<void>;
  close(history: string | null): void;
  spawn(request: SpawnRequest): Promise<SpawnedTeammate>;
}

/** The lead's tools. */
export function leadTools(context: SessionContext, actions: LeadActions): Tool[] {
  const team = [
    createTeamTool(context, actions.open),
    deleteTeamTool(context, actions.close),
    ...spawnTools(context, actions.spawn),
  ];
  const own = named([...team, ...commonTools(context, context.lead)], [...LEAD_TOOL_NAMES, "Agent"]);
  return [...own, ...(context.options.tools ?? [])];
}

/** The tools of a teammate's type. Teammates cannot spawn and have no team of their own to make. */
export function teammateTools(context: MemberContext, running: RunningMember): Tool[] {
  const own = named(commonTools(context, running), toolNamesOf(running.member.spec.agentType));
  return [...own, ...(context.options.tools ?? [])];
}

function commonTools(context: MemberContext, running: RunningMember): Tool[] {
  const { cwd, env, store } = context.options;
  const environment = {
    ...{ cwd, env, fileQueue: context.fileQueue, lifetime: running.lifetime.signal, guard: context.guard },
    seenBefore: seenFiles(running.transcript),
    isHidden: store.paths.isOutOfReach,
    ...toolRecord(context.work, () => ({ member: running.member.name, owner: running.owner }), store.paths.plans),
  };
  return [
    sendMessageTool(context, running),
    ...taskTools(context, running),
    ...planModeTools(context, running),
    ...createFileTools(environment),
    webFetchTool({ isPrivateHost }) as Tool,
  ];
}

function named(tools: readonly Tool[], names: readonly string[]): Tool[] {
  const wanted = new Set(names);
  return tools.filter((tool) => wanted.has(tool.name));
}
