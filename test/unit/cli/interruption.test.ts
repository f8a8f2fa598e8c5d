import { expect, it } from "vitest";
import { Emitter } from "../../../src/base/emitter.ts";
import { createInterruption } from "../../../src/cli/teammate/interruption.ts";
import type { MemberState } from "../../../src/protocol/team.ts";
import type { MemberProcess } from "../../../src/team/process/memberProcess.ts";

const AGAIN = "Press Esc or Ctrl-C again within 3 s to end this teammate.";

/** A teammate of this state, what was done with it and said of it, and a clock. */
function pressing(state: MemberState) {
  const changed = new Emitter<void>();
  const done: string[] = [];
  let [now, is] = [1_000, state];
  const member = {
    get view() {
      return { state: is } as MemberProcess["view"];
    },
    onDidChange: changed.event,
    interrupt: () => void done.push("interrupted"),
    endForGood: () => void done.push("ended"),
  };
  const interruption = createInterruption(member, (sentence) => done.push(sentence), { now: () => now });
  return {
    done,
    press: (...after: number[]) => {
      for (const ms of after) {
        now += ms;
        interruption.press();
      }
    },
    becomes(next: MemberState) {
      is = next;
      changed.fire();
    },
  };
}

it("one press at rest says what a second one does, and only that one ends the teammate", () => {
  const { done, press } = pressing("idle");
  press(0);
  expect(done).toEqual([AGAIN]);
  press(3_000);
  expect(done).toEqual([AGAIN, "ended"]);
});

it("a second press that comes late is a first one again", () => {
  const { done, press } = pressing("failed");
  press(0, 3_001);
  expect(done).toEqual([AGAIN, AGAIN]);
  press(2_999);
  expect(done).toEqual([AGAIN, AGAIN, "ended"]);
});

it("a press ends the run that goes on; a second one soon ends the teammate, whether the run heeds it or not", () => {
  for (const heeds of [true, false]) {
    const { done, press, becomes } = pressing("working");
    press(0);
    expect(done).toEqual(["interrupted", AGAIN]);
    if (heeds) becomes("idle");
    press(100);
    expect(done).toEqual(["interrupted", AGAIN, "ended"]);
  }
});

it("long after it has interrupted a run, a press is a first one again, whether the run heeded it or not", () => {
  for (const heeds of [true, false]) {
    const { done, press, becomes } = pressing("working");
    press(0);
    if (heeds) becomes("idle");
    press(3_001);
    expect(done).toEqual(["interrupted", AGAIN, AGAIN]);
  }
});

it("a run that began after the first press is interrupted by the second, and does not end the teammate", () => {
  const { done, press, becomes } = pressing("idle");
  press(0);
  becomes("working");
  press(500);
  expect(done).toEqual([AGAIN, "interrupted", AGAIN]);
});
