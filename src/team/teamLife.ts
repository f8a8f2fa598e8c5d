import { errorMessage } from "../base/errors.ts";
import { inboxFileName, LEAD_NAME } from "../protocol/names.ts";
import { isLead } from "../protocol/team.ts";
import { attempt } from "./attempt.ts";
import { memberJoined, type SessionContext, teamOf } from "./context.ts";
import { clearLiveText } from "./liveText.ts";
import { openMailroom } from "./mail/openMailroom.ts";
import { writePresence } from "./presence.ts";
import { countTasks } from "./summary.ts";
import { openTeamWatch } from "./teamWatch.ts";

/**
 * Starts what runs beside a team that this process leads from here on: the watcher, the lead's mailroom, and the lead's
 * transcript in the team's folder. `onGone`: the folder is not there any more. Where it throws, nothing of that runs, and
 * the lease is given back.
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
  const before = context.lead.incarnation;
  try {
    await openFiles(context, folder, displayName);
  } catch (error) {
    context.team?.watch.dispose();
    forgetTeam(context);
    context.lead.incarnation = before;
    await attempt(logger, "The lead's lease was not given back", () => store.leads.release(folder, context.id));
    throw error;
  }
  const { watch } = teamOf(context);
  context.deleted = null;
  context.lead.owner = { team: folder, agent: LEAD_NAME };
  watch.onGone(onGone);
  writePresence(context, context.lead);
  void context.work.begin(context.lead.owner); // edits wait for it
  context.events.fire({ type: "team_created", team: folder });
  context.events.fire(memberJoined(context.lead.member));
}

/** All that may fail, the transcript last: it follows a team that stays. */
async function openFiles(context: SessionContext, folder: string, displayName: string): Promise<void> {
  const { store, logger, processes } = context.options;
  const remote = processes !== undefined; // members of this process tell it themselves
  const watch = await openTeamWatch(store, folder, logger, {
    without: remote ? [] : ["presence", "transcript", "live"],
  });
  context.team = { folder, displayName, watch };
  context.lead.incarnation =
    watch.snapshot.config.members.find(isLead)?.muster?.incarnation ?? context.lead.incarnation;
  watch.onEvent((event) => context.events.fire(event));
  watch.onDidChange(() => context.changes.fire());
  watch.onInbox((file) => {
    for (const running of [context.lead, ...context.teammates.values()]) {
      if (inboxFileName(running.member.name) === file) void running.mailroom?.check();
    }
  });
  await clearLiveText(context, LEAD_NAME);
  await openMailroom(context, context.lead);
  await store.transcripts.moveLead(context.id, folder);
}

/** Ends what runs beside the team. Its lead goes on; what it writes from here goes to the history. */
export function closeTeam(context: SessionContext, history: string | null): void {
  if (!context.team) return;
  const { folder, watch } = context.team;
  watch.dispose();
  forgetTeam(context);
  context.deleted = { team: folder, history, tasks: countTasks(watch.snapshot.graph) };
  context.lead.owner = history === null ? { leadSession: context.id } : { finished: history, agent: LEAD_NAME };
  context.notices.splice(0);
  context.events.fire({ type: "team_deleted", team: folder });
}

function forgetTeam(context: SessionContext): void {
  context.lead.mailroom?.dispose();
  context.lead.mailroom = null;
  context.team = null;
}
