import { errorMessage } from "../base/errors.ts";
import { wrapForModel } from "../protocol/message.ts";
import { type BodyOf, parseBody } from "../protocol/messageBody.ts";
import type { Task } from "../protocol/task.ts";
import { recordAudit } from "./audit.ts";
import type { ExitReason } from "./backends/backend.ts";
import type { Notice, RunningMember, SessionContext } from "./context.ts";
import { clearLiveText } from "./liveText.ts";
import { oneLine } from "./views/toolArgument.ts";

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
  const owned = await store.tasks.releaseOwner(folder, name);
  await store.teams.removeMember(folder, name, spec.incarnation);
  const late = await store.tasks.releaseOwner(folder, name); // assigned in that moment: from here on nobody can
  const released = [...owned, ...late.filter(({ id }) => owned.every((task) => task.id !== id))];
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

/**
 * What a member did not come to read: `bob: "Summary"`, in order of arrival. It is a member no more, so that nobody writes
 * to it: who holds the inbox's lock still, has looked before.
 */
async function unreadBy({ options }: SessionContext, team: string, name: string): Promise<string[]> {
  try {
    const { entries } = await options.store.inboxes.readLocked(team, name);
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
  await recordAudit(context, { event: "left", member, ...notice });
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
