import { expect, it } from "vitest";
import { MusterError } from "../../../../src/base/errors.ts";
import type { Presence } from "../../../../src/protocol/team.ts";
import { leaveReason, reasonLeft } from "../../../../src/team/process/reasonLeft.ts";
import { memberOptions, spawnAlice } from "../../../support/memberProcess.ts";
import { createDemo, openTempStore } from "../../../support/tempStore.ts";

const KEPT = {
  mode: "plan",
  fixed: true,
  planFile: "/plans/one.md",
  modeBeforePlan: "acceptEdits",
  tokens: 7,
} as const;

/** A process of alice that does not come; `earlier`: what an earlier one showed. `leave` says why it does not. */
async function uncome() {
  const temp = await openTempStore();
  const [alice] = await createDemo(temp.store, "alice");
  const { spawned } = await spawnAlice(temp.store);
  if (!spawned) throw new Error("Nobody starts alice.");
  const earlier: Presence = {
    ...{ incarnation: alice?.muster?.incarnation ?? "", state: "working", since: 1, beat: 1 },
    ...{ pid: 2 ** 22 + 1, host: "here", startTime: "1", ...KEPT },
  };
  await temp.store.presence.write("demo", "alice", earlier);
  const { clock } = memberOptions(temp.store, temp.root);
  const leave = () =>
    leaveReason(
      { store: temp.store, clock },
      { team: "demo", name: "alice" },
      spawned,
      new MusterError("not_ready", "There is no room."),
    );
  return { temp, spawned, earlier, leave, shown: () => temp.store.presence.read("demo", "alice") };
}

it("what keeps a process from coming stands beside its nonce, and its next one goes on from what was there", async () => {
  const { temp, earlier, leave, shown } = await uncome();
  await using _ = temp;
  await leave();
  expect(reasonLeft(await shown(), "n")).toBe("There is no room.");
  expect(await shown()).toMatchObject({ ...KEPT, incarnation: earlier.incarnation, state: "dead", nonce: "n" });
});

it.each(["another one leads", "nobody leads"])("nothing is said where its lead does not wait: %s", async (which) => {
  const { temp, spawned, earlier, leave, shown } = await uncome();
  await using _ = temp;
  await temp.store.leads.release("demo", spawned.lead.session);
  if (which === "another one leads") await temp.store.leads.acquire("demo", "another session");
  await leave();
  expect(await shown()).toEqual(earlier);
});
