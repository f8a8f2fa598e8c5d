import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { call } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, decidePlan, script, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();

it.each(["in the host's process", "in one of its own"])(
  "the plan of a teammate %s is decided by the lead's model where the person wants it so, also after a reload",
  async (where) => {
    const scripts = team({
      "team-lead": script(
        calls(createTeam),
        calls(spawn("alice", { mode: "plan" })),
        "Waiting.",
        decidePlan(false, "Softly."),
        "Sent back.",
        "I look at the second one.",
        decidePlan(true),
      ),
      alice: script(
        calls(call("ExitPlanMode", { plan: "Touch it." })),
        calls(call("ExitPlanMode", { plan: "Touch it softly." })),
        calls(call("Write", { file_path: "made.txt", content: "x" })),
        "Made.",
      ),
    });
    const processes = where === "in one of its own" ? { starter: childStarter(), cli: cli.file } : undefined;
    await using host = await openTeamHost(scripts, { approvalTarget: "lead" }, processes ? { processes } : {});
    host.session.start("Go.");
    const isLookedAt = () => host.count("team-lead") === 6 && host.session.members()[0]?.state === "idle";
    await host.until("the look at the second plan", isLookedAt);
    await host.request(({ kind }) => kind === "plan");
    await host.reload();
    expect(existsSync(path.join(host.cwd, "made.txt"))).toBe(false);
    await host.request(({ kind }) => kind === "plan");
    await host.session.say("team-lead", "Decide it.");
    await host.until("what alice made", () => existsSync(path.join(host.cwd, "made.txt")));
    const decisions = host.events.flatMap((event) => (event.type === "decision" ? [[event.decision, event.by]] : []));
    expect(decisions).toEqual([
      ["reject", "policy"],
      ["approve", "policy"],
    ]);
    await host.rest();
    const { entries } = await host.store.inboxes.read("demo", "team-lead");
    expect(entries.filter(({ read, text }) => !read && text.includes("plan_approval_request"))).toEqual([]);
    const told = host.sent("team-lead").filter((text) => text.includes("plan_approval_request"));
    expect(told).toHaveLength(2); // each once
  },
);
