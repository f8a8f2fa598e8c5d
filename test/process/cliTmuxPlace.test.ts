import { expect, test } from "vitest";
import { api, useCliRuns } from "../support/cliRuns.ts";
import { startCli } from "../support/runCli.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const runs = useCliRuns();

test("a run outside of tmux says once where its teammates are, and in --json nothing but events", async () => {
  for (const more of [[], ["--json"]]) {
    const server = await runs.serve(
      team({ "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "Done.") }),
    );
    const args = ["run", "The goal.", "--root", `${runs.home.root}${more.length}`, "--approve", "all", ...more];
    const running = startCli(runs.file, runs.home, [...args, "--teammate-mode", "tmux"], {
      env: { ...api(server), TMUX_TMPDIR: runs.home.dir },
    });
    const { code, stderr } = await running.result();
    expect(code).toBe(0);
    const told = "muster: Teammates are in tmux, where this shows them:\n  tmux -L muster attach -t muster-demo\n";
    expect(stderr.split(told)).toHaveLength(more.length > 0 ? 1 : 2);
    if (more.length > 0) expect(stderr).toBe("");
  }
});
