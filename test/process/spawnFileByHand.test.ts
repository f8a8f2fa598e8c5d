import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createStore } from "../../src/store/store.ts";
import { DEFAULT_SETTINGS } from "../../src/team/defaultSettings.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { eventually } from "../support/eventually.ts";
import { startCli } from "../support/runCli.ts";
import { ALICE, useTeamByHand } from "../support/teamByHand.ts";
import { script, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();
const hand = useTeamByHand();

const presenceFile = () => path.join(hand.home.root, "teams/demo/muster/presence/alice.json");
const presence = (): Record<string, unknown> => JSON.parse(readFileSync(presenceFile(), "utf8"));

describe("the spawn file of a start by hand", () => {
  it("leaves a file alone that is no spawn file, and says so", async () => {
    const env = await hand.prepared(team({}));
    const file = path.join(hand.home.project, "mine.json");
    writeFileSync(file, '{"my": "own"}');
    const refused = await startCli(cli.file, hand.home, [...ALICE.split(" "), "--spawn-file", file], { env }).result();
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file} is no spawn file`) });
    expect(readFileSync(file, "utf8")).toBe('{"my": "own"}');
  });

  it.each([
    { whose: "of another teammate", member: { name: "bob" }, stays: true },
    { whose: "of another team", member: { team: "other" }, stays: true },
    { whose: "of an earlier one of its name", member: { incarnation: "earlier" }, stays: false },
  ])("does not start with a spawn file $whose, also where she runs already", async ({ member, stays }) => {
    const env = await hand.prepared(team({ alice: script("Hello.") }));
    const running = startCli(cli.file, hand.home, ALICE.split(" "), { env });
    try {
      await eventually("her rest", () => existsSync(presenceFile()) && presence()["state"] === "idle");
      const store = createStore({ root: hand.home.root });
      const alice = (await store.teams.read("demo")).members.find(({ name }) => name === "alice");
      const lead = { session: "s", process: await store.processes.self(), askedToStop: [] };
      const file = await store.spawns.write("demo", "alice", {
        member: { team: "demo", name: "alice", incarnation: alice?.muster?.incarnation, ...member },
        ...{ nonce: "n", apiKey: "k", baseUrl: env["ANTHROPIC_BASE_URL"], lead },
        ...{ cwd: hand.home.project, home: hand.home.dir, env: {}, settings: DEFAULT_SETTINGS },
        ...{ sessionRules: [], sessionDirectories: [] },
      });
      const refused = await startCli(cli.file, hand.home, [...ALICE.split(" "), "--spawn-file", file], {
        env,
      }).result();
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("spawn file") });
      expect(presence()["nonce"]).not.toBe("n");
      expect(existsSync(file)).toBe(stays);
      await store.spawns.remove("demo", "alice");
      await store.close();
    } finally {
      running.kill("SIGTERM");
      await running.result();
    }
  });
});
