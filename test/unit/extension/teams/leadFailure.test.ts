import { describe, expect, it } from "vitest";
import { script, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

/** A team whose lead's first request is refused so; `first`: what waits first for the person, once something does. */
async function failing(status: number, said: string) {
  const { host, live, start } = await windowTeams(team({ "team-lead": script(said) }));
  host.server.inject({ kind: "status", status });
  await start();
  const first = await host.until("the failure", () => live.state().attention[0]);
  return { host, live, first };
}

describe("a lead whose run failed", () => {
  it.each([
    { status: 402, failure: "key" },
    { status: 403, failure: "key" },
    { status: 404, failure: "server" },
    { status: 413, failure: "other" },
  ])("has another key or address offered only where one may help: $status", async ({ status, failure }) => {
    const { host, live, first } = await failing(status, "Never said.");
    await using _ = host;
    expect(first).toMatchObject({ kind: "answer", failure });
    live.dispose();
  });

  it("says why, and goes on when the person writes", async () => {
    const { host, live, first } = await failing(401, "Now it works.");
    await using _ = host;
    expect(first).toMatchObject({ kind: "answer", failure: "key", text: expect.stringMatching(/key/i) });
    expect(live.state().members[0]).toMatchObject({ state: "waiting" });
    await host.session.say("team-lead", "Try again.");
    await host.until("the answer", () =>
      live.state().attention.some((it) => it.kind === "answer" && it.text === "Now it works." && !it.failure),
    );
    live.dispose();
  });
});
