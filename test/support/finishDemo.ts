import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { SAMPLE_EDITS } from "../../src/demo/sampleProject.ts";
import type { PendingRequest } from "../../src/protocol/request.ts";
import { runSuite } from "./sampleFolder.ts";
import type { TeamHost } from "./teamHost.ts";

/** The request of the demo for a command. */
export const isCommand = ({ kind }: PendingRequest) => kind === "permission";

/** Lets the demo's commands run until its team has ended; then its sample must be mended, by scripts that went as written. */
export async function finishDemo(host: TeamHost, patienceMs: number): Promise<void> {
  await host.until(
    "the end of the team",
    async () => {
      const waiting = host.session.requests.pending.find(isCommand);
      if (waiting) await host.decide(waiting, { kind: "allow", scope: "once" });
      return (await host.session.summary(false)).history !== null;
    },
    patienceMs,
  );
  expect(host.server.failures).toEqual([]);
  for (const edit of Object.values(SAMPLE_EDITS).flat())
    expect(readFileSync(path.join(host.cwd, edit.path), "utf8")).toContain(edit.to.trim());
  expect((await runSuite(host.cwd)).exit).toBe(0);
}
