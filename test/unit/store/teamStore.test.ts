import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isoTime } from "../../../src/base/clock.ts";
import { acceptMemberName, acceptTeamName } from "../../../src/protocol/names.ts";
import type { Store } from "../../../src/store/store.ts";
import { addMember, createDemo, LEAD_SESSION, openTempStore } from "../../support/tempStore.ts";

test("a new team has the files, keys and modes that others expect", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice");
  const config = JSON.parse(await readFile(join(root, "teams/demo/config.json"), "utf8"));
  expect(Object.keys(config)).toEqual(["name", "createdAt", "leadAgentId", "leadSessionId", "members", "muster"]);
  expect(Object.keys(config.members[0])).toEqual([
    "agentId",
    "name",
    "agentType",
    "model",
    "joinedAt",
    "tmuxPaneId",
    "cwd",
    "subscriptions",
    "muster",
  ]);
  expect(Object.keys(config.members[1])).toEqual([
    "agentId",
    "name",
    "agentType",
    "model",
    "prompt",
    "color",
    "planModeRequired",
    "joinedAt",
    "tmuxPaneId",
    "cwd",
    "subscriptions",
    "backendType",
    "muster",
  ]);
  expect(config.members[1]).toMatchObject({ agentId: "alice@demo", color: "blue", planModeRequired: false });
  expect((await stat(join(root, "teams/demo"))).mode & 0o777).toBe(0o700);
  expect((await stat(join(root, "teams/demo/config.json"))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(root, "tasks/demo"))).toEqual([".lock"]);
  expect((await readdir(join(root, "teams/demo"))).sort()).toEqual(["config.json", "inboxes", "muster"]);
});

test("a team that exists is not made again, by any form of its name", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  await expect(createDemo(temp.store)).rejects.toMatchObject({ reason: "team_exists" });
  const { name, displayName } = acceptTeamName("Demo");
  const again = { ...draft, name, ...(displayName === undefined ? {} : { displayName }) };
  await expect(temp.store.teams.create(again)).rejects.toMatchObject({ reason: "team_exists" });
  expect((await temp.store.teams.list()).map((team) => team.name)).toEqual(["demo"]);
});

test("of two creators of one team one wins, and nothing else is left behind", async () => {
  await using temp = await openTempStore();
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => temp.store.teams.create(draft)));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ reason: "team_exists" });
  }
  expect(await readdir(join(temp.root, "teams"))).toEqual(["demo"]);
});

test("an unknown team is named with those that exist", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  await expect(temp.store.teams.resolve("nope")).rejects.toThrow(/no team "nope".*demo/);
  await expect(temp.store.teams.read("nope")).rejects.toMatchObject({ reason: "unknown_team" });
});

test("a folder without config.json is no team, and is not named as one", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  await rm(join(temp.root, "teams/demo/config.json"));
  const { teams, snapshots } = temp.store;
  for (const read of [teams.read, teams.resolve, snapshots.read]) {
    await expect(read("demo")).rejects.toMatchObject({
      reason: "unknown_team",
      message: expect.not.stringMatching(/are: /),
    });
  }
  await expect(temp.store.teams.rebindLead("demo", "s")).rejects.toMatchObject({
    message: expect.stringContaining(`The state root ${temp.root} has no teams`),
  });
});

test("a team is found by its display name too", async () => {
  await using temp = await openTempStore();
  await temp.store.teams.create({ ...draft, ...acceptTeamName("研究 Team") });
  const [team] = await temp.store.teams.list();
  expect(team).toMatchObject({ displayName: "研究 Team", ours: true, generation: "G1", members: 1, fault: null });
  expect(await temp.store.teams.resolve("研究 team")).toBe(team?.name);
});

test("a name in use gets -2, in any letter case; colours go by spawning, not by who is left", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const members = await createDemo(store, "alice", "Alice");
  expect(members.map((member) => [member.name, member.agentId, member.color])).toEqual([
    ["alice", "alice@demo", "blue"],
    ["Alice-2", "Alice-2@demo", "green"],
  ]);
  await store.teams.removeMember("demo", "Alice-2");
  expect(await addMember(store, "demo", "carol")).toMatchObject({ name: "carol", color: "yellow" });
});

