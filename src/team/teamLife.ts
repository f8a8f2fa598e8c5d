import { errorMessage } from "../base/errors.ts";
import { inboxFileName, LEAD_NAME } from "../protocol/names.ts";
import { isLead } from "../protocol/team.ts";
import { memberJoined, type SessionContext } from "./context.ts";
import { clearLiveText } from "./liveText.ts";
import { openMailroom } from "./mail/openMailroom.ts";
import { writePresence } from "./presence.ts";
import { countTasks } from "./summary.ts";
import { openTeamWatch } from "./teamWatch.ts";

/**
 * Starts what runs beside a team that this process leads from here on: the watcher, the lead's mailroom, and the lead's
 * transcript in the team's folder. `onGone`: the folder is not there any more.
 */
export async function openTeam(
  context: SessionContext,
  folder: string,
  displayName: string,
  onGone: () => void,
): Promise<void> {
  const { store, logger } = context.options;
  await store.leads.acquire(folder, context.id);
  store.sweep().catch((error: unknown) => logger.debug(`Leftovers were not removed: ${errorMessage(error)}`));
  const remote = context.options.processes !== undefined; // members of this process tell it themselves
  const watch = await openTeamWatch(store, folder, logger, {
    without: remote ? [] : ["presence", "transcript", "live"],
  });
  context.team = { folder, displayName, watch };
  context.deleted = null;
  await store.transcripts.moveLead(context.id, folder);
  context.lead.owner = { team: folder, agent: LEAD_NAME };
  context.lead.incarnation =
    watch.snapshot.config.members.find(isLead)?.muster?.incarnation ?? context.lead.incarnation;
  watch.onEvent((event) => context.events.fire(event));
  watch.onDidChange(() => context.changes.fire());
  watch.onGone(onGone);
  watch.onInbox((file) => {
    for (const running of [context.lead, ...context.teammates.values()]) {
      if (inboxFileName(running.member.name) === file) void running.mailroom?.check();
    }
  });
  await clearLiveText(context, LEAD_NAME);
  await openMailroom(context, context.lead);
  writePresence(context, context.lead);
  void context.work.begin(context.lead.owner); // edits wait for it
  context.events.fire({ type: "team_created", team: folder });
  context.events.fire(memberJoined(context.lead.member));
}

/** Ends what runs beside the team. Its lead goes on; what it writes from here goes to the history. */
export async function closeTeam(context: SessionContext, history: string | null): Promise<void> {
  if (!context.team) return;
  const { folder, watch } = context.team;
  watch.dispose();
  context.lead.mailroom?.dispose();
  context.lead.mailroom = null;
  context.team = null;
  context.deleted = { team: folder, history, tasks: countTasks(watch.snapshot.graph) };
  context.lead.owner = history === null ? { leadSession: context.id } : { finished: history, agent: LEAD_NAME };
  context.notices.splice(0);
  context.events.fire({ type: "team_deleted", team: folder });
}
