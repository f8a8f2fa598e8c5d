import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { call } from "../../../src/demo/script.ts";
import { faultSwitch } from "../../support/faultyStore.ts";
import { openTeamHost, type TeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team, update } from "../../support/teamScripts.ts";

/** The machine's clock, whose members' beat comes every 50 ms. */
const fast: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms > 500 ? 50 : ms, signal) };

const scripts = () =>
  team({
    "team-lead": script(calls(createTeam), calls(task("First")), calls(spawn("alice")), "Waiting."),
    alice: script(calls(update("1", { status: "in_progress" })), calls(call("Bash", { command: "sleep 60" }))),
    bob: script("Here."),
  });

/** A team of which alice has a task in progress; `ways` fail from when the fault is armed. */
async function openAtWork(...ways: string[]) {
  const fault = faultSwitch(...ways);
  const host = await openTeamHost(
    scripts(),
    { permissionMode: "bypassPermissions", autoClaim: false },
    { throughStore: fault.throughStore, clock: fast },
  );
  host.session.start("Go.");
  const activity = () => host.session.members().find(({ name }) => name === "alice")?.activity?.tool;
  await host.until("alice at work", () => activity() === "Bash");
  return { host, fault };
}

const named = async ({ store }: TeamHost) => (await store.teams.read("demo")).members.map(({ name }) => name);
const present = ({ session }: TeamHost) => session.members().map(({ name }) => name);
const firstTask = async ({ store }: TeamHost) => (await store.tasks.list("demo")).tasks.get("1");
const leadRead = ({ server }: TeamHost) =>
  JSON.stringify(server.requests.findLast(({ member }) => member === "team-lead")?.request.messages);
const timesLeft = ({ events }: TeamHost) => events.filter(({ type }) => type === "member_left").length;

const STEPS = [
  "tasks.releaseOwner",
  "teams.removeMember",
  "presence.remove",
  "live.clear",
  "inboxes.readLocked",
  "audit.append",
] as const;

describe("a member that is gone while a file cannot be changed", () => {
  it.each(STEPS)("is out of the team as soon as %s works again, and the lead is told", async (step) => {
    const { host, fault } = await openAtWork(step);
    await using _ = host;
    fault.arm();
    await host.session.failMember("alice", "no room");
    await host.until("the lead to hear", () => leadRead(host).includes("alice was ended (no room)"));
    await host.until("it to be tried", () => fault.failed > (step === "inboxes.readLocked" ? 0 : 1));
    expect(present(host)).toEqual(await named(host));
    fault.disarm();
    await host.until("alice to be out", async () => (await named(host)).length === 1);
    await host.until("her task to be free", async () => (await firstTask(host))?.status === "pending");
    await host.until("alice to have left", () => timesLeft(host) === 1);
    await host.until("the lead to know", () => leadRead(host).includes("1 task(s) were unassigned: #1"));
    await host.rest();
    expect(present(host)).toEqual(["team-lead"]);
    const files = await host.store.snapshots.read("demo");
    expect(files.presence.has("alice")).toBe(false);
    expect((await firstTask(host))?.owner ?? "").toBe("");
    await expect(host.session.say("alice", "Are you there?")).rejects.toMatchObject({ reason: "unknown_member" });
    await host.reload();
    await host.rest();
    const told = leadRead(host).match(/1 task\(s\) were unassigned/g) ?? [];
    expect(told).toHaveLength(1);
  });

  it("gives its name to nobody before that, and what is still to be done touches no other member", async () => {
    const { host, fault } = await openAtWork("tasks.releaseOwner");
    await using _ = host;
    fault.arm();
    await host.session.failMember("alice", "no room");
    expect(await named(host)).toEqual(["team-lead"]);
    expect(await host.session.spawn({ name: "alice", prompt: "Wait." })).toBe("alice-2");
    await host.store.tasks.update(
      "demo",
      "1",
      { owner: "alice-2", status: "in_progress" },
      { by: "user", isAgent: false },
    );
    const { id } = await host.session.tasks.create({ subject: "Second", description: "" });
    await host.store.tasks.update("demo", id, { owner: "alice-2" }, { by: "user", isAgent: false });
    fault.disarm();
    await host.until("the rest to be done", async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return true;
    });
    expect((await host.store.tasks.list("demo")).tasks.get("1")).toMatchObject({ owner: "alice-2" });
    expect((await host.store.tasks.list("demo")).tasks.get(id)).toMatchObject({ owner: "alice-2" });
    expect(await host.session.spawn({ name: "alice", prompt: "Wait." })).toBe("alice");
  });

  it("does not keep the session from its end, which tries a last time", async () => {
    const { host, fault } = await openAtWork("teams.removeMember");
    await using _ = host;
    fault.arm();
    await host.session.failMember("alice", "no room");
    expect(present(host)).toEqual(["team-lead", "alice"]);
    const summary = await host.session.end({ graceMs: 0, interrupted: false });
    expect(summary.result).toBe("failed");
    expect(present(host)).toEqual(["team-lead"]);
    expect(timesLeft(host)).toBe(1);
    expect(await host.store.leads.read("demo")).toBeNull();
  });

  it("is not waited for without end: the session rests although it is still in the files", async () => {
    const { host, fault } = await openAtWork("teams.removeMember");
    await using _ = host;
    fault.arm();
    await host.session.failMember("alice", "no room");
    await host.rest();
    expect(present(host)).toEqual(["team-lead", "alice"]);
    expect(fault.failed).toBeGreaterThan(10);
    expect(leadRead(host)).toContain("could not be taken out of the team yet (Another program holds the lock)");
  });

  it("has mail told that was sent to it until it was out", async () => {
    const { host, fault } = await openAtWork("teams.removeMember");
    await using _ = host;
    fault.arm();
    await host.session.failMember("alice", "no room");
    await host.session.say("alice", "Are you there?");
    fault.disarm();
    await host.until("the lead to know", () => leadRead(host).includes("Are you there?"));
    expect(leadRead(host)).toContain("alice is out of the team now.");
  });
});
