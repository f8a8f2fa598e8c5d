import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import type { Member } from "../../../../src/protocol/team.ts";
import { DEFAULT_SETTINGS } from "../../../../src/team/defaultSettings.ts";
import { readMemberPast } from "../../../../src/team/resume/past.ts";
import { hasAgreedToStop, memberOf } from "../../../../src/team/resume/resumedMember.ts";
import type { SessionOptions } from "../../../../src/team/types.ts";
import { createDemo, openTempStore, type TempStore } from "../../../support/tempStore.ts";

const asks = (requestId: string) => JSON.stringify({ type: "shutdown_request", requestId, from: "team-lead" });

async function withAlice(temp: TempStore): Promise<Member> {
  const [alice] = await createDemo(temp.store, "alice");
  if (!alice) throw new Error("There is no alice.");
  return alice;
}

/** Requests that alice has read: one of her lead's host, and one that anybody may have written in its name. */
async function readRequests({ store }: TempStore): Promise<void> {
  await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: asks("own"), authority: true });
  await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: asks("unproven") });
  const { entries } = await store.inboxes.read("demo", "alice");
  const ids = entries.flatMap(({ msg_id }) => msg_id ?? []);
  await store.inboxes.markRead("demo", "alice", ids);
}

describe("what a member's own process knows of requests to shut down that were read before it began", () => {
  it("is what its lead says, where one started it, without those that it has answered", async () => {
    await using temp = await openTempStore();
    const alice = await withAlice(temp);
    await readRequests(temp);
    const text = JSON.stringify({ type: "shutdown_rejected", requestId: "old", from: "alice", reason: "No." });
    await temp.store.inboxes.send("demo", { from: "alice", to: ["team-lead"], text });
    const { past } = await readMemberPast(temp.store, "demo", alice, ["old", "own"]);
    expect(past.shutdownRequests).toEqual(["own"]);
    const unasked = await readMemberPast(temp.store, "demo", alice, []);
    expect(unasked.past.shutdownRequests).toEqual([]);
  });

  it("is what the lead's host wrote to it, where a person starts it by hand", async () => {
    await using temp = await openTempStore();
    const alice = await withAlice(temp);
    await readRequests(temp);
    const { past } = await readMemberPast(temp.store, "demo", alice, null);
    expect(past.shutdownRequests).toEqual(["own"]);
    const next = { ...alice, muster: { incarnation: "next" } };
    expect((await readMemberPast(temp.store, "demo", next, null)).past.shutdownRequests).toEqual([]);
  });

  it("is what its inbox says in the lead's name since it joined, under a lead of another program", async () => {
    await using temp = await openTempStore();
    const { muster: _, ...foreign } = await withAlice(temp);
    await readRequests(temp);
    await temp.store.inboxes.send("demo", { from: "alice", to: ["alice"], text: asks("peer") });
    const asked = async (joinedAt: number) =>
      (await readMemberPast(temp.store, "demo", { ...foreign, joinedAt }, null)).past.shutdownRequests;
    expect(await asked(0)).toEqual(["own", "unproven"]);
    expect(await asked(Date.now() + 60_000)).toEqual([]);
  });
});

it("a run that failed, whatever the API said, is no agreement to stop", () => {
  const end = { kind: "run_end", at: "2026-11-27T20:00:00.000Z", reason: "shutdown" } as const;
  expect(hasAgreedToStop({ transcript: [{ ...end, outcome: "failed" }] })).toBe(false);
  expect(hasAgreedToStop({ transcript: [{ ...end, outcome: "ended" }] })).toBe(true);
});

it.each([
  { leadMode: "plan", planModeRequired: false, mode: "plan" },
  { leadMode: "bypassPermissions", planModeRequired: false, mode: "default" },
  { leadMode: "default", planModeRequired: true, mode: "plan" },
] as const)("a member of which no presence tells its mode goes on in $mode (lead: $leadMode)", async (given) => {
  await using temp = await openTempStore();
  const [entry] = await createDemo(temp.store, "alice");
  if (!entry) throw new Error("There is no alice.");
  const { past } = await readMemberPast(
    temp.store,
    "demo",
    { ...entry, planModeRequired: given.planModeRequired },
    null,
  );
  const options = { settings: DEFAULT_SETTINGS, clock: systemClock } as unknown as SessionOptions;
  expect(memberOf(options, past, given.leadMode).permission).toEqual({
    mode: given.mode,
    fixed: given.mode === "plan",
  });
});
