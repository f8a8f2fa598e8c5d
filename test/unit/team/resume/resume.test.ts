import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../../src/demo/script.ts";
import { openTeamHost, type TeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, message, script, spawn, task, team, update } from "../../../support/teamScripts.ts";

const touch = (name: string) => call("Bash", { command: `touch ${name}` });
const lead = script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine.");

/** What the audit log holds of one kind. */
async function audit({ store }: TeamHost, event: string): Promise<Record<string, unknown>[]> {
  const records = (await store.audit.read({ team: "demo", agent: "team-lead" })) as Record<string, unknown>[];
  return records.filter((record) => record["event"] === event);
}

function stateOf({ session }: TeamHost, name: string): string | undefined {
  return session.members().find((member) => member.name === name)?.state;
}

describe("after a reload of its host", () => {
  it("a request waits under the same id, is decided once, and its call runs once", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": lead, alice: script(calls(touch("made.txt")), "Made.") }),
    );
    host.session.start("Go.");
    const before = await host.request();
    await host.reload();
    const after = await host.request();
    expect(after).toEqual(before);
    expect(stateOf(host, "alice")).toBe("waiting");
    const entries = (await host.store.inboxes.read("demo", "team-lead")).entries;
    expect(entries.filter(({ text }) => text.includes('"permission_request"'))).toHaveLength(1);
    await host.decide(after, { kind: "allow", scope: "once" });
    expect(await host.session.requests.decide(after.id, { kind: "allow", scope: "once" }, "person")).toBe("gone");
    await host.rest();
    expect(await readFile(path.join(host.cwd, "made.txt"), "utf8")).toBe("");
    expect(host.count("alice")).toBe(2);
    expect(await audit(host, "decided")).toHaveLength(1);
    expect(await audit(host, "withdrawn")).toEqual([]);
    expect((await host.store.inboxes.read("demo", "team-lead")).entries.every((entry) => entry.read)).toBe(true);
  });

  it("a plan waits under the same id and version, and its approval is carried out", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice", { mode: "plan" })), "Waiting.", "Fine."),
        alice: script(calls(call("ExitPlanMode", { plan: "Touch it." })), calls(touch("made.txt")), "Made."),
      }),
    );
    host.session.start("Go.");
    const before = await host.request();
    await host.reload();
    const after = await host.request();
    expect(after).toEqual(before);
    expect(host.session.members().find(({ name }) => name === "alice")?.mode).toBe("plan");
    await host.decide(after, { kind: "approve", mode: "bypassPermissions" });
    await host.until("the file", () =>
      readFile(path.join(host.cwd, "made.txt"), "utf8").then(
        () => true,
        () => false,
      ),
    );
    await host.reload();
    expect(host.session.members().find(({ name }) => name === "alice")?.mode).toBe("bypassPermissions");
  });

  it("asks no model anything while everybody rests", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: script("Nothing to do yet.") }));
    host.session.start("Go.");
    await host.rest();
    const counts = [host.count("team-lead"), host.count("alice")];
    await host.reload();
    await host.rest();
    expect([host.count("team-lead"), host.count("alice")]).toEqual(counts);
    expect([stateOf(host, "team-lead"), stateOf(host, "alice")]).toEqual(["idle", "idle"]);
    await host.session.say("alice", "Are you there?");
    await host.until("an answer", () => host.count("alice") > (counts[1] ?? 0));
    expect(host.lastSent("alice")).toContain("Are you there?");
  });

  it("mail that nobody had read is delivered once, with the authority of who wrote it", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice")),
          calls(message("alice", "From the lead.", "News")),
          "Told.",
          "Fine.",
        ),
        alice: script(async () => {
          await held;
          return "Read.";
        }),
      }),
    );
    host.session.start("Go.");
    await host.until("the lead's message", async () => {
      const { entries } = await host.store.inboxes.read("demo", "alice");
      return entries.some(({ text }) => text === "From the lead.");
    });
    await host.session.say("alice", "From the person.");
    await host.reload();
    release();
    await host.rest();
    const sent = JSON.stringify(
      host.server.requests.filter(({ member }) => member === "alice").at(-1)?.request.messages,
    );
    expect(sent.split("From the lead.")).toHaveLength(2);
    expect(sent.split("From the person.")).toHaveLength(2);
    expect(sent).not.toContain("verified=");
  });

  it("a rule that was allowed for the session still counts, and one that was not asks", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": lead,
        alice: script(calls(touch("a.txt")), calls(touch("a.txt")), calls(touch("b.txt")), "Made."),
      }),
    );
    host.session.start("Go.");
    const first = await host.request();
    await host.decide(first, { kind: "allow", scope: "session" });
    const asksForB = (request: { input?: unknown }) => JSON.stringify(request.input).includes("b.txt");
    await host.request(asksForB as never);
    await host.reload();
    const second = await host.request();
    expect(JSON.stringify(second)).toContain("b.txt");
    await host.decide(second, { kind: "deny" });
    await host.rest();
    expect(await audit(host, "decided")).toHaveLength(2);
  });

  it("a command that ran is not run again: its model is told that it may have run", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": lead,
        alice: script(calls(call("Bash", { command: "echo x >> log.txt; sleep 30" })), "I shall look."),
      }),
      { permissionMode: "bypassPermissions" },
    );
    host.session.start("Go.");
    const log = () => readFile(path.join(host.cwd, "log.txt"), "utf8").catch(() => "");
    await host.until("the command", async () => (await log()) !== "");
    await host.reload();
    await host.rest();
    expect(host.server.failures).toEqual([]);
    expect(await log()).toBe("x\n");
    expect(JSON.stringify(host.server.requests.at(-1)?.request.messages)).toBeDefined();
    expect(JSON.stringify(host.server.requests.findLast(({ member }) => member === "alice")?.request)).toContain(
      "this call may have run",
    );
  });

  it("tasks keep their owners, and the next one is claimed", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("First"), task("Second")),
          calls(spawn("alice")),
          "Waiting.",
          "Fine.",
        ),
        alice: script(
          "I wait.",
          calls(touch("held.txt")),
          calls(update("1", { status: "completed" })),
          "First is done.",
          calls(update("2", { status: "completed" })),
          "Second is done.",
        ),
      }),
    );
    host.session.start("Go.");
    const request = await host.request();
    const owners = async () =>
      [...(await host.store.snapshots.read("demo")).graph.tasks.values()].map((one) => [one.owner, one.status]);
    expect(await owners()).toEqual([
      ["alice", "in_progress"],
      [undefined, "pending"],
    ]);
    await host.reload();
    await host.decide(await host.request(({ id }) => id === request.id), { kind: "allow", scope: "once" });
    await host.until("both tasks", async () => (await owners()).every(([, status]) => status === "completed"));
    expect(host.server.failures).toEqual([]);
  });

  it("a task that was completed before the lead could hear of it is news to it", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("First")),
          calls(spawn("alice")),
          "Waiting.",
          "Fine.",
          "I see.",
        ),
        alice: script(calls(update("1", { status: "completed" })), "First is done."),
      }),
    );
    const inbox = host.store.paths.team("demo").inbox("team-lead");
    host.session.start("Go.");
    await host.rest();
    await host.session.suspend();
    // as where its host was killed before alice could say that she is idle
    const entries: { text: string }[] = JSON.parse(await readFile(inbox, "utf8"));
    await writeFile(inbox, JSON.stringify(entries.filter(({ text }) => !text.includes("idle_notification"))));
    await host.resume();
    await host.rest();
    expect(host.lastSent("team-lead")).toContain("Completed since your last turn: #1 First");
  });

  it("a member that had gone is told to the lead, once", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine.", "I see.", "Yes."),
        alice: script("Here."),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    await host.session.endMember("alice", "no longer needed");
    await host.reload();
    await host.rest();
    const told = () =>
      JSON.stringify(host.server.requests.findLast(({ member }) => member === "team-lead")?.request.messages).split(
        "no longer needed",
      ).length - 1;
    expect(told()).toBe(1);
    await host.reload();
    await host.rest();
    expect(told()).toBe(1);
  });

  it("the session is the same: its id, its goal, what it used", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: script("Here.") }));
    host.session.start("Go.");
    await host.rest();
    const before = { id: host.session.id, usage: (await host.session.summary(false)).usage, team: host.session.team };
    await host.reload();
    await host.rest();
    expect({ id: host.session.id, usage: (await host.session.summary(false)).usage, team: host.session.team }).toEqual(
      before,
    );
    expect((await host.store.teams.read("demo")).leadSessionId).toBe(before.id);
  });
});

