import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../../src/demo/script.ts";
import { inputDigest, planDigest } from "../../../../src/protocol/digest.ts";
import { openTeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team, teamOfAlice } from "../../../support/teamScripts.ts";

const touch = (name: string) => call("Bash", { command: `touch ${name}` });

describe("a permission request of a teammate", () => {
  it("waits in the lead's inbox, never reaches its model, and runs nothing before it is allowed", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine."),
        alice: script(calls(touch("made.txt")), "Made."),
      }),
    );
    host.session.start("Go.");
    const request = await host.request();
    expect(request).toMatchObject({
      kind: "permission",
      from: "alice",
      tool: "Bash",
      input: { command: "touch made.txt" },
    });
    expect(host.session.members().find((member) => member.name === "alice")?.state).toBe("waiting");
    const waiting = (await host.store.inboxes.read("demo", "team-lead")).entries.at(-1);
    expect(waiting).toMatchObject({ from: "alice", read: false, color: "blue" });
    expect(Object.keys(JSON.parse(waiting?.text ?? "{}")).slice(0, 6)).toEqual([
      "type",
      "request_id",
      "agent_id",
      "tool_name",
      "tool_use_id",
      "description",
    ]);
    await expect(readFile(path.join(host.cwd, "made.txt"))).rejects.toThrow("ENOENT");
    await host.decide(request, { kind: "allow", scope: "once" });
    await host.rest();
    expect(await readFile(path.join(host.cwd, "made.txt"), "utf8")).toBe("");
    const record = (await host.store.inboxes.read("demo", "alice")).entries.at(-1);
    expect(record).toMatchObject({ from: "team-lead", read: true });
    expect(JSON.parse(record?.text ?? "{}")).toMatchObject({
      type: "permission_response",
      subtype: "success",
      approved_request: { tool_name: "Bash", input_digest: inputDigest("Bash", { command: "touch made.txt" }) },
    });
    expect((await host.store.inboxes.read("demo", "team-lead")).entries.every((entry) => entry.read)).toBe(true);
    expect(JSON.stringify(host.server.requests.filter((item) => item.member === "team-lead"))).not.toContain(
      "permission_request",
    );
  });

  it("that is denied is told to the model with the reason, and the run goes on", async () => {
    await using host = await openTeamHost(teamOfAlice(script(calls(touch("no.txt")), "I understand.")));
    host.session.start("Go.");
    await host.decide(await host.request(), { kind: "deny", reason: "Use the Write tool." });
    await host.rest();
    expect(JSON.stringify(host.server.requests.findLast((item) => item.member === "alice")?.request)).toContain(
      "Use the Write tool.",
    );
    await expect(readFile(path.join(host.cwd, "no.txt"))).rejects.toThrow("ENOENT");
  });

  it("is decided exactly once; a late, double or unknown answer does nothing", async () => {
    await using host = await openTeamHost(teamOfAlice(script(calls(touch("a.txt")), "Done.")));
    host.session.start("Go.");
    const request = await host.request();
    const results = await Promise.all([
      host.session.requests.decide(request.id, { kind: "deny" }, "person"),
      host.session.requests.decide(request.id, { kind: "allow", scope: "once" }, "person"),
      host.session.requests.decide("perm-0-unknown", { kind: "allow", scope: "once" }, "person"),
      host.session.requests.decide(request.id, { kind: "approve", mode: "bypassPermissions" }, "person"),
    ]);
    expect(results).toEqual(["decided", "gone", "gone", "gone"]);
    await host.rest();
    expect(host.events.filter((event) => event.type === "decision")).toHaveLength(1);
    await expect(readFile(path.join(host.cwd, "a.txt"))).rejects.toThrow("ENOENT");
  });

  it("with a changed input runs the changed call, which is judged again (T6)", async () => {
    await using host = await openTeamHost(teamOfAlice(script(calls(touch("a.txt")), calls(touch("b.txt")), "Done.")), {
      rules: { allow: [], ask: [], deny: ["Bash(touch forbidden.txt)"], additionalDirectories: [] },
    });
    host.session.start("Go.");
    await host.decide(await host.request(), {
      kind: "allow",
      scope: "once",
      updatedInput: { command: "touch other.txt" },
    });
    const second = await host.request(
      (request) => request.kind === "permission" && request.input["command"] === "touch b.txt",
    );
    await host.decide(second, { kind: "allow", scope: "once", updatedInput: { command: "touch forbidden.txt" } });
    await host.rest();
    expect(await readFile(path.join(host.cwd, "other.txt"), "utf8")).toBe("");
    await expect(readFile(path.join(host.cwd, "forbidden.txt"))).rejects.toThrow("ENOENT");
    await expect(readFile(path.join(host.cwd, "a.txt"))).rejects.toThrow("ENOENT");
  });

  it("goes when its run is interrupted", async () => {
    await using host = await openTeamHost(teamOfAlice(script(calls(touch("a.txt")), "Done.")));
    host.session.start("Go.");
    const request = await host.request();
    await host.session.interrupt("alice");
    await host.until("the withdrawal", () => (host.session.requests.pending.length === 0 ? true : undefined));
    expect(await host.session.requests.decide(request.id, { kind: "allow", scope: "once" }, "person")).toBe("gone");
    await host.rest();
    expect(host.session.members().find((member) => member.name === "alice")).toMatchObject({
      state: "idle",
      reason: "interrupted",
    });
  });
});

