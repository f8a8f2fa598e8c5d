import { act, createActor, projectFile, resultAt, takeMail } from "./actor.ts";
import { checkResult, expectText } from "./expectations.ts";
import { isStuck, makeEdit } from "./permissionLine.ts";
import { planUntilApproved } from "./planLine.ts";
import { SAMPLE_EDITS } from "./sampleProject.ts";
import { call, type MemberScript } from "./script.ts";
import type { Stage } from "./stage.ts";
import { agreeToStop, completeOwnTask, hasLeft, serve, TESTS_WERE_RUN } from "./teammateLine.ts";

/**
 * The teammate that mends the offers: it plans first. For `letsTheoTest` ms it lets theo run the tests before it edits,
 * so that their output does not depend on who is faster; where theo has done so, theo is also the first to be done.
 * Where theo is not allowed to, it goes on at once.
 */
export function noraScript(stage: Stage, letsTheoTest: number): MemberScript {
  return async function* (first) {
    const nora = createActor("nora", stage, first);
    nora.stop = agreeToStop(nora);
    const id = /task #(\d+)/i.exec(expectText(first, /task #\d+/i))?.[1] ?? "";
    takeMail(nora, (mail) => mail.from === "team-lead" && mail.content.kind === "message");
    const read = (path: string) => call("Read", { file_path: projectFile(nora, path) });
    const results = yield* act(nora, "look at the offers", "I take my task and read the offers and their tests.", [
      call("TaskUpdate", { taskId: id, status: "in_progress" }),
      read("src/offers.js"),
      read("test/offers.test.js"),
    ]);
    checkResult(resultAt(results, 0), `Updated task #${id}`);
    checkResult(resultAt(results, 1), SAMPLE_EDITS.offers[0].from);
    checkResult(resultAt(results, 2), "freePieces");
    yield* planUntilApproved(nora, planText);
    await stage.until([TESTS_WERE_RUN, isStuck("theo"), hasLeft("theo")], nora.turn, letsTheoTest);
    const tested = stage.marked(TESTS_WERE_RUN);
    yield* makeEdit(nora, SAMPLE_EDITS.offers[0], "The plan is approved. I make the change.");
    yield* completeOwnTask(nora, {
      id,
      peer: "theo",
      letsPeerBeFirst: tested ? letsTheoTest : 0,
      done: "1, 2, 3, 5 and 6 pieces now give 0, 0, 1, 1 and 2 free ones. That is what the tests ask for.",
      toPeer:
        "The offers are right now: one of every full three is free. `saving(line)` in src/offers.js gives what a line saves, in cents.",
      toLead:
        "src/offers.js gives one of every full three for free. I checked the numbers of its tests by hand; theo runs the suite.",
    });
    yield* serve(nora);
  };
}

/** The plan, with the person's comments and what became of them on top. */
function planText(comments: readonly string[]): string {
  const answers = comments.flatMap((comment, index) => [
    ...comment.split("\n").map((line) => `> ${line}`),
    "",
    `Worked in: step ${index + 3} below is new.`,
    "",
  ]);
  const added = comments.map(
    (comment, index) => `${index + 3}. Before I call it done, I check the change against this: ${oneLine(comment)}`,
  );
  return [
    "# Plan: one free piece of every full three",
    "",
    ...(comments.length === 0 ? [] : [`## Version ${comments.length + 1}, after your comments`, "", ...answers]),
    "## What is wrong",
    "",
    "`freePieces` in `src/offers.js` rounds to the nearest number: two rolls already give one for free.",
    "",
    "## What I change",
    "",
    "1. `src/offers.js`: `Math.round(count / 3)` becomes `Math.floor(count / 3)`.",
    "2. Nothing else: `linePrice` and `saving` follow from it.",
    ...added,
    "",
    "## How it is checked",
    "",
    "- 1, 2, 3, 5 and 6 pieces give 0, 0, 1, 1 and 2 free ones.",
    "- `test/offers.test.js` passes.",
    "",
    "## What could go wrong",
    "",
    "Somebody may have counted on the wrong price for two pieces. The change log will say it.",
    "",
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
