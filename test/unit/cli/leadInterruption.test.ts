import { expect, test } from "vitest";
import { Emitter } from "../../../src/base/emitter.ts";
import { leadInterruption } from "../../../src/cli/run/leadInterruption.ts";
import type { TeamEvent } from "../../../src/protocol/events.ts";
import type { MemberState } from "../../../src/protocol/team.ts";

function lead() {
  const events = new Emitter<TeamEvent>();
  const said: string[] = [];
  const interrupted: string[] = [];
  const interruption = leadInterruption(
    { events: events.event, interrupt: async (member) => void interrupted.push(member) },
    (sentence) => said.push(sentence),
  );
  const becomes = (state: MemberState, member = "team-lead") => events.fire({ type: "member_state", member, state });
  return { interruption, becomes, said, interrupted };
}

test("Ctrl-C interrupts a lead that works or waits, and says so", () => {
  for (const state of ["working", "waiting"] as const) {
    const { interruption, becomes, said, interrupted } = lead();
    becomes(state);
    interruption.interrupt();
    expect([interrupted, said]).toEqual([
      ["team-lead"],
      ["The lead is interrupted. Ctrl-C again within 3 s ends the team."],
    ]);
    expect(interruption.stands()).toBe(true);
  }
});

test("where the lead is at rest nothing is said to be interrupted", () => {
  const { interruption, becomes, said, interrupted } = lead();
  becomes("working");
  becomes("idle");
  becomes("working", "bob");
  interruption.interrupt();
  expect([interrupted, said]).toEqual([[], ["Ctrl-C again within 3 s ends the team."]]);
  expect(interruption.stands()).toBe(false);
});

test("the run counts as interrupted until the lead works again", () => {
  const { interruption, becomes } = lead();
  becomes("working");
  interruption.interrupt();
  becomes("waiting"); // the same run
  becomes("idle");
  expect(interruption.stands()).toBe(true);
  becomes("working");
  expect(interruption.stands()).toBe(false);
});
