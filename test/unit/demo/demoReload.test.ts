import { describe, expect, it } from "vitest";
import { createDemoScript, DEMO_GOAL, DEMO_SETTINGS } from "../../../src/demo/demoTeam.ts";
import type { Decision, PendingRequest } from "../../../src/protocol/request.ts";
import { finishDemo, isCommand } from "../../support/finishDemo.ts";
import { writeSample } from "../../support/sampleFolder.ts";
import { openTeamHost, type TeamHost } from "../../support/teamHost.ts";

const LONG_MS = 100_000;

/** The window with the demo is reloaded: its scripts begin anew, and find out from the requests where they were. */
async function reload(host: TeamHost): Promise<void> {
  await host.session.suspend();
  await host.restartServer(createDemoScript({ quick: true }));
  await host.resume();
}

async function decide(host: TeamHost, fits: (request: PendingRequest) => boolean, decision: Decision): Promise<void> {
  await host.decide(await host.request(fits), decision);
}

const isPlan = ({ kind }: PendingRequest) => kind === "plan";

describe("the demo whose window is reloaded", () => {
  it("goes on to the same end, wherever it was", { timeout: 3 * LONG_MS }, async ({ onTestFinished }) => {
    const host = await openTeamHost(createDemoScript({ quick: true }), DEMO_SETTINGS, { folderName: "demo team-" });
    onTestFinished(() => host[Symbol.asyncDispose]());
    await writeSample(host.cwd);
    host.session.start(DEMO_GOAL);
    await host.request(isPlan);
    await reload(host);
    await decide(host, isPlan, { kind: "reject", feedback: "Say which tests prove it." });
    await host.until("the second plan", () =>
      host.session.requests.pending.some(
        (request) => isPlan(request) && request.kind === "plan" && request.version === 2,
      ),
    );
    await host.request(isCommand);
    await reload(host);
    expect(await host.request((request) => request.kind === "plan" && request.version === 2)).toBeDefined();
    await decide(host, isPlan, { kind: "approve", mode: "acceptEdits" });
    await decide(host, isCommand, { kind: "allow", scope: "once" });
    const second = await host.until(
      "the next command, or the end",
      async () => {
        if ((await host.session.summary(false)).history !== null) return "end" as const;
        return host.session.requests.pending.find(isCommand);
      },
      LONG_MS,
    );
    if (second !== "end") {
      await reload(host);
      await decide(host, isCommand, { kind: "allow", scope: "once" });
    }
    await finishDemo(host, LONG_MS);
  });
});
