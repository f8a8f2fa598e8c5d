import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { MusterError } from "../../../src/base/errors.ts";
import { call, type Turn } from "../../../src/demo/script.ts";
import type { Store } from "../../../src/store/store.ts";
import { openTeamHost, type TeamHost } from "../../support/teamHost.ts";
import {
  agreeable,
  calls,
  createTeam,
  script,
  shutdownId,
  spawn,
  task,
  team,
  update,
} from "../../support/teamScripts.ts";

const askToStop = (recipient: string) =>
  call("SendMessage", { type: "shutdown_request", recipient, content: "All done." });

const agreesAgain = ({ request }: Turn) => {
  const request_id = /shutdown-\d+@alice/.exec(JSON.stringify(request.messages))?.[0];
  return calls(call("SendMessage", { type: "shutdown_response", request_id, approve: true }));
};

describe("shutting down", () => {
  it("takes the member away, releases its tasks and tells the lead", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("Left")),
          calls(spawn("alice")),
          "Waiting.",
          calls(askToStop("alice")),
          "Asked.",
          "Gone.",
        ),
        alice: script("Ready.", calls(update("1", { status: "in_progress" })), "I stop here.", agreeable),
      }),
    );
    host.session.start("Go.");
    await host.until("alice's leaving", () => host.events.find((event) => event.type === "member_left"));
    await host.rest();
    expect(host.session.members().map((member) => member.name)).toEqual(["team-lead"]);
    expect((await host.store.teams.read("demo")).members.map((member) => member.name)).toEqual(["team-lead"]);
    expect((await host.store.tasks.list("demo")).tasks.get("1")).toMatchObject({ status: "pending" });
    expect((await host.store.tasks.list("demo")).tasks.get("1")?.owner ?? "").toBe("");
    const told = JSON.stringify(host.server.requests.findLast((record) => record.member === "team-lead")?.request);
    expect(told).toContain("alice has shut down. 1 task(s) were unassigned: #1");
    const { entries } = await host.store.inboxes.read("demo", "team-lead");
    expect(JSON.parse(entries.at(-1)?.text ?? "{}")).toMatchObject({
      type: "shutdown_approved",
      from: "alice",
      paneId: "in-process",
      backendType: "in-process",
    });
  });

  it("is told as the newest of a member: that it was idle before is not told behind it", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice"), spawn("bob")),
          calls(call("Bash", { command: "until [ -e go ]; do sleep 0.05; done" })),
          calls(askToStop("alice")),
          "Asked.",
          "Gone.",
        ),
        alice: script("Ready.", agreeable),
      }),
      { permissionMode: "bypassPermissions" },
    );
    host.session.start("Go.");
    await host.until("both idle", async () => {
      const { entries } = await host.store.inboxes.read("demo", "team-lead");
      return entries.filter(({ text }) => text.includes("idle_notification")).length === 2 || undefined;
    });
    await writeFile(path.join(host.cwd, "go"), "");
    await host.until("alice's leaving", () => host.events.find((event) => event.type === "member_left"));
    await host.rest();
    const told = host.lastSent("team-lead");
    expect(told).toContain("alice has shut down.");
    expect(told).toContain("- bob is idle");
    expect(told).not.toContain("alice is idle");
  });

  it("can be refused with a reason, which the lead reads", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice")),
          "Waiting.",
          calls(askToStop("alice")),
          "Asked.",
          "I see.",
        ),
        alice: script("Ready.", (turn) =>
          calls(
            call("SendMessage", {
              message: {
                type: "shutdown_response",
                request_id: shutdownId(turn),
                approve: false,
                reason: "Still at #3.",
              },
            }),
          ),
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    expect(JSON.stringify(host.server.requests)).toContain("Still at #3.");
    expect(host.session.members().map((member) => member.name)).toEqual(["team-lead", "alice"]);
  });

  it("is answered again where the answer could not be sent", async () => {
    let refusals = 0;
    const throughStore = (store: Store): Store => {
      const inboxes = Object.create(store.inboxes) as Store["inboxes"];
      inboxes.send = (teamName, draft) => {
        if (!draft.text.includes("shutdown_approved") || refusals > 0) return store.inboxes.send(teamName, draft);
        refusals += 1;
        return Promise.reject(new MusterError("lock_timeout", "The inbox is locked."));
      };
      return { ...store, inboxes };
    };
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice")), calls(askToStop("alice")), "Asked.", "Gone."),
        alice: script("Ready.", agreeable, agreesAgain, "It did not go."),
      }),
      {},
      { throughStore },
    );
    host.session.start("Go.");
    await host.until("alice's leaving", () => host.events.find((event) => event.type === "member_left"));
    expect(refusals).toBe(1);
    expect(host.events.find(({ type }) => type === "member_left")).toMatchObject({
      member: "alice",
      reason: "shutdown",
    });
    expect(JSON.stringify(host.server.requests)).toContain("The inbox is locked.");
    expect(JSON.stringify(host.server.requests)).not.toContain("There is no open shutdown request");
  });

  it("is what TeamDelete waits for: it refuses while a teammate lives, and changes nothing", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice")),
          calls(call("TeamDelete")),
          "Waiting.",
          calls(askToStop("alice")),
          "Asked.",
          calls(call("TeamDelete")),
          "All is well.",
        ),
      }),
    );
    host.session.start("Go.");
    const rest = await host.rest();
    expect(rest.kind).toBe("deleted");
    const early = host.server.requests.find((record) => JSON.stringify(record.request).includes("alice still live"));
    expect(early?.member).toBe("team-lead");
    await expect(host.store.teams.read("demo")).rejects.toMatchObject({ reason: "unknown_team" });
    const summary = await host.session.summary(false);
    expect(summary).toMatchObject({ result: "completed", text: "All is well." });
    expect(summary.history).toMatch(/^demo-\d{8}-\d{6}/);
    const kept = await host.store.transcripts.read({ finished: summary.history ?? "", agent: "team-lead" });
    expect(JSON.stringify(kept)).toContain("All is well.");
  });

  it("by the person goes the same way", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Nothing to add.") }),
    );
    host.session.start("Go.");
    await host.rest();
    await host.session.askToStop("alice", "Thank you.");
    await host.until("alice's leaving", () => host.events.find((event) => event.type === "member_left"));
    expect(host.events.find((event) => event.type === "member_left")).toMatchObject({
      member: "alice",
      reason: "shutdown",
    });
  });
});

