import { expect, it } from "vitest";
import { createDemoScript, DEMO_GOAL, DEMO_SETTINGS } from "../../src/demo/demoTeam.ts";
import type { PendingRequest } from "../../src/protocol/request.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { finishDemo, isCommand } from "../support/finishDemo.ts";
import { writeSample } from "../support/sampleFolder.ts";
import { openTeamHost } from "../support/teamHost.ts";

const cli = useBuiltCli();
const isPlan = ({ kind }: PendingRequest) => kind === "plan";

it.concurrent.each(["SIGKILL", "SIGTERM", "SIGHUP"] as const)(
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
    await finishDemo(host, 60_000);
  },
);