test("names that differ only beyond ASCII get inboxes of their own and keep what was typed (row 20)", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const typed = ["研究员", "工程师", "Ann Lee", "ann-lee", "Captain"];
  const members = await createDemo(store, ...typed);
  expect(members.map((member) => member.muster?.displayName ?? member.name)).toEqual(typed);
  for (const name of typed) await store.inboxes.send("demo", { from: "team-lead", to: [name], text: `to ${name}` });
  const files = await store.inboxes.list("demo");
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(typed.length);
  for (const member of members) {
    const { entries } = await store.inboxes.read("demo", member.name);
    expect(entries.map((entry) => entry.text)).toEqual([`to ${member.muster?.displayName ?? member.name}`]);
  }
  for (const reserved of ["team-lead", "Team-Lead", "ｔeam-lead", "user", "system"]) {
    expect(() => acceptMemberName(reserved)).toThrow(expect.objectContaining({ reason: "bad_name" }));
  }
});

test("no name leaves the state root, on any path of the store (row 19)", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice");
  const hostile = ["../../x", "a/b", "C:\\x", "x\0y", "", ".", "..", "x".repeat(300), "con", "../demo"];
  for (const name of hostile) {
    await expect(store.teams.read(name)).rejects.toMatchObject({ reason: "unknown_team" });
    await expect(store.inboxes.send(name, message)).rejects.toMatchObject({ reason: "unknown_team" });
    await expect(store.tasks.create(name, { subject: "x" })).rejects.toMatchObject({ reason: "unknown_team" });
    await expect(store.teams.delete(name, { keepHistory: true, now: 0 })).rejects.toMatchObject({
      reason: "unknown_team",
    });
    await expect(store.inboxes.send("demo", { ...message, to: [name] })).rejects.toMatchObject({
      reason: "unknown_member",
    });
    await expect(store.tasks.get("demo", name)).rejects.toMatchObject({ reason: "unknown_task" });
    expect(() => acceptMemberName(name)).toThrow(expect.objectContaining({ reason: "bad_name" }));
    if (name.length < 200)
      expect(store.paths.team("demo").inbox(name).startsWith(join(root, "teams/demo/inboxes/"))).toBe(true);
  }
  expect((await readdir(root)).sort()).toEqual(["tasks", "teams"]);
});

test("only the session that leads may add members", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store);
  const stale = { leadSessionId: "another-session", maxMembers: 8 };
  await expect(store.teams.addMember("demo", memberDraft, { name: "eve" }, stale)).rejects.toMatchObject({
    reason: "lead_elsewhere",
  });
  await store.teams.rebindLead("demo", "another-session");
  expect((await store.teams.addMember("demo", memberDraft, { name: "eve" }, stale)).name).toBe("eve");
});

test("no more members join than are allowed, and one that has left makes room", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store, "alice", "bob");
  const rules = { leadSessionId: LEAD_SESSION, maxMembers: 2 };
  await expect(store.teams.addMember("demo", memberDraft, { name: "carol" }, rules)).rejects.toMatchObject({
    reason: "not_allowed",
    message: "Team demo has as many teammates as are allowed beside its lead: 2. Shut one down first.",
  });
  await store.teams.removeMember("demo", "bob");
  const member = await store.teams.addMember("demo", memberDraft, { name: "carol" }, rules);
  expect(member.name).toBe("carol");
});

test("eight members that register at once are eight members (row 82)", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store);
  const names = Array.from({ length: 8 }, (_, index) => `worker-${index}`);
  await Promise.all(names.map((name) => addMember(store, "demo", name)));
  const config = await store.teams.read("demo");
  expect(config.members.map((member) => member.name).sort()).toEqual([...names, "team-lead"].sort());
  expect(new Set(config.members.slice(1).map((member) => member.color)).size).toBe(8);
});

test("a process of a member that was removed cannot write itself back (row 57)", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const [alice] = await createDemo(store, "alice");
  const incarnation = alice?.muster?.incarnation ?? "none";
  await store.teams.removeMember("demo", "alice", incarnation);
  const late = store.teams.updateMember("demo", "alice", { isActive: true }, incarnation);
  await expect(late).rejects.toMatchObject({ reason: "unknown_member" });
  const next = await addMember(store, "demo", "alice");
  await expect(store.teams.updateMember("demo", "alice", { isActive: true }, incarnation)).rejects.toMatchObject({
    reason: "unknown_member",
  });
  expect(await store.teams.removeMember("demo", "alice", incarnation)).toBeNull();
  const changed = await store.teams.updateMember("demo", "alice", { mode: "plan" }, next.muster?.incarnation);
  expect(changed).toMatchObject({ mode: "plan", muster: next.muster });
});

