import * as z from "zod";
import type { Tool } from "../../agent/types.ts";
import { MusterError } from "../../base/errors.ts";
import { agentId } from "../../protocol/ids.ts";
import { AGENT_TYPE_NAMES, AGENT_TYPES } from "../agentTypes.ts";
import type { SessionContext } from "../context.ts";
import type { SpawnedTeammate, SpawnRequest } from "../spawn.ts";
import { teamTool } from "./teamTool.ts";

const MODES = ["acceptEdits", "bypassPermissions", "default", "delegate", "dontAsk", "plan"] as const;

/** Task, and its other name Agent: adds a teammate to the team. */
export function spawnTools(
  context: SessionContext,
  spawn: (request: SpawnRequest) => Promise<SpawnedTeammate>,
): Tool[] {
  const task = teamTool({
    name: "Task",
    description: `Adds a teammate to your team. It sees only its prompt, the project and what members write to it. Types: ${AGENT_TYPE_NAMES.map((type) => `${type} ${AGENT_TYPES[type].about}`).join("; ")}.`,
    inputSchema: z.object({
      description: z.optional(z.string()).describe("What it is for, in three to five words"),
      prompt: z.string().min(1).describe("Everything it has to know: its tasks, whom to talk to, what to report"),
      name: z.optional(z.string()).describe("Its name: a role, such as parser or tests"),
      team_name: z.optional(z.string()),
      subagent_type: z.optional(z.enum(AGENT_TYPE_NAMES)).describe("general-purpose unless named"),
      model: z.optional(z.string()).describe("haiku, sonnet, opus or a full id; your own unless named"),
      mode: z.optional(z.enum(MODES)).describe("plan: its plan has to be approved before it changes anything"),
    }),
    async run({ prompt, name, team_name, subagent_type, model, mode }) {
      if (!context.team) {
        throw new MusterError(
          "not_ready",
          "There is no team yet, so nobody was started. Create one with TeamCreate first.",
        );
      }
      if (name === undefined) throw new MusterError("bad_name", "Nobody was started: give the teammate a name.");
      if (team_name !== undefined && team_name !== context.team.folder && team_name !== context.team.displayName) {
        throw new MusterError(
          "unknown_team",
          `Nobody was started: your team is ${context.team.folder}, not ${team_name}.`,
        );
      }
      const spawned = await spawn({
        wanted: name,
        prompt,
        agentType: subagent_type ?? "general-purpose",
        ...(model === undefined ? {} : { model }),
        ...(mode === undefined ? {} : { mode }),
      });
      return [
        "Spawned successfully.",
        `agent_id: ${agentId(spawned.name, context.team.folder)}`,
        `name: ${spawned.name}`,
        `team_name: ${context.team.folder}`,
        "It runs now and gets further instructions through its inbox. Do not wait for it: you are told when it has something for you.",
      ].join("\n");
    },
  });
  return [task, { ...task, name: "Agent", hidden: true }];
}
