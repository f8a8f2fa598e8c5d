import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../src/demo/script.ts";
import { openTeamHost, type TeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team } from "../../support/teamScripts.ts";

const touch = (name: string) => call("Bash", { command: `touch ${name}` });
const lead = script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine.", "Fine.");

function modeOf({ session }: TeamHost, name: string): string | undefined {
  return session.members().find((member) => member.name === name)?.mode;
}

describe("the person changes a member's mode", () => {
  it("and it counts from its next decision on, is in config.json, and is a record in its inbox", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": lead, alice: script(calls(touch("a.txt")), calls(touch("b.txt")), "Done.") }),
    );
    host.session.start("Go.");
    const request = await host.request();
    await host.session.setMode("alice", "bypassPermissions");
    expect(host.session.requests.pending).toEqual([request]);
    await host.decide(request, { kind: "deny" });
    await host.rest();
    expect([existsSync(path.join(host.cwd, "a.txt")), existsSync(path.join(host.cwd, "b.txt"))]).toEqual([false, true]);
    const entry = (await host.store.inboxes.read("demo", "alice")).entries.find(({ text }) =>
      text.includes("mode_set_request"),
    );
    expect(entry).toMatchObject({ from: "team-lead", read: true });
    expect(JSON.parse(entry?.text ?? "")).toEqual({
      type: "mode_set_request",
      mode: "bypassPermissions",
      from: "team-lead",
    });
    const { members } = await host.store.teams.read("demo");
    expect(members.find(({ name }) => name === "alice")?.mode).toBe("bypassPermissions");
    expect(JSON.stringify(host.server.requests)).not.toContain("mode_set_request");
  });

  it("to plan: from then on nothing is changed before its plan is approved", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": lead,
        alice: script(
          calls(touch("a.txt")),
          calls(touch("b.txt")),
          calls(call("ExitPlanMode", { plan: "Touch b." })),
          calls(touch("b.txt")),
          "Done.",
        ),
      }),
    );
    host.session.start("Go.");
    const request = await host.request();
    await host.session.setMode("alice", "plan");
    await host.decide(request, { kind: "deny" });
    const plan = await host.request(({ kind }) => kind === "plan");
    expect(existsSync(path.join(host.cwd, "b.txt"))).toBe(false);
    await expect(host.session.setMode("alice", "default")).rejects.toThrow("alice waits with a plan: decide it");
    expect(modeOf(host, "alice")).toBe("plan");
    await host.decide(plan, { kind: "approve", mode: "bypassPermissions" });
    await host.rest();
    expect(existsSync(path.join(host.cwd, "b.txt"))).toBe(true);
  });

  it("also the lead's; a name that nobody has is refused", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: script("Here.") }));
    host.session.start("Go.");
    await host.rest();
    await host.session.setMode("team-lead", "acceptEdits");
    expect(modeOf(host, "team-lead")).toBe("acceptEdits");
    await expect(host.session.setMode("bob", "default")).rejects.toThrow('"bob" is not a member of team demo');
    await host.reload();
    expect(modeOf(host, "team-lead")).toBe("acceptEdits");
  });
});

describe("delegate mode of the lead", () => {
  it("leaves it team, message and task tools, refuses the others, and gives all back at the next request", async () => {
    const write = call("Write", { file_path: "x.txt", content: "x" });
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          "Ready.",
          calls({ ...write, unlisted: true }),
          calls(task("Write x")),
          "Given away.",
          calls(write),
          "Written.",
        ),
      }),
      { permissionMode: "bypassPermissions" },
    );
    const tools = () => host.server.requests.at(-1)?.request.tools?.map(({ name }) => name) ?? [];
    host.session.start("Go.");
    await host.rest();
    expect(tools()).toContain("Write");
    host.session.setDelegates(true);
    expect(host.session.delegates).toBe(true);
    await host.session.say("team-lead", "Write x.");
    await host.until("the task", async () => (await host.store.snapshots.read("demo")).graph.tasks.size === 1);
    await host.until("the end of its run", () => host.session.leadWaits);
    expect(tools().sort()).toEqual(
      ["SendMessage", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "Task", "TeamCreate", "TeamDelete"].sort(),
    );
    expect(existsSync(path.join(host.cwd, "x.txt"))).toBe(false);
    expect(JSON.stringify(host.server.requests)).toContain("The person has put you into delegate mode");
    await host.reload();
    expect(host.session.delegates).toBe(true);
    host.session.setDelegates(false);
    await host.session.say("team-lead", "Write it yourself.");
    await host.until("the file", () => existsSync(path.join(host.cwd, "x.txt")));
    expect(host.server.failures).toEqual([]);
  });
});
