import { spawn as spawnProcess } from "node:child_process";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call } from "../../../../src/demo/script.ts";
import type { TeamAddress } from "../../../../src/extension/teams/shownTeam.ts";
import { isLeftSoon } from "../../../../src/extension/teams/storedTeams.ts";
import { startTimeOf } from "../../../../src/store/processIdentity.ts";
import { openTeamHost, type TeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";

const SOON_MS = 600_000;

/** A team, and a lead that has made none yet. */
const KINDS = [
  { kind: "team", turns: [calls(createTeam), calls(spawn("alice")), "Waiting."] },
  { kind: "lead", turns: ["What is it about?"] },
] as const;

describe.for(KINDS)("whether a window goes on by itself with a $kind", ({ kind, turns }) => {
  const opened = () => openTeamHost(team({ "team-lead": script(...turns), alice: script("Ready.") }));
  const left = ({ root, session }: TeamHost, soonMs = SOON_MS) => {
    const address: TeamAddress = { root, kind, folder: kind === "team" ? "demo" : session.id };
    return isLeftSoon({ address }, soonMs, silentLogger);
  };

  it("it does where its host went away", async () => {
    await using host = await opened();
    host.session.start("Go.");
    await host.rest();
    await host.session.suspend();
    expect(await left(host)).toBe(true);
    expect(await left(host, -1)).toBe(false); // too long ago
  });

  it("it does where its host goes away while it waits, and does not where its session is ended meanwhile", async () => {
    if (kind === "lead") return; // nobody can tell whether somebody leads it
    for (const how of ["suspend", "end"] as const) {
      await using host = await opened();
      host.session.start("Go.");
      await host.rest();
      const waiting = left(host);
      if (how === "suspend") await host.session.suspend();
      else await host.session.end({ graceMs: 0, interrupted: true });
      expect([how, await waiting]).toEqual([how, how === "suspend"]);
    }
  });

  it("it does not where its host goes away in the middle of the end that the person asked for", async () => {
    if (kind === "lead") return; // it has nobody to wait for
    await using host = await openTeamHost(
      team({ "team-lead": script(...turns), alice: script(calls(call("Bash", { command: "touch made.txt" }))) }),
    );
    host.session.start("Go.");
    await host.request();
    const ended = host.session.end({ graceMs: 3_000, interrupted: true });
    await host.until("the word of its end", async () => (await host.store.presence.read("demo", "team-lead"))?.ended);
    expect(await host.store.leads.read("demo")).not.toBeNull(); // as a host that is killed here leaves it
    expect(await left(host)).toBe(false);
    await ended;
  });

  it("it does not where its session ended in order, until somebody has gone on with it", async () => {
    await using host = await opened();
    host.session.start("Go.");
    await host.rest();
    await host.session.end({ graceMs: 0, interrupted: true });
    expect(await left(host)).toBe(false);
    await host.resume();
    await host.session.say("team-lead", "Go on.");
    await host.until("an answer", () => host.sent("team-lead").some((text) => text.includes("Go on.")));
    await host.rest();
    await host.session.suspend();
    expect(await left(host)).toBe(true);
  });
});

it("a lead without a team does not go on while the process that ran it lives, its window seen or not", async () => {
  await using host = await openTeamHost(team({ "team-lead": script("What is it about?") }));
  host.session.start("Go.");
  await host.rest();
  const address: TeamAddress = { root: host.root, kind: "lead", folder: host.session.id };
  const other = spawnProcess("sleep", ["60"]);
  const process = { ...(await host.store.processes.self()), pid: other.pid ?? 0 };
  process.startTime = await startTimeOf(process.pid);
  const waiting = isLeftSoon({ address, process }, SOON_MS, silentLogger);
  const later = new Promise((resolve) => setTimeout(() => resolve("waits"), 1_500));
  expect(await Promise.race([waiting, later])).toBe("waits");
  other.kill("SIGKILL");
  expect(await waiting).toBe(true);
});
