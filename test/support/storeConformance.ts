import { describe, expect, test } from "vitest";
import { isoTime } from "../../src/base/clock.ts";
import { messageId } from "../../src/protocol/message.ts";
import { openBlockers } from "../../src/protocol/taskGraph.ts";
import type { TranscriptRecord } from "../../src/protocol/transcript.ts";
import { isFor } from "../../src/store/messageSender.ts";
import type { Store } from "../../src/store/store.ts";
import type { TeamChange } from "../../src/store/watcher.ts";
import { eventually } from "./eventually.ts";
import { addMember, createDemo, LEAD_SESSION } from "./tempStore.ts";

/** An engine's data for one test: two handles on it, as two processes have them. */
export interface StorePair extends AsyncDisposable {
  store: Store;
  other: Store;
}

const person = { by: "user", isAgent: false };
const agent = (by: string) => ({ by, isAgent: true });
const everyTool = () => true;
const session = (sessionId: string): TranscriptRecord => ({ kind: "session", at: "x", sessionId, agent: "alice" });
const texts = (entries: readonly { text: string }[]) => entries.map(({ text }) => text);
const refusal = (reason: string) => expect.objectContaining({ reason });

/**
 * What `team` relies on, whatever keeps the teams: runs the tests against an engine. They look at nothing but what the
 * interface gives, and change through one handle what they read through the other.
 */
export function describeStore(engine: string, open: () => Promise<StorePair>): void {
  describe(`a store of ${engine}`, () => {
    describeTeams(open);
    describeMail(open);
    describeTasks(open);
    describeRecords(open);
    describeWatch(open);
  });
}

function describeTeams(open: () => Promise<StorePair>): void {
  test("keeps teams: made once, found by name, refused by any other", async () => {
    await using pair = await open();
    await createDemo(pair.store, "alice");
    expect(await pair.other.teams.list()).toMatchObject([{ name: "demo", ours: true, members: 2, fault: null }]);
    expect(await pair.other.teams.resolve("demo")).toBe("demo");
    await expect(createDemo(pair.other)).rejects.toEqual(refusal("team_exists"));
    await expect(pair.other.teams.read("none")).rejects.toEqual(refusal("unknown_team"));
    await expect(pair.other.snapshots.read("none")).rejects.toEqual(refusal("unknown_team"));
  });

  test("keeps members: unique names, none lost when many join at once, no write of one that left", async () => {
    await using pair = await open();
    const [alice] = await createDemo(pair.store, "alice");
    const joins = Array.from({ length: 8 }, (_, index) =>
      addMember(index % 2 ? pair.store : pair.other, "demo", "bob"),
    );
    const names = (await Promise.all(joins)).map(({ name }) => name);
    expect(new Set(names).size).toBe(8);
    const { members } = await pair.other.teams.read("demo");
    expect(members.map(({ name }) => name).sort()).toEqual(["alice", "team-lead", ...names].sort());
    const earlier = alice?.muster?.incarnation;
    expect(await pair.other.teams.removeMember("demo", "alice", earlier)).toMatchObject({ name: "alice" });
    const late = pair.store.teams.updateMember("demo", "alice", { isActive: true }, earlier);
    await expect(late).rejects.toEqual(refusal("unknown_member"));
    await addMember(pair.store, "demo", "alice");
    expect(await pair.other.teams.removeMember("demo", "alice", earlier)).toBeNull();
  });

  test("lets only the session that leads add members, and a new one take over", async () => {
    await using pair = await open();
    await createDemo(pair.store);
    await pair.other.teams.rebindLead("demo", "another");
    await expect(addMember(pair.store, "demo", "alice")).rejects.toEqual(refusal("lead_elsewhere"));
    await pair.other.teams.rebindLead("demo", LEAD_SESSION);
    await addMember(pair.store, "demo", "alice");
    await pair.store.leads.acquire("demo", LEAD_SESSION);
    expect(await pair.other.leads.read("demo")).toMatchObject({ sessionId: LEAD_SESSION });
    await pair.store.leads.release("demo", LEAD_SESSION);
    expect(await pair.other.leads.read("demo")).toBeNull();
  });

  test("keeps what an ended team leaves, and lets its name be used again", async () => {
    await using pair = await open();
    await createDemo(pair.store, "alice");
    await pair.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "before the end" });
    await pair.store.tasks.create("demo", { subject: "one" });
    const folder = await pair.store.teams.delete("demo", { keepHistory: true, now: 1_000 });
    await expect(pair.other.teams.read("demo")).rejects.toEqual(refusal("unknown_team"));
    expect((await pair.other.history.list()).map((team) => team.folder)).toEqual([folder]);
    expect(texts((await pair.other.history.inbox(folder ?? "", "alice")).entries)).toEqual(["before the end"]);
    expect((await pair.other.snapshots.readFinished(folder ?? "")).graph.tasks.size).toBe(1);
    await createDemo(pair.other, "alice");
    expect((await pair.store.inboxes.readAll("demo", "alice")).entries).toEqual([]);
    expect((await pair.store.tasks.list("demo")).tasks.size).toBe(0);
  });
}

