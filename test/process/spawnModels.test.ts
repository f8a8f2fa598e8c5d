import { describe, expect, it } from "vitest";
import { DEFAULT_MODELS } from "../../src/team/limits/models.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();
const LEAD = "claude-of-the-lead-1";
const MODELS: { name: string; model?: string; expected: string }[] = [
  { name: "unnamed", expected: LEAD },
  { name: "inherits", model: "inherit", expected: LEAD },
  { name: "alias", model: "haiku", expected: DEFAULT_MODELS.haiku.id },
  { name: "full", model: "claude-opus-4-1-20250805", expected: "claude-opus-4-1-20250805" },
];

describe.each(["in this process", "as a process"])("the model of a teammate %s", (where) => {
  it("is the one that was named, the lead's where none was: its exact id is in the request (row 47)", async () => {
    const spawns = MODELS.map(({ name, model }) => spawn(name, model === undefined ? {} : { model }));
    const host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), calls(...spawns), "Waiting.") }),
      { model: LEAD },
      where === "as a process" ? { processes: { starter: childStarter(), cli: cli.file } } : {},
    );
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    for (const { name, expected } of MODELS) {
      const asked = host.server.requests.filter(({ member }) => member === name).map(({ request }) => request.model);
      expect([...new Set(asked)], name).toEqual([expected]);
    }
  });
});
