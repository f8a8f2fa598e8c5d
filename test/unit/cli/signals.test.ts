import { expect, onTestFinished, test } from "vitest";
import type { CliIo } from "../../../src/cli/cliIo.ts";
import { listenToSignals } from "../../../src/cli/run/signals.ts";

function signals() {
  const done: string[] = [];
  let now = 0;
  const io = { onOutputClosed: () => ({ dispose() {} }) } as Pick<CliIo, "onOutputClosed"> as CliIo;
  const listening = listenToSignals(
    io,
    {
      interruptLead: () => done.push("interrupt"),
      end: (cause) => done.push(`end ${cause}`),
      outputClosed() {},
    },
    { now: () => now },
  );
  onTestFinished(() => listening.dispose());
  const pressAt = (ms: number) => {
    now = ms;
    listening.interrupt();
  };
  return { done, pressAt };
}

test("a second Ctrl-C within 3 s ends the run, and more of them change nothing", () => {
  const { done, pressAt } = signals();
  for (const at of [0, 3_000, 3_100, 9_000]) pressAt(at);
  expect(done).toEqual(["interrupt", "end Ctrl-C"]);
});

test("a later one counts as a first one", () => {
  const { done, pressAt } = signals();
  for (const at of [0, 3_001, 20_000, 21_000]) pressAt(at);
  expect(done).toEqual(["interrupt", "interrupt", "interrupt", "end Ctrl-C"]);
});
