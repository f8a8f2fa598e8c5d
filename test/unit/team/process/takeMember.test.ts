import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTimeOf } from "../../../../src/store/processIdentity.ts";
import { type MemberProcessOptions, startMemberProcess } from "../../../../src/team/process/memberProcess.ts";
import { takeMember } from "../../../../src/team/process/takeMember.ts";
import { memberOptions, spawnAlice } from "../../../support/memberProcess.ts";
import { createDemo, openTempStore, type TempStore } from "../../../support/tempStore.ts";

async function prepared(): Promise<{ temp: TempStore; options: MemberProcessOptions }> {
  const temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const spawned = await spawnAlice(temp.store);
  return { temp, options: { ...memberOptions(temp.store, temp.root), ...spawned } };
}

const presence = ({ store }: TempStore) => store.presence.read("demo", "alice");

describe("a process that a lead has started, when it comes to begin", () => {
  it("shows who it is before it does anything, and that it is ready only then", async () => {
    const { temp, options } = await prepared();
    await using _ = temp;
    const shown: (string | undefined)[] = [];
    const { replayOutbox } = temp.store.inboxes;
    const inboxes = Object.create(temp.store.inboxes) as typeof temp.store.inboxes;
    inboxes.replayOutbox = async (team, name) => {
      const now = await presence(temp);
      if (now?.pid === process.pid) shown.push(now.nonce);
      return await replayOutbox(team, name);
    };
    const member = await startMemberProcess({ ...options, store: { ...temp.store, inboxes } });
    await temp.store.presence.settled();
    expect(shown).toEqual([expect.any(String)]);
    expect(shown).not.toEqual(["n"]);
    expect(await presence(temp)).toMatchObject({ nonce: "n" });
    member.end();
    await member.ended;
  });

  it("does nothing where another one leads by then, who starts its members itself", async () => {
    const { temp, options } = await prepared();
    await using _ = temp;
    await temp.store.leads.release("demo", options.spawned?.lead.session ?? "");
    await temp.store.leads.acquire("demo", "another session");
    const started = startMemberProcess(options);
    await expect(started).rejects.toMatchObject({ reason: "not_ready" });
    await expect(started).rejects.toThrow("alice was not started: ");
    expect(await presence(temp)).toBeNull();
  });

  it("does nothing where nobody leads any more", async () => {
    const { temp, options } = await prepared();
    await using _ = temp;
    await temp.store.leads.release("demo", options.spawned?.lead.session ?? "");
    await expect(startMemberProcess(options)).rejects.toMatchObject({ reason: "not_ready" });
    expect(await presence(temp)).toBeNull();
  });

  it("does nothing where its lead has started another one since", async () => {
    const { temp, options } = await prepared();
    await using _ = temp;
    await temp.store.teams.updateMember("demo", "alice", { muster: { spawnNonce: "later" } });
    await expect(startMemberProcess(options)).rejects.toMatchObject({ reason: "not_ready" });
    expect(await presence(temp)).toBeNull();
  });

  it("does nothing where a process of its member lives", async () => {
    const { temp, options } = await prepared();
    await using _ = temp;
    const other = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void other.kill("SIGKILL"));
    const pid = other.pid ?? 0;
    const living = {
      ...{ state: "idle" as const, since: 1, beat: 1, incarnation: "a", nonce: "other" },
      ...{ ...temp.store.process, pid, startTime: await startTimeOf(pid) },
    };
    await temp.store.presence.write("demo", "alice", living);
    await expect(startMemberProcess(options)).rejects.toThrow(`alice still runs in process ${pid}`);
    expect(await presence(temp)).toEqual(living);
  });
});

it("what an earlier process of its member needed is kept at a start, and not how it ended", async () => {
  const { temp, options } = await prepared();
  await using _ = temp;
  const { members } = await temp.store.teams.read("demo");
  const incarnation = members.find(({ name }) => name === "alice")?.muster?.incarnation ?? "";
  const kept = {
    mode: "plan" as const,
    fixed: false,
    planFile: "/plans/one.md",
    modeBeforePlan: "acceptEdits" as const,
  };
  const ended = {
    state: "idle" as const,
    since: 1,
    beat: 1,
    reason: "interrupted",
    tokens: 7,
    ended: true,
    nonce: "before",
  };
  const earlier = { ...ended, ...kept, incarnation, ...temp.store.process, startTime: "1" };
  await temp.store.presence.write("demo", "alice", earlier);
  const entry = members.find(({ name }) => name === "alice");
  if (!entry) throw new Error("There is no alice.");
  await takeMember(options, entry);
  const { since, beat, nonce, ...shown } = (await presence(temp)) ?? earlier;
  expect(shown).toEqual({ state: "starting", tokens: 7, incarnation, ...kept, ...temp.store.process });
  expect([since, beat]).toEqual([expect.any(Number), since]);
  expect([since, nonce]).not.toEqual([1, "before"]);
});
