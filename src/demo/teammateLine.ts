import {
  type Actor,
  act,
  type GivenTask,
  invite,
  type Line,
  projectFile,
  rest,
  resultAt,
  takeMail,
  updateTask,
  write,
} from "./actor.ts";
import { checkResult, expectThat, quote, resultObject } from "./expectations.ts";
import type { Mail } from "./incoming.ts";
import { isMade, makeEdit, runTests } from "./permissionLine.ts";
import { SAMPLE_EDITS, SAMPLE_TESTS } from "./sampleProject.ts";
import { call } from "./script.ts";

/** What the lead calls the tasks. The third is recognised by its subject. */
export const SUBJECTS = {
  offers: "Give one piece of every full three for free",
  table: "Make columns as wide as their longest cell",
  receipt: "Let the receipt say what the customer saved",
} as const;

/** Mark: theo has seen the output of the test suite. */
export const TESTS_WERE_RUN = "theo has run the tests";

/** Mark: the lead knows that a member is gone; nobody waits for it any more. */
export function hasLeft(member: string): string {
  return `${member} has left`;
}

/** What a teammate says when its own task is done. */
export interface OwnTask {
  id: string;
  peer: string;
  /** How long it lets the peer be the first to complete a task, in ms. */
  letsPeerBeFirst: number;
  done: string;
  toPeer: string;
  toLead: string;
}

/**
 * Completes a teammate's own task and tells the others. The second of the two waits until the first one rests, so that
 * the task that gets free is claimed by an idle member, and until it is claimed before it writes to it.
 */
export async function* completeOwnTask(actor: Actor, task: OwnTask): Line<void> {
  const { stage, name } = actor;
  const begun = (member: string) => `${member} completes its own task`;
  await stage.until([begun(task.peer), hasLeft(task.peer)], actor.turn, task.letsPeerBeFirst);
  const second = stage.marked(begun(task.peer));
  if (second) await stage.untilSettled([task.peer, "team-lead"], actor.turn);
  stage.mark(begun(name));
  yield* updateTask(actor, "complete the task", task.done, task.id, { status: "completed" });
  if (second) await stage.until(["the last task is taken", hasLeft(task.peer)], actor.turn);
  yield* write(actor, "tell the others", `I tell ${task.peer} what it needs to know, and report to the lead.`, [
    { to: task.peer, text: task.toPeer, summary: `Task #${task.id} is done` },
    { to: "team-lead", text: `Task #${task.id} is done: ${task.toLead}`, summary: `Task #${task.id} is done` },
  ]);
  await stage.untilHeard("team-lead", actor.turn);
  yield* rest(actor, "rest", "My task is done. I wait for what comes next.");
}

/** Everything that comes to a teammate after its own task: the task that got free, mail, words of the person. */
export async function* serve(actor: Actor): Line<never> {
  for (;;) {
    const task = actor.tasks.shift();
    if (task === undefined) yield* acknowledge(actor);
    else if (task.subject.startsWith(SUBJECTS.receipt)) yield* writeReceipt(actor, task);
    else yield* leaveTask(actor, task);
  }
}

/** Agrees to stop, once the lead rests; whom the lead has asked must have got all its mail by then. */
export function agreeToStop(actor: Actor): (request: Mail) => Line<void> {
  return async function* (request) {
    const { stage, name } = actor;
    await stage.untilSettled(["team-lead"], actor.turn);
    if (stage.marked(`${name} was asked to stop`)) expectNothingMissing(actor);
    const { body } = request.content;
    const id = body === null ? undefined : (body["requestId"] ?? body["request_id"]);
    expectThat(typeof id === "string", "a shutdown_request with its id", quote(request.text));
    const answer = call("SendMessage", { type: "shutdown_response", request_id: id, approve: true });
    const sent = resultObject(
      resultAt(yield* act(actor, "agree to stop", "My work is done: I agree to stop.", [answer]), 0),
    );
    expectThat(sent["success"] === true, "the answer to the request to be sent", quote(JSON.stringify(sent)));
  };
}

