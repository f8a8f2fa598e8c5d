import { describe, expect, it, vi } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { createFinishedTeam } from "../../../../src/extension/teams/finishedTeam.ts";
import { showEnded } from "../../../../src/extension/teams/showEnded.ts";
import type { EndedTeam } from "../../../../src/extension/teams/teams.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";
import { shownTeam } from "../../../support/shownTeam.ts";
import { calls, createTeam, script, team } from "../../../support/teamScripts.ts";
import { readyTeam, teamsOf } from "../../../support/windowTeams.ts";

const asks = () => team({ "team-lead": script("Which one?") });

/** What is shown of an ended team: what it left in memory. */
async function fromMemory({ ready: { team, store }, result }: EndedTeam) {
  const known = { result, scripted: false, goal: "Go.", title: "demo", cwd: null };
  return createFinishedTeam(team.remains(), known, { store, models: DEFAULT_MODELS });
}

describe("the teams of a window", () => {
  it("run one at a time: a second one that is ready is let go of, and nothing of it runs", async () => {
    const [first, second] = [await readyTeam(asks()), await readyTeam(asks())];
    await using _first = first.host;
    await using _second = second.host;
    const teams = teamsOf(fromMemory);
    await teams.run(first.ready);
    await expect(teams.run(second.ready)).rejects.toMatchObject({ reason: "not_ready" });
    expect([teams.live, teams.current]).toEqual([first.live, first.live]);
    expect(second.closed.times).toBe(1);
    await first.host.rest();
    expect([first.host.count("team-lead"), second.host.count("team-lead")]).toEqual([1, 0]);
    await teams.end(0);
    expect([first.closed.times, second.closed.times]).toEqual([1, 1]);
  });

  it("show no other while one runs", async () => {
    const { host, live, ready } = await readyTeam(asks());
    await using _ = host;
    const teams = teamsOf(fromMemory);
    await teams.run(ready);
    const dispose = vi.fn();
    const other = { ...shownTeam(), dispose };
    expect(() => teams.show(other)).toThrow("Another team runs in this window by now");
    expect(() => teams.show(null)).toThrow("Another team runs in this window by now");
    expect(teams.current).toBe(live);
    expect(dispose).toHaveBeenCalledOnce();
    await teams.end(0);
    teams.show(other);
    expect(teams.current).toBe(other);
  });

  it("know one that has ended by the key that it ran by, so that drafts and places stay, whether its lead made a team or not", async () => {
    for (const [lead, kind] of [
      [script("Which one?"), undefined],
      [script(calls(createTeam), "Which one?"), "team"],
    ] as const) {
      const { host, live, ready } = await readyTeam(team({ "team-lead": lead }));
      await using _ = host;
      const teams = teamsOf((ended) =>
        showEnded(ended, { settings: () => ({ models: DEFAULT_MODELS }), log: silentLogger }),
      );
      await teams.run(ready);
      await host.rest();
      const { team: key, title } = live.state();
      expect(key).toBe(host.session.id);
      await teams.end(0);
      expect(teams.current?.address?.kind).toBe(kind);
      expect(teams.current?.state()).toMatchObject({ team: key, title, finished: { result: "completed" } });
    }
  });

  it("show nothing of one whose end failed, and may run another", async () => {
    const [first, second] = [await readyTeam(asks()), await readyTeam(asks())];
    await using _first = first.host;
    await using _second = second.host;
    const teams = teamsOf(async () => {
      throw new Error("It cannot be read.");
    });
    await teams.run(first.ready);
    await expect(teams.end(0)).rejects.toThrow("It cannot be read.");
    expect([teams.live, teams.current, first.closed.times]).toEqual([null, null, 1]);
    await teams.run(second.ready);
    expect(teams.current).toBe(second.live);
    await teams.suspend();
  });

  it("show nothing of one that cannot begin, and release it once", async () => {
    const { host, ready, closed } = await readyTeam(asks());
    await using _ = host;
    const teams = teamsOf(fromMemory);
    const begin = async () => {
      throw new Error("It is led elsewhere.");
    };
    await expect(teams.run({ ...ready, begin })).rejects.toThrow("It is led elsewhere.");
    expect([teams.live, teams.current, closed.times]).toEqual([null, null, 1]);
  });

  it("release one once that is left to the next window while it begins", async () => {
    const { host, ready, closed } = await readyTeam(asks());
    await using _ = host;
    const teams = teamsOf(fromMemory);
    const suspended = Promise.withResolvers<void>();
    const running = teams.run({ ...ready, begin: () => suspended.promise });
    await teams.suspend();
    suspended.reject(new Error("It was suspended."));
    await expect(running).rejects.toThrow("It was suspended.");
    expect(closed.times).toBe(1);
  });
});