describe("a plan", () => {
  const write = (file: string, content: string) => call("Write", { file_path: file, content });

  it("really waits: nothing but the plan file is written before a decision, and sent back it stays so (rows 32, 34)", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice", { mode: "plan" })), "Waiting."),
        alice: script(
          (turn) =>
            calls(write("early.txt", "x"), write(/plan file: (\S+)/i.exec(turn.incoming.state)?.[1] ?? "", "1. Look")),
          calls(call("ExitPlanMode")),
          calls(write("early.txt", "x"), call("ExitPlanMode", { plan: "1. Look\n2. Mend" })),
          calls(write("late.txt", "y")),
          "Done.",
        ),
      }),
    );
    host.session.start("Go.");
    const first = await host.request();
    expect(first).toMatchObject({ kind: "plan", planContent: "1. Look", version: 1, afterMode: "acceptEdits" });
    await host.decide(first, { kind: "reject", feedback: "And then?" });
    const second = await host.request((request) => request.id !== first.id);
    expect(second).toMatchObject({ kind: "plan", planContent: "1. Look\n2. Mend", version: 2 });
    expect(JSON.stringify(host.server.requests)).toContain("And then?");
    await expect(readFile(path.join(host.cwd, "early.txt"))).rejects.toThrow("ENOENT");
    expect(await host.session.requests.decide(first.id, { kind: "approve", mode: "acceptEdits" }, "person")).toBe(
      "gone",
    );
    await host.decide(second, { kind: "approve", mode: "acceptEdits" });
    await host.rest();
    expect(await readFile(path.join(host.cwd, "late.txt"), "utf8")).toBe("y");
    await expect(readFile(path.join(host.cwd, "early.txt"))).rejects.toThrow("ENOENT");
    const answers = (await host.store.inboxes.read("demo", "alice")).entries
      .slice(1)
      .map((entry) => JSON.parse(entry.text));
    expect(answers).toMatchObject([
      { type: "plan_approval_response", requestId: first.id, approved: false, feedback: "And then?" },
      {
        type: "plan_approval_response",
        requestId: second.id,
        approved: true,
        permissionMode: "acceptEdits",
        planDigest: planDigest("1. Look\n2. Mend"),
      },
    ]);
    const config = await host.store.teams.read("demo");
    expect(config.members[1]).toMatchObject({ name: "alice", planModeRequired: true, mode: "acceptEdits" });
  });

  it("that could not be read is not submitted, and the member stays in plan mode", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice", { mode: "plan" })), "Waiting."),
        alice: script(calls(call("ExitPlanMode")), "Oh."),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    expect(host.session.members().find((member) => member.name === "alice")?.mode).toBe("plan");
    expect(host.events.filter((event) => event.type === "request")).toEqual([]);
    expect(JSON.stringify(host.server.requests.filter((item) => item.member === "alice").at(-1)?.request)).toContain(
      "nothing was submitted",
    );
  });

  it("of the model's own making needs no decision", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(call("EnterPlanMode")),
          calls(write("no.txt", "x"), call("ExitPlanMode", { plan: "Just do it." })),
          calls(write("yes.txt", "x")),
          "Done.",
        ),
      }),
      { permissionMode: "acceptEdits" },
    );
    host.session.start("Go.");
    await host.rest();
    await expect(readFile(path.join(host.cwd, "no.txt"))).rejects.toThrow("ENOENT");
    expect(await readFile(path.join(host.cwd, "yes.txt"), "utf8")).toBe("x");
    expect(host.events.filter((event) => event.type === "request")).toEqual([]);
  });
});

describe("tools", () => {
  it("cannot touch the team's own files in any mode", async () => {
    let root = "";
    const file = (name: string) => path.join(root, "teams", "demo", name);
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          () =>
            calls(
              call("Read", { file_path: file("config.json") }),
              call("Write", { file_path: file("inboxes/team-lead.json"), content: "[]" }),
              call("Bash", { command: `echo '[]' > ${file("inboxes/team-lead.json")}` }),
              call("Bash", { command: `cat ${file("config.json")}` }),
            ),
          "I may not.",
        ),
      }),
      { permissionMode: "bypassPermissions" },
    );
    root = host.root;
    host.session.start("Go.");
    await host.rest();
    expect(host.events.flatMap((event) => (event.type === "tool_start" ? [event.name] : []))).toEqual(["TeamCreate"]);
    expect(JSON.stringify(host.server.requests)).not.toContain("leadSessionId");
  });
});