describe("a lead that has no team yet", () => {
  it("goes on with its request, under the same id, and makes its team then", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(touch("made.txt")), calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine."),
        alice: script("Here."),
      }),
    );
    host.session.start("Go.");
    const before = await host.request();
    const { id } = host.session;
    await host.reload();
    const after = await host.request();
    expect(after).toEqual(before);
    expect(host.session.id).toBe(id);
    await host.decide(after, { kind: "allow", scope: "once" });
    await host.rest();
    expect(await readFile(path.join(host.cwd, "made.txt"), "utf8")).toBe("");
    expect((await host.store.teams.read("demo")).leadSessionId).toBe(id);
    expect(host.server.failures).toEqual([]);
  });
});

describe("a team that another process leads", () => {
  it("is not taken: resume says who leads, and nothing runs", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: script("Here.") }));
    host.session.start("Go.");
    await host.rest();
    await host.session.suspend();
    const { host: machine } = host.store.process;
    const other = { sessionId: host.session.id, pid: process.ppid, host: machine, startTime: null, since: 1, beat: 1 };
    const file = host.store.paths.team("demo").lead;
    await writeFile(file, JSON.stringify(other));
    const before = host.count("alice");
    await expect(host.resume()).rejects.toThrow(`Team demo is led by process ${process.ppid}`);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(other);
    expect(host.session.members().map(({ name }) => name)).toEqual(["team-lead"]);
    expect(host.count("alice")).toBe(before);
    await rm(file);
    await host.resume();
    expect(host.session.members().map(({ name }) => name)).toEqual(["team-lead", "alice"]);
  });
});

