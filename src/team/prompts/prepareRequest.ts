import type { PrepareParts } from "../../agent/compaction.ts";
import { toolDefinition } from "../../agent/toolDefinition.ts";
import type { ModelRequest, Tool } from "../../agent/types.ts";
import { isLead } from "../../protocol/team.ts";
import type { TranscriptRecord } from "../../protocol/transcript.ts";
import type { MemberContext, RunningMember } from "../context.ts";
import { isHeldBack } from "../lead/delegate.ts";
import { resolveModel, thinkingOf } from "../limits/models.ts";
import { teamBrief } from "./brief.ts";
import { leadPrompt } from "./leadPrompt.ts";
import { projectPrompt } from "./projectPrompt.ts";
import { teammatePrompt } from "./teammatePrompt.ts";

/** What a request is made of. `onSummary` as for the compactor. */
export interface RequestParts extends Required<Pick<PrepareParts, "onSummary">> {
  tools: readonly Tool[];
  transcript: readonly TranscriptRecord[];
}

/**
 * Builds what is sent for a member's next reply: the stable prompts, the transcript (its older part as notes where it
 * would not fit), and the team as it is now.
 */
export async function prepareRequest(
  context: MemberContext,
  running: RunningMember,
  { tools, transcript, onSummary }: RequestParts,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const { member } = running;
  const { settings } = context.options;
  const info = resolveModel(member.spec.model, settings.models);
  const place = await placePrompt(context);
  const volatile = await teamBrief(context, running);
  const build = (messages: ModelRequest["messages"]): ModelRequest => ({
    model: info.id,
    system: [
      { text: rolePrompt(context, running), cache: true },
      { text: place, cache: true },
    ],
    messages,
    volatile,
    tools: tools.filter(({ name, hidden }) => !hidden && !isHeldBack(context, running, name)).map(toolDefinition),
    maxTokens: info.maxOutput,
    thinking: thinkingOf(info.id, settings.thinking),
  });
  return running.compactor.prepare(transcript, info.contextWindow, { build, onSummary }, signal);
}

function rolePrompt(context: MemberContext, { member }: RunningMember): string {
  if (isLead(member)) return leadPrompt();
  return teammatePrompt({ name: member.name, agentType: member.spec.agentType, team: context.team?.folder ?? "" });
}

async function placePrompt({ options }: MemberContext): Promise<string> {
  const { store, cwd } = options;
  return projectPrompt({
    cwd,
    platform: process.platform,
    projectInstructions: await store.texts.readOptional(store.paths.projectInstructions(cwd)),
    personInstructions: await store.texts.readOptional(store.paths.personInstructions),
  });
}
