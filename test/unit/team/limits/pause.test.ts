import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Tool, ToolContext } from "../../../../src/agent/types.ts";
import { Emitter } from "../../../../src/base/emitter.ts";
import { call } from "../../../../src/demo/script.ts";
import { type Hold, holdIn } from "../../../../src/protocol/team.ts";
import { endedByHold } from "../../../../src/team/limits/hold.ts";
import { openTeamHost, type TeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";

const bash = (command: string) => call("Bash", { command });
const lead = script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine.", "Fine.");
const everything = { permissionMode: "bypassPermissions" } as const;

/** Something that happens when the test says so. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

function exists({ cwd }: TeamHost, name: string): Promise<boolean> {
  return readFile(path.join(cwd, name)).then(
    () => true,
    () => false,
  );
}

/** What config.json tells everybody else of alice. */
async function told({ store }: TeamHost) {
  return holdIn(await store.teams.read("demo"), "alice");
}

it("a call that a hold ends is told to the model with what held it: the person's pause, or a budget", async () => {
  for (const [by, why] of [
    ["person", "The team was paused"],
    ["budget", "The budget was used up"],
  ] as const) {
    const changed = new Emitter<void>();
    let hold: Hold | null = null;
    const held = { holdOf: () => hold, onDidChange: changed.event };
    const slow: Tool = {
      ...{ name: "Slow", description: "", inputSchema: z.unknown(), parallel: false },
      run: () => new Promise(() => {}),
    };
    const call = { signal: new AbortController().signal } as ToolContext;
    const result = endedByHold(slow, held, "alice").run({}, call);
    hold = { by, since: 1 };
    changed.fire();
    const content = `${why}: this call was ended before it finished and may have taken effect in part. Check before you repeat it.`;
    expect(await result).toEqual({ content, isError: true });
  }
});

describe("a team that the person pauses", () => {
  it("ends the command that runs, asks no model anything, and goes on where it stopped", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": lead, alice: script(calls(bash("touch began && sleep 600")), "I looked again.") }),
      everything,
    );
    host.session.start("Go.");
    await host.until("the command", () => exists(host, "began"));
    await host.session.pauses.pause();
    await host.until("its result", () => host.events.find((event) => event.type === "tool_end" && !event.ok));
    await host.session.say("alice", "What happened?");
    expect(host.count("alice")).toBe(1);
    expect(host.session.pauses.team).toMatchObject({ by: "person" });
    expect(await told(host)).toEqual(host.session.pauses.team);
    await host.session.pauses.resume();
    await host.rest();
    expect(host.count("alice")).toBe(2);
    expect(host.sent("alice")[1]).toContain("The team was paused");
    expect(host.sent("alice")[1]).toContain("What happened?");
    expect(await told(host)).toBeNull();
  });

  it("lets a reply that is being written arrive, and runs its calls only when it goes on", async () => {
    const asked = gate();
    const answer = gate();
    await using host = await openTeamHost(
      team({
        "team-lead": lead,
        alice: script(async () => {
          asked.open();
          await answer.opened;
          return calls(bash("touch made"));
        }, "Made."),
      }),
      everything,
    );
    host.session.start("Go.");
    await asked.opened;
    await host.session.pauses.pause();
    answer.open();
    await host.until("alice's reply", () =>
      host.events.some((event) => event.type === "usage" && event.member === "alice") ? true : undefined,
    );
    expect(host.events.some((event) => event.type === "tool_start" && event.name === "Bash")).toBe(false);
    await host.session.pauses.resume();
    await host.rest();
    expect(await exists(host, "made")).toBe(true);
  });

  it("is still paused after a reload, and nobody wakes for mail or takes a task meanwhile", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "Waiting.", "Fine.", "Fine."),
        alice: script(calls(bash("touch began && sleep 600")), "Again."),
        bob: script("Here.", "Yours.", "Done."),
      }),
      everything,
    );
    host.session.start("Go.");
    await host.until("the command", () => exists(host, "began"));
    await host.until(
      "bob to rest",
      () => host.session.members().some(({ name, state }) => name === "bob" && state === "idle") || undefined,
    );
    await host.session.pauses.pause();
    const before = host.session.pauses.team;
    await host.reload();
    expect(host.session.pauses.team).toEqual(before);
    const counts = () => ["team-lead", "alice", "bob"].map((name) => host.count(name));
    const then = counts();
    await host.session.say("bob", "Look at this.");
    await host.store.tasks.create("demo", { subject: "Mend it", description: "All of it." });
    await host.reload();
    expect(counts()).toEqual(then);
    await host.session.pauses.resume();
    await host.until(
      "bob to be told",
      () => host.sent("bob").some((text) => text.includes("Look at this.")) || undefined,
    );
    await host.until("alice to go on", () => host.count("alice") === 2 || undefined);
    expect((await host.store.audit.read({ team: "demo", agent: "team-lead" })) as object[]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: "paused" }),
        expect.objectContaining({ event: "resumed" }),
      ]),
    );
  });

  it("is paused before its lead has made a team, and stays so", async () => {
    const asked = gate();
    const answer = gate();
    await using host = await openTeamHost(
      team({
        "team-lead": script(async () => {
          asked.open();
          await answer.opened;
          return calls(createTeam);
        }, "Made."),
      }),
    );
    host.session.start("Go.");
    await asked.opened;
    await host.session.pauses.pause();
    answer.open();
    await host.until("the reply", () => host.events.find(({ type }) => type === "usage"));
    await host.reload();
    expect(host.session.pauses.team).toMatchObject({ by: "person" });
    expect(host.session.team).toBeNull();
    await host.session.pauses.resume();
    await host.rest();
    expect(host.session.team).toBe("demo");
  });

  it("lets the person decide a request; what it allows runs when the team goes on", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": lead, alice: script(calls(bash("touch made")), "Made.") }),
    );
    host.session.start("Go.");
    const request = await host.request();
    await host.session.pauses.pause();
    await host.decide(request, { kind: "allow", scope: "once" });
    await host.session.say("alice", "Go on.");
    expect(await exists(host, "made")).toBe(false);
    await host.session.pauses.resume();
    await host.rest();
    expect(await exists(host, "made")).toBe(true);
  });

  it("is ended at once, without waiting for members that cannot answer", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": lead, alice: script(calls(bash("touch began && sleep 600")), "Again.") }),
      everything,
    );
    host.session.start("Go.");
    await host.until("the command", () => exists(host, "began"));
    await host.session.pauses.pause();
    const summary = await host.session.end({ graceMs: 600_000, interrupted: true });
    expect(summary.result).toBe("interrupted");
  });
});
