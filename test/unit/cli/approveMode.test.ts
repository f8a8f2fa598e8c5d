import { expect, test } from "vitest";
import { approveMode } from "../../../src/cli/commands/run.ts";
import type { CliContext } from "../../../src/cli/context.ts";
import type { ApproveMode } from "../../../src/cli/run/approver.ts";

/** How a run decides whose standard input and error are terminals or not, and what it notes of that. */
function chosen(stdinIsTerminal: boolean, stderrIsTerminal: boolean, given?: ApproveMode) {
  const notes: string[] = [];
  const io = { stdinIsTerminal, stderr: { isTerminal: stderrIsTerminal } };
  const context = { io, notes: { add: (note: string) => void notes.push(note) } } as unknown as CliContext;
  return [approveMode(given, context), ...notes];
}

test("whoever sits at a terminal hears that nobody is asked, and why", () => {
  expect(chosen(true, true)).toEqual(["ask"]);
  expect(chosen(true, false)).toEqual(["none", "Nobody is asked (--approve none): standard error is no terminal."]);
  expect(chosen(false, true)).toEqual(["none", "Nobody is asked (--approve none): standard input is no terminal."]);
  expect(chosen(false, false)).toEqual(["none"]);
  for (const given of ["none", "all", "stdin"] as const) expect(chosen(true, false, given)).toEqual([given]);
});
