import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createDemoScript, DEMO_GOAL, DEMO_SETTINGS } from "../../src/demo/demoTeam.ts";
import { SAMPLE_EDITS } from "../../src/demo/sampleProject.ts";
import type { PendingRequest } from "../../src/protocol/request.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { runSuite, writeSample } from "../support/sampleFolder.ts";
import { openTeamHost } from "../support/teamHost.ts";

const cli = useBuiltCli();
const isPlan = ({ kind }: PendingRequest) => kind === "plan";
const isCommand = ({ kind }: PendingRequest) => kind === "permission";

it.each(["SIGKILL", "SIGTERM", "SIGHUP"] as const)(
  "the demo with teammates as processes goes on after a reload of its lead (%s)",
  async (ending) => {
    const starter = childStarter(ending);
    const host = await openTeamHost(createDemoScript({ quick: true }), DEMO_SETTINGS, {
      folderName: "demo team-",
      processes: { starter, cli: cli.file },
    });
    await using _ = host;
    await writeSample(host.cwd);
    host.session.start(DEMO_GOAL);
    const plan = await host.request(isPlan);
    const command = await host.request(isCommand);
    await host.session.suspend();
    await host.restartServer(createDemoScript({ quick: true }));
    await host.resume();
    expect((await host.request(isPlan)).id).toBe(plan.id);
    expect((await host.request(isCommand)).id).toBe(command.id);
    await host.decide(plan, { kind: "approve", mode: "acceptEdits" });
    await host.decide(command, { kind: "allow", scope: "once" });
    await host.until(
      "the end of the team",
      async () => {
        const waiting = host.session.requests.pending.find(isCommand);
        if (waiting) await host.decide(waiting, { kind: "allow", scope: "once" });
        return (await host.session.summary(false)).history !== null;
      },
      60_000,
    );
    expect(host.server.failures).toEqual([]);
    for (const edit of Object.values(SAMPLE_EDITS).flat())
      expect(readFileSync(path.join(host.cwd, edit.path), "utf8")).toContain(edit.to.trim());
    expect((await runSuite(host.cwd)).exit).toBe(0);
  },
);
