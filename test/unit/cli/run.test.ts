import { describe, expect, test } from "vitest";
import { MusterError } from "../../../src/base/errors.ts";
import type { CliContext } from "../../../src/cli/context.ts";
import { humanOutput } from "../../../src/cli/run/output.ts";
import { type RunEnd, toldEnd } from "../../../src/cli/run/toldEnd.ts";
import { LEAD_NAME } from "../../../src/protocol/names.ts";
import { ZERO_USAGE } from "../../../src/protocol/transcript.ts";
import type { SessionSummary } from "../../../src/team/types.ts";

const summary = (more: Partial<SessionSummary> = {}): SessionSummary => ({
  result: "completed",
  reason: null,
  text: "Done.",
  tasks: { pending: 0, in_progress: 0, completed: 3, blocked: 0 },
  usage: ZERO_USAGE,
  history: null,
  ...more,
});
const atRest: RunEnd = { kind: "rest", rest: { kind: "at_rest" } };

describe("the end of a run", () => {
  test.each([
    [atRest, summary(), "completed", 0, undefined],
    [atRest, summary({ result: "incomplete", reason: "Open tasks: #1 x" }), "incomplete", 1, "Open tasks: #1 x"],
    [atRest, summary({ result: "failed", reason: "bob failed: x" }), "failed", 1, "bob failed: x"],
    [{ kind: "ended", cause: "SIGTERM" }, summary({ result: "interrupted" }), "interrupted", 130, "Ended by SIGTERM."],
    [{ kind: "unheard", fault: null }, summary(), "interrupted", 130, "Ended: nobody reads the output any more."],
    [{ kind: "given_up", reason: "No plan." }, summary(), "failed", 1, "No plan."],
  ] satisfies [RunEnd, SessionSummary, string, number, string | undefined][])(
    "%j",
    (end, given, result, exit, reason) => {
      const told = toldEnd(end, given);
      expect(told.event).toMatchObject({ type: "run_finished", result, exit, text: "Done." });
      expect([told.event.reason, told.sentence ?? undefined]).toEqual([reason, reason]);
    },
  );

  test.each([
    ["no_key", 3],
    ["api_unreachable", 3],
    ["api_refused", 3],
    ["disk_full", 4],
    [null, 1],
  ] as const)("a lead that failed with %s exits %i", (reason, exit) => {
    const end: RunEnd = { kind: "rest", rest: { kind: "failed", reason, message: "It went wrong." } };
    const { event, sentence } = toldEnd(end, summary({ result: "failed" }));
    expect(event).toMatchObject({ result: "failed", exit });
    expect(sentence).toBe("It went wrong.");
    expect(event.reason).toBe(reason === null ? "It went wrong." : `${reason}: It went wrong.`);
  });
});

test("an output that could not be written is the reason of the end, and told by whoever ran it", () => {
  const { event, sentence } = toldEnd(
    { kind: "unheard", fault: new MusterError("disk_full", "It is full.") },
    summary(),
  );
  expect(event).toMatchObject({ result: "failed", reason: "disk_full: It is full.", exit: 4 });
  expect(sentence).toBeNull();
});

/** The output of a run on a terminal, and what was written there. */
function onTerminal(columns: number) {
  const written: string[] = [];
  const terminal = { isTerminal: true, columns, colors: false, write: (text: string) => void written.push(text) };
  const io = { stdout: terminal, stderr: terminal } as unknown as CliContext["io"];
  const look = (displayName: string) => ({ displayName, color: null });
  return { written, output: humanOutput({ io } as CliContext, "/project", look, false) };
}

test("a command stands whole in a row of its own below its sentence, also where it is wider than the terminal", () => {
  const { written, output } = onTerminal(40);
  const command = `tmux -L muster attach -t muster-${"n".repeat(40)}`;
  output.note("Teammates are in tmux, where this shows them:", command);
  expect(written.join("")).toBe(`muster: Teammates are in tmux, where\n  this shows them:\n  ${command}\n`);
});

test("a terminal that has shown the lead's last text does not get it twice, whoever spoke after it", () => {
  const { written, output } = onTerminal(80);
  output.event({ type: "text", member: LEAD_NAME, text: "All is done." });
  output.event({ type: "text", member: "alice", text: "I stop." });
  output.finished(toldEnd(atRest, summary({ text: "All is done." })));
  expect(written.join("").match(/All is done/g)).toHaveLength(1);
});
