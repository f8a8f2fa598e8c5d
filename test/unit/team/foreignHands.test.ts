import { mkdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { deferred } from "../../../src/base/deferred.ts";
import { call } from "../../../src/demo/script.ts";
import { openTeamHost, type TeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team } from "../../support/teamScripts.ts";

const stopAlice = call("SendMessage", { type: "shutdown_request", recipient: "alice", content: "All done." });

describe("another program that deletes the team's files", () => {
  it("ends the teammates and lets the session rest as failed, in the middle of a request too", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "Waiting.", "I go on alone."),
        alice: script(calls(call("Bash", { command: "touch made-by-alice" }))),
      }),
    );
    host.session.start("Go.");
    await host.request();
    const paths = host.store.paths.team("demo");
    for (const folder of [paths.dir, paths.tasks]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    const rest = await restOfKind(host, "failed");
    expect(rest).toMatchObject({
      reason: "unknown_team",
      message: "Another program deleted the files of team demo: its members have ended.",
    });
    await host.until("the end of both", () => host.session.members().length === 1 || undefined);
    expect(host.session.requests.pending).toEqual([]);
    const before = host.count("team-lead");
    await host.session.say("team-lead", "Go on.");
    await host.until("the lead's next request", () => (host.count("team-lead") > before ? true : undefined));
  });
});

describe("another program that deletes the team's files while its lead writes down what it said", () => {
  it("lets the lead rest as failed and hear the person's next words, with no team", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), calls(call("TaskList", {})), "I go on alone.") }),
    );
    const { transcripts } = host.store;
    const append = transcripts.append.bind(transcripts);
    const deleted = deferred<void>();
    const slow = vi.spyOn(transcripts, "append").mockImplementation(async (owner, record) => {
      if ("team" in owner && record.kind === "reply" && JSON.stringify(record).includes("TaskList")) {
        const { dir, tasks } = host.store.paths.team(owner.team);
        for (const folder of [dir, tasks]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        await deleted.promise; // a disk that is slower than the news
      }
      return append(owner, record);
    });
    host.session.events((event) => event.type === "team_deleted" && deleted.resolve());
    host.session.start("Go.");
    expect(await restOfKind(host, "failed")).toMatchObject({
      reason: "unknown_team",
      message: "Another program deleted the files of team demo: its members have ended.",
    });
    await host.session.say("team-lead", "Go on.");
    await host.until("the lead's next request", () => host.lastSent("team-lead").includes("Go on.") || undefined);
    slow.mockRestore();
  });
});

describe("another program that takes a member out of the team", () => {
  it("ends that member, so that the team comes to rest though a free task is left", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice")),
          "Waiting.",
          "Noted.",
          calls(task("Free")),
          "Hm.",
          "So be it.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    const { config } = host.store.paths.team("demo");
    const content = JSON.parse(await readFile(config, "utf8"));
    content.members = content.members.filter((member: { name: string }) => member.name !== "alice");
    await writeFile(config, JSON.stringify(content));
    const left = await host.until("alice's leaving", () => host.events.find((event) => event.type === "member_left"));
    expect(left).toMatchObject({ member: "alice", reason: "another program removed it from the team" });
    await host.session.say("team-lead", "Make a task.");
    await host.until("the task", () => host.events.find((event) => event.type === "task"));
    await restOfKind(host, "at_rest");
  });
});

describe("a lease that cannot be given back", () => {
  it("does not keep a session from its end", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.") }),
    );
    host.session.start("Go.");
    await host.rest();
    const { lead } = host.store.paths.team("demo");
    await host.until("a folder in the lease's place", async () => {
      await rm(lead, { force: true });
      return mkdir(lead).then(
        () => true,
        () => undefined,
      );
    });
    await expect(host.session.end({ graceMs: 0, interrupted: false })).resolves.toMatchObject({ result: "completed" });
  });
});

describe("a member that is going", () => {
  it("keeps the team from being at rest until its lead knows, however long the files take", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice")),
          calls(stopAlice),
          "I wait until alice has stopped.",
          "She has.",
        ),
      }),
    );
    const lock = `${host.store.paths.team("demo").config}.lock`;
    const held = host.until("alice's agreement", async () => {
      const agrees = host.events.some((event) => event.type === "tool_start" && event.member === "alice");
      if (agrees) await mkdir(lock);
      return agrees || undefined;
    });
    host.session.start("Go.");
    await held;
    setTimeout(() => void rmdir(lock), 700);
    await host.rest();
    expect(JSON.stringify(host.server.requests.at(-1)?.request.messages)).toContain("alice has shut down.");
  });
});

/** Rests that came before are looked over. */
function restOfKind(host: TeamHost, kind: string) {
  return host.until(`a rest of the kind ${kind}`, async () => {
    const rest = await host.rest();
    return rest.kind === kind ? rest : undefined;
  });
}