test("fields that only other programs know survive every change of the configuration", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice");
  const path = join(root, "teams/demo/config.json");
  const raw = JSON.parse(await readFile(path, "utf8"));
  raw.theirs = { deep: [1, { two: 2 }] };
  raw.members[1].theirs = "kept";
  raw.members.push({ nobody: true }, "not a member", null);
  await writeFile(path, JSON.stringify(raw, null, 2));
  await store.teams.updateMember("demo", "alice", { isActive: false });
  await addMember(store, "demo", "bob");
  await store.teams.rebindLead("demo", "next-session");
  const after = JSON.parse(await readFile(path, "utf8"));
  expect(after.theirs).toEqual(raw.theirs);
  expect(after.members[1]).toEqual({ ...raw.members[1], isActive: false });
  expect(after.members.slice(2, 5)).toEqual([{ nobody: true }, "not a member", null]);
  expect((await store.teams.read("demo")).members.map((member) => member.name)).toEqual(["team-lead", "alice", "bob"]);
});

test("an ended team is gone at once, and its history opens with the same reader", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice");
  await store.inboxes.send("demo", message);
  await store.tasks.create("demo", { subject: "Task one" });
  await store.transcripts.append({ team: "demo", agent: "alice" }, record);
  await store.audit.append({ team: "demo", agent: "team-lead" }, { event: "paused", at: isoTime(0) });
  const now = Date.UTC(2026, 10, 27, 21, 4, 5);
  const folder = await store.teams.delete("demo", { keepHistory: true, now });
  expect(folder).toBe("demo-20261127-210405");
  expect(await readdir(join(root, "teams"))).toEqual([]);
  expect(await readdir(join(root, "tasks"))).toEqual([]);
  await expect(store.inboxes.send("demo", message)).rejects.toMatchObject({ reason: "unknown_team" });
  expect(await store.history.list()).toEqual([{ folder, team: "demo", displayName: "demo", finishedAt: now }]);
  const snapshot = await store.snapshots.readFinished(folder ?? "");
  expect(snapshot.finishedAt).toBe(now);
  expect(snapshot.config.members).toHaveLength(2);
  expect([...snapshot.graph.tasks.values()].map((task) => task.subject)).toEqual(["Task one"]);
  expect(snapshot.inboxes.get("alice")?.entries.map((entry) => entry.text)).toEqual(["hello"]);
  expect((await store.history.inbox(folder ?? "", "alice")).entries).toHaveLength(1);
  expect(await store.transcripts.read({ finished: folder ?? "", agent: "alice" })).toEqual([record]);
  expect(await store.audit.read({ finished: folder ?? "", agent: "team-lead" })).toEqual([
    { event: "paused", at: isoTime(0) },
  ]);
  const kept = await readdir(join(root, "muster/history", folder ?? ""), { recursive: true });
  expect(kept.filter((name) => /\.lock(\.owner)$|\.lock$/.test(name) && !name.endsWith("tasks/.lock"))).toEqual([]);
});

test("a team that is deleted only where it is empty stays with a member that came meanwhile, as it was", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice");
  const before = await readFile(join(root, "teams/demo/config.json"), "utf8");
  const deleting = store.teams.delete("demo", { keepHistory: true, now: Date.now(), ifEmpty: true });
  await expect(deleting).rejects.toMatchObject({
    reason: "not_ready",
    message: "The team was not deleted: alice still live. Ask them to shut down first.",
  });
  expect(await readFile(join(root, "teams/demo/config.json"), "utf8")).toBe(before);
  await store.teams.removeMember("demo", "alice");
  const kept = await store.teams.delete("demo", { keepHistory: true, now: Date.now(), ifEmpty: true });
  expect(kept).toMatch(/^demo-/);
});

test("two teams of one name that end in one second are both kept; without history nothing is", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  const now = Date.UTC(2026, 10, 27, 21, 0, 0);
  for (let round = 0; round < 2; round += 1) {
    await createDemo(store);
    await store.teams.delete("demo", { keepHistory: true, now });
  }
  expect((await store.history.list()).map((team) => team.folder).sort()).toEqual([
    "demo-20261127-210000",
    "demo-20261127-210000.2",
  ]);
  await createDemo(store);
  expect(await store.teams.delete("demo", { keepHistory: false, now: now + 1000 })).toBeNull();
  expect(await readdir(join(root, "muster/history"))).toHaveLength(2);
});

test("tasks and files that an earlier team left do not become the new team's", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await mkdir(join(root, "teams/demo/inboxes"), { recursive: true });
  await writeFile(join(root, "teams/demo/inboxes/alice.json"), "[]");
  await mkdir(join(root, "tasks/demo"), { recursive: true });
  await writeFile(join(root, "tasks/demo/1.json"), JSON.stringify({ id: "1", subject: "old", status: "pending" }));
  await createDemo(store);
  expect((await store.tasks.list("demo")).tasks.size).toBe(0);
  expect(await store.inboxes.list("demo")).toEqual([]);
  expect(await readdir(join(root, "muster/history"), { recursive: true })).toEqual(
    expect.arrayContaining([expect.stringMatching(/alice\.json$/), expect.stringMatching(/1\.json$/)]),
  );
});

