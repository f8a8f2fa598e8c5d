import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/demo/fault.ts";
import { SHUTDOWN_AGREED } from "../../src/protocol/transcript.ts";
import { createStore } from "../../src/store/store.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();
const DOWN: Fault = { kind: "status", status: 529, retryAfterSeconds: 0 };
const FAILURES: { what: string; fault: Fault }[] = [
  { what: "its key is refused", fault: { kind: "status", status: 401 } },
  {
    what: "its context is full",
    fault: { kind: "status", status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" },
  },
];

describe.each(["in this process", "as a process"])("a teammate %s whose model cannot be asked", (where) => {
  const open = () => {
    const scripts = {
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine.", "Fine.", "Fine."),
      alice: script("Here.", "Back."),
    };
    const processes = where === "as a process" ? { processes: { starter: childStarter(), cli: cli.file } } : {};
    return openTeamHost(team(scripts), {}, processes);
  };
  const state = ({ session }: TeamHost) => session.members().find(({ name }) => name === "alice")?.state;
  const left = ({ events }: TeamHost) => events.find((event) => event.type === "member_left");

  async function failing(host: TeamHost, fault: Fault): Promise<void> {
    host.session.start("Go.");
    await host.rest();
    host.server.inject(fault, { member: "alice", times: 100 });
    await host.session.say("alice", "Go on.");
  }

  it.each(FAILURES)("because $what agrees to stop without it", async ({ fault }) => {
    const host = await open();
    await using _ = host;
    await failing(host, fault);
    await host.until("its failure", () => state(host) === "failed");
    const asked = host.count("alice");
    await host.session.askToStop("alice", "Done.");
    await host.until("alice to leave", () => left(host));
    expect(left(host)).toMatchObject({ member: "alice", reason: "shutdown" });
    expect(host.count("alice")).toBe(asked);
    const transcript = await host.store.transcripts.read({ team: "demo", agent: "alice" });
    expect(transcript.at(-1)).toMatchObject({ kind: "run_end", outcome: "ended", reason: SHUTDOWN_AGREED });
    expect(JSON.stringify(transcript.at(-2))).toContain("shutdown_request");
  });

  it("for minutes, because the API is down, does not wait for it", async () => {
    const host = await open();
    await using _ = host;
    await failing(host, DOWN);
    await host.until("the third try", () => host.count("alice") >= 4);
    expect(state(host)).toBe("working");
    await host.session.askToStop("alice", "Done.");
    await host.until("alice to leave", () => left(host));
    expect(left(host)).toMatchObject({ member: "alice", reason: "shutdown" });
  });

  it("does not stop because somebody else says so", async () => {
    const host = await open();
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    host.server.inject(FAILURES[0]?.fault ?? DOWN, { member: "alice" });
    await host.session.say("alice", "Go on.");
    await host.until("its failure", () => state(host) === "failed");
    const text = JSON.stringify({ type: "shutdown_request", requestId: "shutdown-1@alice", from: "team-lead" });
    const foreign = createStore({ root: host.root });
    await foreign.inboxes.send("demo", { from: "team-lead", to: ["alice"], text });
    await foreign.close();
    await host.until("its model to read it", () => host.lastSent("alice").includes("shutdown-1@alice"));
    expect(host.lastSent("alice")).toContain('verified=\\"false\\"');
    expect(left(host)).toBeUndefined();
  });
});