function describeMail(open: () => Promise<StorePair>): void {
  test("delivers every message once, in its sender's order, or says that it did not", async () => {
    await using pair = await open();
    await createDemo(pair.store, "alice", "bob");
    const sends = async (store: Store, from: string) => {
      for (let index = 0; index < 10; index += 1)
        await store.inboxes.send("demo", { from, to: ["bob"], text: `${from} ${index}` });
    };
    await Promise.all([sends(pair.store, "alice"), sends(pair.other, "team-lead")]);
    const all = texts((await pair.store.inboxes.read("demo", "bob")).entries);
    expect(all).toHaveLength(20);
    for (const from of ["alice", "team-lead"])
      expect(all.filter((text) => text.startsWith(from))).toEqual(
        Array.from({ length: 10 }, (_, index) => `${from} ${index}`),
      );
    const draft = { from: "alice", to: ["bob"], text: "once", msgId: "7f9c2f5e-0000-4000-8000-000000000001" };
    await pair.store.inboxes.send("demo", draft);
    await pair.store.inboxes.send("demo", { ...draft, mustArrive: true });
    await pair.store.inboxes.settled();
    expect((await pair.other.inboxes.read("demo", "bob")).entries).toHaveLength(21);
    const lost = pair.store.inboxes.send("demo", { from: "alice", to: ["bob", "carol"], text: "x" });
    await expect(lost).rejects.toEqual(refusal("unknown_member"));
    expect((await pair.other.inboxes.read("demo", "bob")).entries).toHaveLength(21);
    expect(await pair.other.inboxes.wrote("demo", "alice", draft.msgId)).toBe(true);
    expect(await pair.other.inboxes.wrote("demo", "team-lead", draft.msgId)).toBe(false);
  });

  test("marks as read just what it is told, keeps records read, and changes fields but never texts", async () => {
    await using pair = await open();
    await createDemo(pair.store, "alice", "bob");
    for (const text of ["one", "two"]) await pair.store.inboxes.send("demo", { from: "alice", to: ["bob"], text });
    const [one] = (await pair.other.inboxes.read("demo", "bob")).entries;
    const ids = one ? [messageId(one)] : [];
    expect(await pair.other.inboxes.markRead("demo", "bob", ids)).toBe(1);
    expect(await pair.other.inboxes.markRead("demo", "bob", ids)).toBe(0);
    await pair.other.inboxes.appendRecord("demo", "bob", { from: "team-lead", text: "{}" });
    const { entries } = await pair.store.inboxes.read("demo", "bob");
    expect(entries.map(({ read }) => read)).toEqual([true, false, true]);
    const changed = await pair.store.inboxes.patchEntries("demo", "bob", (entry) =>
      entry.text === "two" ? { summary: "new", text: "forged" } : null,
    );
    expect(changed).toBe(1);
    expect((await pair.other.inboxes.read("demo", "bob")).entries[1]).toMatchObject({ text: "two", summary: "new" });
  });

  test("brings large texts whole, and nothing of an earlier member of the same name", async () => {
    await using pair = await open();
    await createDemo(pair.store, "alice", "bob");
    const large = "研究 ".repeat(40_000);
    await pair.store.inboxes.send("demo", { from: "alice", to: ["bob"], text: large });
    const [earlier] = (await pair.other.inboxes.read("demo", "bob")).entries;
    expect(earlier?.text).toBe(large);
    await pair.other.teams.removeMember("demo", "bob");
    const bob = await addMember(pair.other, "demo", "bob");
    expect(earlier && isFor(bob, earlier)).toBe(false);
    expect((await pair.store.inboxes.read("demo", "bob")).entries).toEqual([]);
    expect(texts((await pair.store.inboxes.readAll("demo", "bob")).entries)).toEqual([large]);
  });
}

