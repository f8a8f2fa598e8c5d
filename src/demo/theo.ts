import { act, createActor, projectFile, resultAt, takeMail } from "./actor.ts";
import { checkResult, expectText } from "./expectations.ts";
import { makeEdit, runTests } from "./permissionLine.ts";
import { SAMPLE_EDITS, SAMPLE_TESTS } from "./sampleProject.ts";
import { call, type MemberScript } from "./script.ts";
import type { Stage } from "./stage.ts";
import { agreeToStop, completeOwnTask, serve, TESTS_WERE_RUN } from "./teammateLine.ts";

/** The teammate that mends the table: it edits at once, and needs a permission to run the tests. */
export function theoScript(stage: Stage): MemberScript {
  return async function* (first) {
    const theo = createActor("theo", stage, first);
    theo.stop = agreeToStop(theo);
    const id = /task #(\d+)/i.exec(expectText(first, /task #\d+/i))?.[1] ?? "";
    takeMail(theo, (mail) => mail.from === "team-lead" && mail.content.kind === "message");
    const read = (path: string) => call("Read", { file_path: projectFile(theo, path) });
    const results = yield* act(theo, "look at the table", "I take my task and read the table and its tests.", [
      call("TaskUpdate", { taskId: id, status: "in_progress" }),
      read("src/table.js"),
      read("test/table.test.js"),
    ]);
    checkResult(resultAt(results, 0), `Updated task #${id}`);
    checkResult(resultAt(results, 1), SAMPLE_EDITS.table[0].from);
    checkResult(resultAt(results, 2), "columnWidths");
    yield* makeEdit(
      theo,
      SAMPLE_EDITS.table[0],
      "The widths are taken from the first row alone. I take them from all rows.",
    );
    yield* runTests(theo, "I want to see that the table's tests pass now.", "test/table.test.js", SAMPLE_TESTS.table);
    stage.mark(TESTS_WERE_RUN);
    yield* completeOwnTask(theo, {
      id,
      peer: "nora",
      letsPeerBeFirst: 0,
      done: "Both tests of the table pass. What still fails in the suite belongs to the other tasks.",
      toPeer: "The table is right now: every column is as wide as its longest cell, and prices line up at the right.",
      toLead: "src/table.js looks at every row for its widths. I ran `npm test`: both tests of the table pass.",
    });
    yield* serve(theo);
  };
}