/** Fails where a message to this member was said to be sent and never came. */
export function expectNothingMissing(actor: Actor): void {
  const [lost] = actor.stage.letters.missing(actor.name);
  expectThat(
    lost === undefined,
    `a message from ${lost?.from} to ${lost?.to}: ${quote(lost?.text ?? "")}`,
    "none of it",
  );
}

/** Thanks those who wrote, or says that there is nothing to do. */
export async function* acknowledge(actor: Actor): Line<void> {
  const senders = [...new Set(takeMail(actor, () => true).map((mail) => mail.from))];
  const text =
    senders.length === 0
      ? "I have nothing to do right now."
      : `Thank you, ${senders.join(" and ")}: I have read it, and it fits.`;
  yield* rest(actor, "read the mail", text);
}

async function* leaveTask(actor: Actor, task: GivenTask): Line<void> {
  const text = `Task #${task.id} (${task.subject}) is not in my script, and a scripted model can do nothing else. I leave it as it is.${invite(actor, "Please set it to completed, or delete it.")}`;
  yield* rest(actor, "leave a strange task", text);
}

/** The third task, by whoever has claimed it: the receipt's new line, the change log, the whole suite. */
async function* writeReceipt(actor: Actor, task: GivenTask): Line<void> {
  const { stage } = actor;
  stage.mark("the last task is taken");
  if (!task.started) yield* updateTask(actor, "take the last task", "I take it.", task.id, { status: "in_progress" });
  const { receipt, changes } = yield* readBeforeReceipt(actor, task);
  const [importing, line, log] = SAMPLE_EDITS.receipt;
  const edits = [
    [importing, receipt, "The receipt needs the savings of the offers."],
    [line, receipt, "Now it says what was saved, below the total, and nothing where nothing was saved."],
    [log, changes, "The change log should mention all three changes."],
  ] as const;
  // one that had the task before, and is gone, may have made some of them
  for (const [edit, before, text] of edits) if (!isMade(edit, before)) yield* makeEdit(actor, edit, text);
  yield* runTests(
    actor,
    "All three changes are in. I run the whole suite.",
    "test/receipt.test.js",
    Object.values(SAMPLE_TESTS).flat(),
  );
  await stage.untilSettled(["nora", "theo"].filter((name) => name !== actor.name).concat("team-lead"), actor.turn);
  yield* updateTask(actor, "complete the last task", "The whole suite passes.", task.id, { status: "completed" });
  await stage.until(["the lead knows that all is completed"], actor.turn);
  const text = `Task #${task.id} is done: src/receipt.js tells the saving, CHANGELOG.md has all three changes, and the whole suite passes.`;
  yield* write(actor, "report the last task", "I report to the lead.", [
    { to: "team-lead", text, summary: `Task #${task.id} is done` },
  ]);
  await stage.untilHeard("team-lead", actor.turn);
  yield* rest(actor, "rest", "The last task is done.");
}

/** Looks at the task list, which must say that the task is this member's, and at the files; gives those that it changes. */
async function* readBeforeReceipt(actor: Actor, task: GivenTask): Line<{ receipt: string; changes: string }> {
  const read = (path: string) => call("Read", { file_path: projectFile(actor, path) });
  const text = `What blocked task #${task.id} is done, so it is mine now. I read what the others have changed.`;
  const calls = [call("TaskList"), read("src/receipt.js"), read("src/offers.js"), read("CHANGELOG.md")];
  const results = yield* act(actor, "read before the last task", text, calls);
  const line = new RegExp(`#${task.id} \\[in_progress\\] [^\\n]*\\(${actor.name}\\)`);
  checkResult(resultAt(results, 0), line);
  checkResult(resultAt(results, 1), "table(rows)");
  checkResult(resultAt(results, 2), SAMPLE_EDITS.offers[0].to);
  checkResult(resultAt(results, 3), "Unreleased");
  return { receipt: resultAt(results, 1).text, changes: resultAt(results, 3).text };
}