describe("a team that another process asks for", () => {
  it("is handed over once the lead's turn is over, and goes on there", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": lead, alice: script(calls(touch("made.txt")), "Made.") }),
    );
    host.session.start("Go.");
    const before = await host.request();
    let asked = 0;
    host.session.onHandover(() => {
      asked += 1;
    });
    await host.store.leads.askHandover("demo");
    await host.until("the handover", () => asked === 1);
    await host.reload();
    expect((await host.store.leads.read("demo"))?.handover).toBeUndefined();
    const after = await host.request();
    expect(after.id).toBe(before.id);
    await host.decide(after, { kind: "allow", scope: "once" });
    await host.rest();
    expect(asked).toBe(1);
  });

  it("is handed over to one that wants it only where nobody sees its window, where that is so", async () => {
    let seen = true;
    let looks = 0;
    const isSeen = async () => {
      looks += 1;
      return seen;
    };
    const asks = team({ "team-lead": lead, alice: script(calls(touch("made.txt")), "Made.") });
    await using host = await openTeamHost(asks, {}, { isSeen });
    host.session.start("Go.");
    await host.request();
    let asked = 0;
    host.session.onHandover(() => {
      asked += 1;
    });
    await host.store.leads.askHandover("demo", "ifUnseen");
    await host.until("a look", () => looks === 1 || undefined);
    seen = false; // what was asked while somebody saw it stays answered
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect([looks, asked]).toEqual([1, 0]);
    await host.store.leads.askHandover("demo", "ifUnseen");
    await host.until("the handover", () => asked === 1 || undefined);
    expect(looks).toBe(2);
  });

  it("where nobody leads it nothing is asked", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: script("Here.") }));
    host.session.start("Go.");
    await host.rest();
    await host.session.suspend();
    await host.store.leads.askHandover("demo");
    expect(await host.store.leads.read("demo")).toBeNull();
    await host.resume();
  });
});
