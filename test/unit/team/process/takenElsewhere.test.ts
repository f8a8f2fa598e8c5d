import { expect, it } from "vitest";
import type { Clock } from "../../../../src/base/clock.ts";
import type { Presence } from "../../../../src/protocol/team.ts";
import type { MemberProcessOptions } from "../../../../src/team/process/memberProcess.ts";
import { takeMember } from "../../../../src/team/process/takeMember.ts";
import { untilEarlierIsGone } from "../../../../src/team/resume/earlierProcess.ts";
import { createDemo, openTempStore, type TempStore } from "../../../support/tempStore.ts";

const NOW = 1_000_000;

/** Alice runs on a host whose processes cannot be seen from here, and was heard of `age` ms ago. */
async function aliceElsewhere(temp: TempStore, age: number) {
  const [alice] = await createDemo(temp.store, "alice");
  if (!alice) throw new Error("There is no alice.");
  const presence: Presence = {
    ...{ incarnation: alice.muster?.incarnation ?? "", state: "idle", since: NOW - age, beat: NOW - age },
    ...{ pid: 1, host: "elsewhere", startTime: null, nonce: "theirs" },
  };
  await temp.store.presence.write("demo", "alice", presence);
  return { alice, presence };
}

/** Time moves on by what is slept; `asleep` is called with it. */
function clockFrom(start: number, asleep: (now: number) => void = () => {}): Clock {
  let now = start;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      asleep(now);
    },
  };
}

const options = ({ store }: TempStore) =>
  ({ store, team: "demo", clock: clockFrom(NOW), parentSession: null }) as MemberProcessOptions;

it("a member that runs on another host is not started here, and stays as it is", async () => {
  await using temp = await openTempStore();
  const { alice, presence } = await aliceElsewhere(temp, 0);
  await expect(takeMember(options(temp), alice)).rejects.toThrow("alice still runs in process 1: end that one first.");
  expect(await temp.store.presence.read("demo", "alice")).toMatchObject(presence);
});

it("a member that was not heard of on another host for 20 s is started here", async () => {
  await using temp = await openTempStore();
  const { alice } = await aliceElsewhere(temp, 20_000);
  const { nonce } = await takeMember(options(temp), alice);
  expect(await temp.store.presence.read("demo", "alice")).toMatchObject({ nonce, ...temp.store.process });
});

it.each([
  { does: "is heard of again and again", beats: true },
  { does: "falls silent", beats: false },
])("a process of another host that $does is waited for by its beats", async ({ beats }) => {
  await using temp = await openTempStore();
  const { presence } = await aliceElsewhere(temp, 0);
  let last = presence;
  const clock = clockFrom(NOW, (beat) => {
    if (beats) last = { ...presence, beat };
  });
  const waiting = untilEarlierIsGone(
    { store: temp.store, clock },
    "alice",
    async () => last,
    35_000,
    new AbortController().signal,
  );
  if (beats) await expect(waiting).rejects.toThrow("alice still runs in process 1");
  else await waiting;
  expect(clock.now() - NOW).toBeGreaterThanOrEqual(beats ? 35_000 : 20_000);
  expect(clock.now() - NOW).toBeLessThan(beats ? 36_000 : 21_000);
});