const ends = call("Bash", { command: "touch never.txt", description: "Do it" });
const refuse = (turn: Turn) =>
  calls(
    call("SendMessage", { type: "shutdown_response", request_id: shutdownId(turn), approve: false, content: "No." }),
  );

describe("a member whose request waits when the person asks it to stop", () => {
  const lead = script(calls(createTeam), calls(spawn("alice", { mode: "default" })), "Waiting.", "I see.", "Fine.");
  const left = (host: TeamHost) =>
    host.until("its leaving", () => host.events.find(({ type }) => type === "member_left"));

  it("answers at once: the request is withdrawn, and nothing runs", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: script(calls(ends), "I hear.") }));
    host.session.start("Go.");
    const request = await host.request();
    await host.session.askToStop("alice", "Thank you.");
    expect(await left(host)).toMatchObject({ member: "alice", reason: "shutdown" });
    expect(host.session.requests.pending).toEqual([]);
    expect(await host.session.requests.decide(request.id, { kind: "allow", scope: "once" }, "person")).toBe("gone");
    const told = JSON.stringify(host.server.requests.filter(({ member }) => member === "alice"));
    expect(told).toContain("Nobody decides on this call any more: you are asked to shut down.");
    await expect(readFile(path.join(host.cwd, "never.txt"))).rejects.toThrow("ENOENT");
    const { entries } = await host.store.inboxes.read("demo", "team-lead");
    expect(entries.filter(({ text, read }) => text.includes("permission_request") && !read)).toEqual([]);
  });

  it("asks for nothing more until it has answered, and is decided on again after a refusal", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": lead,
        alice: script(calls(ends), calls(ends), "I hear.", refuse, "I stay.", calls(ends), "Done."),
      }),
    );
    host.session.start("Go.");
    const first = await host.request();
    await host.session.askToStop("alice", "Thank you.");
    await host.until("the refusal", () => host.lastSent("team-lead").includes("shutdown_rejected"));
    await host.session.say("alice", "Then go on.");
    const second = await host.request(({ id }) => id !== first.id);
    await host.decide(second, { kind: "allow", scope: "once" });
    await host.until("its file", () =>
      readFile(path.join(host.cwd, "never.txt"), "utf8").then(
        () => true,
        () => false,
      ),
    );
    expect(host.events.filter(({ type }) => type === "request")).toHaveLength(2);
  });

  it("does not hold up the end of the session, be it a call or a plan", async () => {
    const plan = calls(call("ExitPlanMode", { plan: "1. Look" }));
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          ...[
            calls(createTeam),
            calls(spawn("alice", { mode: "default" }), spawn("bob", { mode: "plan" })),
            "Waiting.",
          ],
        ),
        alice: script(calls(ends), "I hear."),
        bob: script(plan, "I hear."),
      }),
    );
    host.session.start("Go.");
    await host.until("both requests", () => host.session.requests.pending.length === 2);
    await host.session.end({ graceMs: 600_000, interrupted: true });
    const reasons = host.events.flatMap((event) => (event.type === "member_left" ? [event.reason] : []));
    expect(reasons).toEqual(["shutdown", "shutdown"]);
    const told = JSON.stringify(host.server.requests.filter(({ member }) => member === "bob"));
    expect(told).toContain("Nobody decides on your plan any more");
  });
});

describe("the end of a session", () => {
  it("asks every member, then ends the ones that do not answer in time; the files stay", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "Waiting.", "Nothing to add."),
        bob: script("Ready.", calls(call("Bash", { command: "sleep 30" }))),
      }),
      { permissionMode: "bypassPermissions" },
    );
    host.session.start("Go.");
    await host.rest();
    const summary = await host.session.end({ graceMs: 1_000, interrupted: false });
    expect(summary.result).toBe("completed");
    const left = host.events.filter((event) => event.type === "member_left");
    expect(left).toMatchObject([{ member: "alice", reason: "shutdown" }, { member: "bob" }]);
    expect((await host.store.teams.read("demo")).members.map((member) => member.name)).toEqual(["team-lead"]);
  });
});
