import { basename } from "node:path";
import * as z from "zod";
import type { Tool } from "../../agent/types.ts";
import { requireNoTeammates } from "../../store/teamFile.ts";
import { startCommitsOf } from "../changes/startCommit.ts";
import { type SessionContext, teamOf } from "../context.ts";
import { jsonOutput, teamTool } from "./teamTool.ts";

/** TeamDelete. It checks first and changes nothing when it refuses; `close` ends what runs beside the team. */
export function deleteTeamTool(context: SessionContext, close: (history: string | null) => void): Tool {
  return teamTool({
    name: "TeamDelete",
    description:
      "Deletes your team when its work is done: members, inboxes and tasks. Refused while a teammate lives: ask them to shut down first, and wait until you are told that they have.",
    inputSchema: z.object({}),
    async run() {
      const { folder, watch } = teamOf(context);
      const snapshot = await watch.refresh();
      requireNoTeammates(snapshot.config);
      const { store, settings, clock } = context.options;
      context.deleting = true;
      try {
        await context.work.begin(context.lead.owner); // what still records the team would name a commit after it
        const forgetCommits = await startCommitsOf(context.options, folder);
        const { keepHistory } = settings;
        const history = await store.teams.delete(folder, { keepHistory, now: clock.now(), ifEmpty: true });
        if (history === null) await forgetCommits();
        context.work.renew();
        close(history === null ? null : basename(history));
      } finally {
        context.deleting = false;
      }
      return jsonOutput({ success: true, message: `The team ${folder} was deleted.`, team_name: folder });
    },
  });
}
