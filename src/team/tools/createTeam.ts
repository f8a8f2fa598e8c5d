import * as z from "zod";
import type { Tool } from "../../agent/types.ts";
import { isMusterError, MusterError } from "../../base/errors.ts";
import { agentId } from "../../protocol/ids.ts";
import { acceptTeamName, LEAD_NAME } from "../../protocol/names.ts";
import { attempt } from "../attempt.ts";
import type { SessionContext } from "../context.ts";
import { jsonOutput, teamTool } from "./teamTool.ts";

/** TeamCreate. `open` starts what runs beside a team: its watcher and the lead's mailroom. */
export function createTeamTool(
  context: SessionContext,
  open: (folder: string, displayName: string) => Promise<void>,
): Tool {
  return teamTool({
    name: "TeamCreate",
    description:
      "Makes the team that you lead: its config, its inboxes and an empty task list. One team at a time. Give it a short name and one sentence of description.",
    inputSchema: z.object({
      team_name: z.string().describe("Letters, digits, blanks, - and _"),
      description: z.optional(z.string()),
      agent_type: z.optional(z.string()).describe("Your own type, if you have one"),
    }),
    async run({ team_name, description, agent_type }) {
      if (context.team) {
        throw new MusterError(
          "team_exists",
          `You already lead the team ${context.team.folder}. Delete it with TeamDelete before you make another.`,
        );
      }
      const { store, teamName, cwd, clock } = context.options;
      const accepted = teamName ?? acceptTeamName(team_name);
      const config = await store.teams.create({
        name: accepted.name,
        ...(accepted.displayName === undefined ? {} : { displayName: accepted.displayName }),
        ...(description === undefined ? {} : { description }),
        ...(context.goal === null ? {} : { goal: context.goal }),
        leadSessionId: context.id,
        leadModel: context.lead.member.spec.model,
        leadAgentType: agent_type ?? LEAD_NAME,
        cwd,
        now: clock.now(),
      });
      await open(config.name, accepted.displayName ?? config.name).catch(async (error: unknown) => {
        await takeBack(context, config.name, error);
        throw error;
      });
      const renamed =
        teamName && teamName.name !== team_name
          ? { note: `The person chose the name ${teamName.displayName ?? teamName.name}.` }
          : {};
      return jsonOutput({
        team_name: config.name,
        team_file_path: store.paths.team(config.name).config,
        lead_agent_id: agentId(LEAD_NAME, config.name),
        ...renamed,
      });
    },
  });
}

/** The next one is not to find the name in use; a team that another process leads by now is that one's. */
async function takeBack({ options }: SessionContext, team: string, error: unknown): Promise<void> {
  if (isMusterError(error, "lead_elsewhere")) return;
  const end = { keepHistory: false, ifEmpty: true, now: options.clock.now() };
  await attempt(options.logger, `The team ${team}, which could not be opened, is still there`, () =>
    options.store.teams.delete(team, end),
  );
}
