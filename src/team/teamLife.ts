import { isoTime } from "../base/clock.ts";
import { errorMessage } from "../base/errors.ts";
import { wrapForModel } from "../protocol/message.ts";
import { type BodyOf, parseBody, requestIdOf } from "../protocol/messageBody.ts";
import { inboxFileName, LEAD_NAME } from "../protocol/names.ts";
import type { Task } from "../protocol/task.ts";
import { isLead } from "../protocol/team.ts";
import type { ExitReason } from "./backends/backend.ts";
import { authorityOf, memberJoined, type Notice, type RunningMember, type SessionContext } from "./context.ts";
import { clearLiveText } from "./liveText.ts";
import { type Mail, Mailroom, type Routing } from "./mail/mailroom.ts";
import { writePresence } from "./presence.ts";
import { countTasks } from "./summary.ts";
import { openTeamWatch } from "./teamWatch.ts";
import { oneLine } from "./views/toolArgument.ts";

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

/** Gives a member its mailroom and reads what is there already. */
export async function openMailroom(context: SessionContext, running: RunningMember): Promise<void> {
  if (!context.team) return;
  const { store, logger, settings } = context.options;
  const mailroom = new Mailroom({
    store,
    team: context.team.folder,
    agent: running.member.name,
    incarnation: running.incarnation,
    logger,
    authorityOf: (entry, id) => authorityOf(context, running.member.name, entry, id),
    route: (mail) => (isLead(running.member) ? routeForLead(mail) : routeForTeammate(running, mail)),
    asks: ({ content }) =>
      isLead(running.member) && settings.approvalTarget === "lead" && content.kind === "plan_approval_request",
    delivered: running.transcript.flatMap((record) => (record.kind === "input" ? (record.msgIds ?? []) : [])),
  });
  mailroom.onDidChange(() => context.changes.fire());
  running.mailroom = mailroom;
  await mailroom.check();
}

/** Takes a teammate that is gone out of the team: its tasks are released, and the lead is told. */
export async function removeTeammate(context: SessionContext, running: RunningMember, exit: ExitReason): Promise<void> {
  const { name } = running.member;
  const reason = exit.kind === "shutdown" ? "shutdown" : exit.reason;
  running.lifetime.abort();
  running.mailroom?.dispose();
  if (exit.kind === "crashed") context.failures.set(name, exit.reason);
  try {
    await leaveFiles(context, running, exit);
  } finally {
    if (context.teammates.get(name) === running) context.teammates.delete(name); // or a new one of this name
    context.gone.push({ name, bills: running.member.bills });
    context.events.fire({ type: "member_left", member: name, reason });
    context.changes.fire();
  }
}

/** Until the lead's notice is there the member counts as one that is going: the team is not at rest before. */
async function leaveFiles(context: SessionContext, running: RunningMember, exit: ExitReason): Promise<void> {
  if (!context.team) return;
  const { name, spec } = running.member;
  const { folder, watch } = context.team;
  const { store } = context.options;
  const released = await store.tasks.releaseOwner(folder, name);
  await store.teams.removeMember(folder, name, spec.incarnation);
  await store.presence.remove(folder, name);
  await clearLiveText(context, name);
  await watch.refresh();
  if (context.team?.folder !== folder) return; // deleted meanwhile: nobody is left to be told
  const unread = exit.kind === "shutdown" ? [] : await unreadBy(context, folder, name);
  await tellLead(context, name, {
    text: terminatedText(name, exit, released, unread),
    urgent: released.length > 0 || exit.kind === "crashed",
  });
}

/** What a member did not come to read: `bob: "Summary"`, in order of arrival. Nobody writes to it any more. */
async function unreadBy({ options }: SessionContext, team: string, name: string): Promise<string[]> {
  try {
    const { entries } = await options.store.inboxes.read(team, name);
    const unread = entries.filter(
      ({ read, from, text }) => !read && from !== name && parseBody(text).kind === "message",
    );
    return unread.map(({ from, summary, text }) => `${from}: ${JSON.stringify(oneLine(summary || text, 80))}`);
  } catch (error) {
    options.logger.warn(`What ${name} had not read cannot be told: ${errorMessage(error)}`);
    return [];
  }
}

/** Kept in the audit log too, until the lead's transcript holds it: a restart must not lose it. */
async function tellLead(context: SessionContext, member: string, notice: Notice): Promise<void> {
  context.notices.push(notice);
  const { store, clock } = context.options;
  await store.audit.append(context.lead.owner, { at: isoTime(clock.now()), event: "left", member, ...notice });
}

/** Requests wait in the lead's inbox until they are decided, idle notices until a digest; the rest is for its model. */
function routeForLead(mail: Mail): Routing {
  switch (mail.content.kind) {
    case "plan_approval_request":
    case "permission_request":
    case "sandbox_permission_request":
    case "idle_notification":
      return "keep";
    case "shutdown_approved":
    case "task_completed":
      return "done";
    default:
      return "deliver";
  }
}

/** Decisions in the file are records: a member of this process got the real one in memory. */
function routeForTeammate(running: RunningMember, mail: Mail): Routing {
  const { content, authority } = mail;
  switch (content.kind) {
    case "permission_response":
    case "plan_approval_response":
    case "sandbox_permission_response":
    case "mode_set_request":
    case "interrupt_request":
    case "team_permission_update":
      return "done";
    case "shutdown_request": {
      const id = requestIdOf(content.body);
      if (authority === "lead" && id !== undefined) running.shutdownRequests.add(id);
      return "deliver";
    }
    default:
      return "deliver";
  }
}

/** A reason is often a sentence: in brackets its full stop goes. */
function withoutStop(reason: string): string {
  return reason.replace(/\.$/, "");
}

/** Of messages that were not read so many are named, the oldest. */
const MOST_UNREAD = 10;

function terminatedText(name: string, exit: ExitReason, released: readonly Task[], unread: readonly string[]): string {
  const how =
    exit.kind === "shutdown"
      ? "has shut down"
      : exit.kind === "crashed"
        ? `has failed (${withoutStop(exit.reason)})`
        : `was ended (${withoutStop(exit.reason)})`;
  const tasks = released.map((task) => `#${task.id} ${JSON.stringify(task.subject)}`).join(", ");
  const unassigned = released.length > 0 ? ` ${released.length} task(s) were unassigned: ${tasks}.` : "";
  const more = unread.length > MOST_UNREAD ? ` and ${unread.length - MOST_UNREAD} more` : "";
  const named = unread.slice(0, MOST_UNREAD).join(", ");
  const lost = unread.length > 0 ? ` ${unread.length} message(s) to it were not read: ${named}${more}.` : "";
  const message = `${name} ${how}.${unassigned}${lost}`;
  const body: BodyOf<"teammate_terminated"> = { type: "teammate_terminated", message };
  return wrapForModel([{ from: "system", text: JSON.stringify(body) }]);
}
