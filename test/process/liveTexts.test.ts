import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();

/** A reply that takes minutes to arrive. */
const LONG = "word ".repeat(5_000);
const PACE = { firstByteMs: 0, pieceMs: 50 };

describe.each(["in this process", "as a process"])("what a teammate %s is writing", (where) => {
  const open = async () => {
    const starter = childStarter();
    const scripts = team({
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine."),
      alice: script(LONG, "Here."),
    });
    const processes = where === "as a process" ? { processes: { starter, cli: cli.file } } : {};
    const host = await openTeamHost({ ...scripts, pace: PACE }, {}, processes);
    return { host, starter, file: path.join(host.root, "teams/demo/muster/live/alice.txt") };
  };
  const begin = (host: TeamHost, file: string) => {
    host.session.start("Go.");
    return host.until("her words", () => existsSync(file));
  };

  it("is no file any more when her host goes, and what a killed host left goes when the next one takes up", async () => {
    const { host, file } = await open();
    await using _ = host;
    await begin(host, file);
    await host.session.suspend();
    await host.until("the file to go", () => !existsSync(file));
    const left = ["alice", "team-lead"].map((name) => path.join(path.dirname(file), `${name}.txt`));
    mkdirSync(path.dirname(file), { recursive: true });
    for (const one of left) writeFileSync(one, "half a sen");
    await host.resume();
    await host.until("the files to go", () => !left.some((one) => existsSync(one)));
  });

  it("is no file any more when she is ended", async () => {
    const { host, starter, file } = await open();
    await using _ = host;
    await begin(host, file);
    const pid = starter.pids.get("alice");
    if (pid === undefined) await host.session.endMember("alice", "no time");
    else process.kill(pid, "SIGKILL");
    await host.until("alice to leave", () => host.events.some(({ type }) => type === "member_left"));
    await host.until("the file to go", () => !existsSync(file));
    expect((await host.store.snapshots.read("demo")).config.members).toHaveLength(1);
  });
});
