import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reportTeam } from "../../../src/cli/teamReport.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { statusOutput } from "../../support/cliContract.ts";
import { scriptingTeam } from "../../support/scriptingTeam.ts";

const CAPTURES = path.resolve(import.meta.dirname, "../../fixtures/captures");

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "muster-report-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("teams that the reference system wrote", () => {
  for (const capture of globSync("*/steps", { cwd: CAPTURES }).sort())
    test(`${path.dirname(capture)}: every step is told in the contract's shape`, async () => {
      for (const step of globSync("*", { cwd: path.join(CAPTURES, capture) }).sort()) {
        const copy = path.join(root, step);
        cpSync(path.join(CAPTURES, capture, step), copy, { recursive: true });
        const store = createStore({ root: copy });
        for (const { name, fault } of await store.teams.list()) {
          expect(fault).toBe(null);
          const report = await reportTeam(store, name);
          expect(() => statusOutput.parse(report)).not.toThrow();
          expect(report.members[0]?.name).toBe("team-lead");
          expect(report.team.live).toBe(false); // its process is not one of this machine
        }
        await store.close();
      }
    });

  test("show what waits, who has what and where it runs", async () => {
    const step = path.join(CAPTURES, "2.1.112-tmux-bypass/steps/06-l-spawn-planner");
    cpSync(step, root, { recursive: true });
    const store = createStore({ root });
    const { members, team } = await reportTeam(store, "demo");
    expect(team).toMatchObject({ generation: "G1", description: "Interop demo team" });
    expect(members.map(({ name, backend, state, paneId }) => [name, backend, state, paneId?.[0] ?? null])).toEqual([
      ["team-lead", null, "unknown", null],
      ["alice", "tmux", "unknown", "%"],
      ["bob", "tmux", "unknown", "%"],
      ["Odd Name-1/é_x", "tmux", "unknown", "%"],
      ["planner", "tmux", "unknown", "%"],
    ]);
    expect(members.find(({ name }) => name === "planner")?.planModeRequired).toBe(true);
    await store.close();
  });
});

describe("a team of our own", () => {
  let store: Store;
  const presence = async (
    state: "working" | "failed",
    more: { beat?: number; startTime?: string; incarnation?: string } = {},
  ) => {
    const member = (await store.teams.read("demo")).members.find(({ name }) => name === "alice");
    const self = await store.processes.self();
    await store.presence.write("demo", "alice", {
      ...{ incarnation: member?.muster?.incarnation ?? "", state, since: Date.now(), beat: Date.now() },
      ...{ ...self, ...more },
    });
    return (await reportTeam(store, "demo")).members.find(({ name }) => name === "alice")?.state;
  };
  beforeEach(async () => {
    store = await scriptingTeam(root);
  });
  afterEach(() => store.close());

  test("a member is what it says while its process lives, suspect when it is silent, dead when the process is gone", async () => {
    expect((await reportTeam(store, "demo")).members[1]?.state).toBe("unknown");
    expect(await presence("working")).toBe("working");
    expect(await presence("working", { beat: Date.now() - 60_000 })).toBe("suspect");
    expect(await presence("working", { startTime: "1" })).toBe("dead");
    expect(await presence("failed", { startTime: "1" })).toBe("failed");
    expect(await presence("working", { incarnation: "an earlier one" })).toBe("unknown");
  });

  test("a request waits until it is read or answered", async () => {
    const request = (id: string) => ({
      ...{ type: "permission_request", request_id: id, agent_id: "alice@demo", tool_name: "Bash", tool_use_id: "t" },
      ...{ description: "Run the tests", input: { command: "npm test" } },
    });
    const plan = { type: "plan_approval_request", from: "alice", planContent: "# A plan", requestId: "plan-1" };
    const ids = [];
    for (const body of [request("perm-1"), request("perm-2"), plan]) {
      const [sent] = await store.inboxes.send("demo", { from: "alice", to: ["team-lead"], text: JSON.stringify(body) });
      ids.push(sent?.msgId ?? "");
    }
    const told = async () =>
      (await reportTeam(store, "demo")).requests.map(({ id, kind, from, tool, description }) => [
        id,
        kind,
        from,
        tool,
        description,
      ]);
    expect(await told()).toEqual([
      ["perm-1", "permission", "alice", "Bash", "Run the tests"],
      ["perm-2", "permission", "alice", "Bash", "Run the tests"],
      ["plan-1", "plan", "alice", null, "A plan"],
    ]);
    await store.inboxes.markRead("demo", "team-lead", [ids[0] ?? ""]);
    const answer = { type: "permission_response", request_id: "perm-2", subtype: "success" };
    await store.inboxes.appendRecord("demo", "alice", { from: "team-lead", text: JSON.stringify(answer) });
    expect((await told()).map(([id]) => id)).toEqual(["plan-1"]);
  });

  test("is live while its lead's lease is", async () => {
    const { leadSessionId } = await store.teams.read("demo");
    await store.leads.acquire("demo", leadSessionId ?? "");
    expect((await reportTeam(store, "demo")).team.live).toBe(true);
    await store.leads.release("demo", leadSessionId ?? "");
    expect((await reportTeam(store, "demo")).team.live).toBe(false);
  });
});