test("a damaged configuration of our team comes back as we last wrote it, and is told once", async () => {
  await using temp = await openTempStore();
  const { store, root, faults } = temp;
  await createDemo(store, "alice", "bob");
  const path = join(root, "teams/demo/config.json");
  const whole = await readFile(path, "utf8");
  for (const damaged of ["", "{", "[]", "nonsense", '{"name": 3}', whole.slice(0, 700)]) {
    await writeFile(path, damaged);
    expect((await store.teams.read("demo")).members.map((member) => member.name)).toEqual([
      "team-lead",
      "alice",
      "bob",
    ]);
    expect(await readFile(path, "utf8")).toBe(whole);
  }
  expect(faults.length).toBeGreaterThan(0);
  expect(faults[0]?.kept).toMatch(/corrupt\/config\.json\.\d+$/);
  expect(await readdir(join(root, "teams/demo/muster/corrupt"))).toHaveLength(5);
});

test("a damaged configuration of a foreign team is never an empty team: it is told once, kept, and refuses changes", async () => {
  await using temp = await openTempStore();
  const { store, root, faults } = temp;
  const path = await foreignTeam(store, root);
  const whole = await readFile(path, "utf8");
  for (const damaged of ["", "{", "nonsense", '{"name": 3}']) {
    await writeFile(path, damaged);
    await expect(store.teams.read("theirs")).rejects.toMatchObject({ reason: "corrupt" });
    await expect(store.teams.rebindLead("theirs", "x")).rejects.toMatchObject({ reason: "corrupt" });
    await expect(store.inboxes.send("theirs", message)).rejects.toMatchObject({ reason: "corrupt" });
    expect(await readFile(path, "utf8")).toBe(damaged);
  }
  const [summary] = await store.teams.list();
  expect(summary?.fault).toMatch(/^The configuration .* damaged/);
  expect(summary?.fault).toContain(`${path} stays as it is`);
  const told = faults.length;
  await store.teams.list();
  expect(faults).toHaveLength(told);
  expect(await readdir(join(root, "teams/theirs/muster/corrupt"))).toHaveLength(4);
  await writeFile(path, whole);
  expect((await store.teams.read("theirs")).members).toHaveLength(3);
});

test("of a foreign configuration that was cut off, its complete members are shown, and kept by the next change", async () => {
  await using temp = await openTempStore();
  const { store, root, faults } = temp;
  const path = await foreignTeam(store, root);
  const whole = await readFile(path, "utf8");
  await writeFile(path, whole.slice(0, whole.indexOf('"name": "bob"') + 12));
  const config = await store.teams.read("theirs");
  expect(config.members.map((member) => member.name)).toEqual(["team-lead", "alice"]);
  expect(faults).toHaveLength(1);
  await store.teams.updateMember("theirs", "alice", { mode: "plan" });
  expect(JSON.parse(await readFile(path, "utf8")).members).toMatchObject([{ name: "team-lead" }, { mode: "plan" }]);
});

/** A team as 2.1.41 writes it: no data of ours. */
async function foreignTeam(store: Store, root: string): Promise<string> {
  const member = (name: string) => ({ agentId: `${name}@theirs`, name, agentType: "general-purpose", joinedAt: 1 });
  const config = { name: "theirs", createdAt: 1, members: ["team-lead", "alice", "bob"].map(member) };
  await store.texts.write(join(root, "teams/theirs/config.json"), JSON.stringify(config, null, 2));
  return join(root, "teams/theirs/config.json");
}

const draft = {
  name: "demo",
  leadSessionId: LEAD_SESSION,
  leadModel: "claude-sonnet-5",
  leadAgentType: "team-lead",
  cwd: "/project",
  now: Date.UTC(2026, 10, 27, 20, 0, 0),
};
const memberDraft = {
  agentType: "general-purpose",
  model: "haiku",
  joinedAt: 0,
  cwd: "/project",
  backendType: "in-process",
  tmuxPaneId: "in-process",
};
const message = { from: "team-lead", to: ["alice"], text: "hello" };
const record = { kind: "session", at: "2026-11-27T20:00:00.000Z", sessionId: LEAD_SESSION, agent: "alice" } as const;