function describeTasks(open: () => Promise<StorePair>): void {
  test("holds back what is blocked, refuses circles, and never gives an id twice", async () => {
    await using pair = await open();
    const { tasks } = pair.store;
    await createDemo(pair.store, "alice");
    const subjects = Array.from({ length: 6 }, (_, index) => `task ${index}`);
    const made = await Promise.all(
      subjects.map((subject, index) => (index % 2 ? pair.other : pair.store).tasks.create("demo", { subject })),
    );
    expect(made.map(({ id }) => Number(id)).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    await tasks.update("demo", "2", { addBlockedBy: ["1"] }, person);
    for (const edge of [{ addBlocks: ["1"] }, { addBlocks: ["2"] }])
      await expect(pair.other.tasks.update("demo", "2", edge, person)).rejects.toEqual(refusal("cycle"));
    await expect(tasks.update("demo", "2", { addBlocks: ["99"] }, person)).rejects.toEqual(refusal("unknown_task"));
    const starts = [
      pair.other.tasks.claim("demo", "2", { by: "alice", hasTool: everyTool }),
      pair.other.tasks.update("demo", "2", { status: "in_progress" }, agent("alice")),
    ];
    for (const start of await Promise.allSettled(starts))
      expect(start).toMatchObject({ reason: { reason: "blocked" } });
    const { unblocked } = await tasks.update("demo", "1", { status: "completed" }, person);
    expect(unblocked.map(({ id }) => id)).toEqual(["2"]);
    expect(openBlockers("2", await pair.other.tasks.list("demo"))).toEqual([]);
    await tasks.update("demo", "6", { status: "deleted" }, person);
    await expect(pair.other.tasks.get("demo", "6")).rejects.toEqual(refusal("unknown_task"));
    expect((await pair.other.tasks.create("demo", { subject: "next" })).id).toBe("7");
  });

  test("tells of deleted tasks, and brings one back once, with the tasks that it holds back", async () => {
    await using pair = await open();
    await createDemo(pair.store, "alice");
    for (const subject of ["one", "two"]) await pair.store.tasks.create("demo", { subject });
    await pair.store.tasks.update("demo", "2", { addBlockedBy: ["1"] }, person);
    await pair.store.tasks.update("demo", "1", { status: "deleted" }, person);
    expect((await pair.other.tasks.deleted("demo")).map(({ id, subject }) => [id, subject])).toEqual([["1", "one"]]);
    expect((await pair.other.tasks.restore("demo", "1")).subject).toBe("one");
    await expect(pair.store.tasks.restore("demo", "1")).rejects.toEqual(refusal("unknown_task"));
    expect(openBlockers("2", await pair.store.tasks.list("demo"))).toEqual(["1"]);
    expect(await pair.store.tasks.deleted("demo")).toEqual([]);
  });

  test("gives a task one owner and an owner one task in progress, and takes back what an owner leaves", async () => {
    await using pair = await open();
    await createDemo(pair.store, "alice", "bob");
    for (let index = 0; index < 8; index += 1) await pair.store.tasks.create("demo", { subject: `task ${index}` });
    const work = async (store: Store, by: string) => {
      const claimed: string[] = [];
      for (let left = true; left; ) {
        const task = await store.tasks.claim("demo", "next", { by, hasTool: everyTool }).catch(() => undefined);
        if (!task) left = false;
        else {
          claimed.push(task.id);
          await expect(store.tasks.claim("demo", "next", { by, hasTool: everyTool })).rejects.toThrow();
          await store.tasks.update("demo", task.id, { status: "completed" }, agent(by));
        }
      }
      return claimed;
    };
    const claims = (await Promise.all([work(pair.store, "alice"), work(pair.other, "bob")])).flat();
    expect(claims.map(Number).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const needs = { subject: "edit", metadata: { mine: 1, gone: 2, muster: { needs: ["Edit"] } } };
    const { id } = await pair.store.tasks.create("demo", needs);
    const without = pair.other.tasks.claim("demo", id, { by: "bob", hasTool: () => false });
    await expect(without).rejects.toEqual(refusal("not_allowed"));
    const claimed = await pair.other.tasks.claim("demo", id, { by: "bob", hasTool: everyTool });
    expect(claimed).toMatchObject({
      owner: "bob",
      status: "in_progress",
      metadata: { muster: { claim: { by: "bob" } } },
    });
    await pair.store.tasks.update("demo", id, { metadata: { gone: null } }, person);
    expect((await pair.store.tasks.releaseOwner("demo", "bob")).map((task) => task.id)).toEqual([id]);
    const released = await pair.other.tasks.get("demo", id);
    expect(released.owner).toBeUndefined();
    expect(released).toMatchObject({ status: "pending", metadata: { mine: 1, muster: { needs: ["Edit"] } } });
    expect(released.metadata).not.toHaveProperty("gone");
  });
}

function describeRecords(open: () => Promise<StorePair>): void {
  test("keeps records in order, and moves a lead's into its team", async () => {
    await using pair = await open();
    const lead = { leadSession: LEAD_SESSION };
    await pair.store.transcripts.append(lead, session("one"));
    await createDemo(pair.store, "alice");
    await pair.store.transcripts.moveLead(LEAD_SESSION, "demo");
    await pair.store.transcripts.append(lead, session("two"));
    const owner = { team: "demo", agent: "team-lead" };
    expect(await pair.other.transcripts.read(owner)).toEqual([session("one"), session("two")]);
    const { next } = await pair.other.transcripts.readFrom(owner, 0);
    await pair.store.transcripts.append(owner, session("three"));
    expect((await pair.other.transcripts.readFrom(owner, next)).records).toEqual([session("three")]);
    const at = isoTime(0);
    await pair.store.audit.append(owner, { event: "paused", at });
    expect(await pair.other.audit.read(owner)).toMatchObject([{ event: "paused", at }]);
    const { next: end } = await pair.other.audit.readFrom(owner, 0);
    await pair.store.audit.append(owner, { event: "resumed", at });
    expect((await pair.other.audit.readFrom(owner, end)).lines).toMatchObject([{ event: "resumed", at }]);
  });

  test("tells how members are, what they are writing, and what they plan", async () => {
    await using pair = await open();
    const [alice] = await createDemo(pair.store, "alice");
    const incarnation = alice?.muster?.incarnation ?? "";
    const presence = { incarnation, state: "idle", since: 1, beat: 2, ...pair.store.process } as const;
    await pair.store.presence.write("demo", "alice", presence);
    expect((await pair.other.presence.readAll("demo")).get("alice")).toEqual(presence);
    expect((await pair.other.snapshots.read("demo")).presence.get("alice")).toEqual(presence);
    await pair.store.presence.remove("demo", "alice");
    expect((await pair.other.presence.readAll("demo")).size).toBe(0);
    await pair.store.live.write("demo", "alice", "half a sen");
    expect(await pair.other.live.read("demo", "alice")).toBe("half a sen");
    await pair.store.live.clear("demo", "alice");
    expect(await pair.other.live.read("demo", "alice")).toBe("");
    const plan = await pair.store.plans.newPath();
    expect(await pair.other.plans.read(plan)).toBeNull();
    await pair.store.plans.write(plan, "1. Look.");
    expect(await pair.other.plans.read(plan)).toBe("1. Look.");
    await pair.store.settings.addPermissions({ allow: ["Bash(npm test)"] });
    await pair.other.settings.addPermissions({ allow: ["WebFetch", "Bash(npm test)"] });
    expect((await pair.store.settings.personRules()).allow).toEqual(["Bash(npm test)", "WebFetch"]);
  });
}

function describeWatch(open: () => Promise<StorePair>): void {
  test("tells of what another handle changes, until the team is gone", async () => {
    await using pair = await open();
    await createDemo(pair.store, "alice");
    const stop = new AbortController();
    const told: TeamChange[] = [];
    const kinds = (kind: TeamChange["kind"]) => () => told.some((change) => change.kind === kind);
    pair.store.watch("demo", (change) => told.push(change), stop.signal);
    await pair.other.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "x" });
    await eventually("the message", kinds("inbox"));
    expect(texts((await pair.store.snapshots.read("demo")).inboxes.get("alice")?.entries ?? [])).toEqual(["x"]);
    await pair.other.tasks.create("demo", { subject: "one" });
    await eventually("the task", kinds("task"));
    await addMember(pair.other, "demo", "bob");
    await eventually("the member", kinds("config"));
    await pair.other.teams.delete("demo", { keepHistory: false, now: 0 });
    await eventually("the end", kinds("gone"));
    stop.abort();
  });
}
