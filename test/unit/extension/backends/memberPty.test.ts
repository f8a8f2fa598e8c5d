import { expect, it } from "vitest";
import { memberPty } from "../../../../src/extension/backends/memberPty.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

it("a member's terminal says what cannot be done any more, once the member has gone", async () => {
  const { host, live, start } = await windowTeams(
    team({
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "I wait.", "She has gone."),
      alice: script("I have read it."),
    }),
  );
  await using _ = host;
  await start();
  await host.rest();
  const alice = host.session.members().find(({ name }) => name === "alice");
  if (!alice) throw new Error("There is no alice.");
  const pty = memberPty(live.terminals, alice);
  let shown = "";
  pty.onDidWrite((text) => {
    shown += text;
  });
  pty.open({ columns: 80, rows: 24 });
  expect(shown).toContain("I have read it.");
  await host.session.endMember("alice", "ended by the person");
  shown = "";
  pty.handleInput?.("\x1b");
  const refused = () => shown.includes('"alice" is not a member') || undefined;
  await host.until("why nothing was interrupted", refused);
  shown = "";
  pty.handleInput?.("Are you there?\r");
  await host.until("why nothing was sent", refused);
  pty.close();
  live.dispose();
});
