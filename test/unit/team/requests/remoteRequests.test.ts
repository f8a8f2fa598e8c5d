import { describe, expect, it } from "vitest";
import { inputDigest } from "../../../../src/protocol/digest.ts";
import { childStarter } from "../../../support/childStarter.ts";
import { openTeamHost, type TeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";

/** A team whose alice is another program: it only lives, and the test writes its inbox entries. */
async function openWithProgram(deny: string[]): Promise<TeamHost> {
  const argv = [process.execPath, "-e", "setInterval(() => {}, 1000)", "--"];
  const starter = childStarter();
  const program = { argv, isOwn: false, isSigned: true, env: {} };
  const host = await openTeamHost(
    team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.") }),
    { rules: { allow: [], ask: [], deny, additionalDirectories: [] } },
    { processes: { starter, cli: "", program } },
  );
  host.session.start("Go.");
  await host.until("alice to run", () => starter.pids.has("alice") || undefined);
  return host;
}

function asksFor(host: TeamHost, id: string, command: string): Promise<unknown> {
  const body = {
    type: "permission_request",
    request_id: id,
    agent_id: "alice",
    tool_name: "Bash",
    tool_use_id: `of-${id}`,
    description: command,
    input: { command },
    permission_suggestions: [],
  };
  return host.store.inboxes.send("demo", { from: "alice", to: ["team-lead"], text: JSON.stringify(body) });
}

async function answersTo(host: TeamHost): Promise<Record<string, unknown>[]> {
  const { entries } = await host.store.inboxes.read("demo", "alice");
  return entries.map(({ text }) => (text.startsWith("{") ? JSON.parse(text) : {})).filter((body) => body.subtype);
}

describe("what another program's teammate asks for", () => {
  it("is denied at once where a rule denies it, and put before nobody", async () => {
    await using host = await openWithProgram(["Bash(touch:*)"]);
    await asksFor(host, "perm-1", "touch no.txt");
    const answer = await host.until("the answer", async () => (await answersTo(host))[0]);
    expect(answer).toMatchObject({
      type: "permission_response",
      request_id: "perm-1",
      subtype: "error",
      error: expect.stringContaining("Bash(touch:*)"),
      approved_request: { tool_name: "Bash", input_digest: inputDigest("Bash", { command: "touch no.txt" }) },
      muster: { by: "rule" },
    });
    const told = () => host.events.find((event) => event.type === "decision");
    await host.until("the decision", told);
    expect(told()).toMatchObject({ id: "perm-1", decision: "deny", by: "rule" });
    expect(host.session.requests.pending).toEqual([]);
    expect(host.events.filter((event) => event.type === "request")).toEqual([]);
    const { entries } = await host.store.inboxes.read("demo", "team-lead");
    expect(entries.filter(({ from }) => from === "alice").every(({ read }) => read)).toBe(true);
  });

  it("is the person's to decide where no rule speaks of it, and goes with its program", async () => {
    await using host = await openWithProgram(["Bash(touch:*)"]);
    await asksFor(host, "perm-2", "make all");
    expect(await host.request()).toMatchObject({ id: "perm-2", from: "alice", input: { command: "make all" } });
    await host.session.endMember("alice", "No more.");
    await host.until("its request to go", () => (host.session.requests.pending.length === 0 ? true : undefined));
  });
});
