import { wrapForModel } from "../protocol/message.ts";
import type { BodyOf } from "../protocol/messageBody.ts";
import type { ExitReason } from "./backends/backend.ts";
import type { Notice, RunningMember, SessionContext } from "./context.ts";
import { type Departure, type LeftBehind, leaveTeam } from "./leaving.ts";

/** Takes a teammate that is gone out of the team: its tasks are released, and the lead is told. Never rejects. */
export async function removeTeammate(context: SessionContext, running: RunningMember, exit: ExitReason): Promise<void> {
  const { name } = running.member;
  if (exit.kind === "crashed") context.failures.set(name, exit.reason);
  await leaveTeam(context, running, {
    reason: exit.kind === "shutdown" ? "shutdown" : exit.reason,
    notice: (left) => ({
      text: left.late ? lateText(name, left) : goneText(name, exit, left),
      urgent: left.released.length > 0 || exit.kind === "crashed",
    }),
    delayed: (fault) => ({ text: delayedText(name, exit, fault), urgent: true }),
  });
}

/** One whose start failed: what it did before that is told, and its prompt taken back. Never rejects. */
export async function removeUnstarted(
  context: SessionContext,
  running: RunningMember,
  reason: string,
  prompt: Departure["prompt"],
): Promise<void> {
  const { name } = running.member;
  await leaveTeam(context, running, {
    ...{ reason: `not started: ${reason}`, prompt },
    notice({ released, unread }) {
      if (released.length + unread.length === 0) return null; // who wanted it knows
      return {
        text: terminated(`${name} was not started.${whatIsLeft(released, unread)}`),
        urgent: released.length > 0,
      };
    },
    delayed: () => null,
  });
}

/** A reason is often a sentence: in brackets its full stop goes. */
function withoutStop(reason: string): string {
  return reason.replace(/\.$/, "");
}

/** Of messages that were not read so many are named, the oldest. */
const MOST_UNREAD = 10;

function how(exit: ExitReason): string {
  switch (exit.kind) {
    case "shutdown":
      return "has shut down";
    case "crashed":
      return `has failed (${withoutStop(exit.reason)})`;
    case "ended":
      return `was ended (${withoutStop(exit.reason)})`;
  }
}

/** One that agreed to stop has left nothing unread that matters. */
function goneText(name: string, exit: ExitReason, { released, unread }: LeftBehind): string {
  return terminated(`${name} ${how(exit)}.${whatIsLeft(released, exit.kind === "shutdown" ? [] : unread)}`);
}

function delayedText(name: string, exit: ExitReason, fault: string): string {
  const why = `it could not be taken out of the team yet (${withoutStop(fault)})`;
  return terminated(`${name} ${how(exit)}, but ${why}. You are told when it is out and its tasks are free.`);
}

function lateText(name: string, { released, unread }: LeftBehind): string {
  return terminated(`${name} is out of the team now.${whatIsLeft(released, unread)}`);
}

function whatIsLeft(released: LeftBehind["released"], unread: LeftBehind["unread"]): string {
  const tasks = released.map((task) => `#${task.id} ${JSON.stringify(task.subject)}`).join(", ");
  const unassigned = released.length > 0 ? ` ${released.length} task(s) were unassigned: ${tasks}.` : "";
  const more = unread.length > MOST_UNREAD ? ` and ${unread.length - MOST_UNREAD} more` : "";
  const named = unread.slice(0, MOST_UNREAD).join(", ");
  const lost = unread.length > 0 ? ` ${unread.length} message(s) to it were not read: ${named}${more}.` : "";
  return `${unassigned}${lost}`;
}

function terminated(message: string): Notice["text"] {
  const body: BodyOf<"teammate_terminated"> = { type: "teammate_terminated", message };
  return wrapForModel([{ from: "system", text: JSON.stringify(body) }]);
}
