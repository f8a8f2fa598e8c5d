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
      endsAlready: () => done.push("ends already"),
      outputClosed() {},
    },
    { now: () => now },
  );
  onTestFinished(() => listening.dispose());
  const pressAt = (ms: number) => {
    now = ms;
    listening.interrupt();
  };
  return { done, pressAt, ends: listening.ends };
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

test("a run that ends by itself says so at the first Ctrl-C, and more of them change nothing", () => {
  const { done, pressAt, ends } = signals();
  pressAt(0);
  ends();
  for (const at of [100, 200, 9_000]) pressAt(at);
  expect(done).toEqual(["interrupt", "ends already"]);
});

test("a run that a second Ctrl-C ended says nothing more", () => {
  const { done, pressAt, ends } = signals();
  for (const at of [0, 100]) pressAt(at);
  ends();
  pressAt(200);
  expect(done).toEqual(["interrupt", "end Ctrl-C"]);
});
