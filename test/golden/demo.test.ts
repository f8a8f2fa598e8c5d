import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { useBuiltCli } from "../support/buildCli.ts";
import { checkDemo } from "../support/checkDemo.ts";
import { doctorOutput } from "../support/cliContract.ts";
import { DEMO_WAYS, type DemoWay, demoRun } from "../support/demoRun.ts";
import { type CliHome, cliHome, runCli } from "../support/runCli.ts";

/**
 * The demo headless, against one golden transcript for each member and the files that are left (`expected/`). Where a
 * change of them is wanted: UPDATE_GOLDEN=1, and read the difference.
 */

const cli = useBuiltCli();
let home: CliHome;

beforeEach(() => {
  home = cliHome();
});
afterEach(() => home.remove());

describe("the demo, headless", () => {
  for (const way of Object.keys(DEMO_WAYS) as DemoWay[])
    test(`decided by ${way}: every member's transcript and every file are as they should be`, async () => {
      const run = await demoRun(cli.file, home, way);
      expect(checkDemo(run, way, process.env["UPDATE_GOLDEN"] === "1")).toEqual([]);
      const suite = spawnSync(process.execPath, ["--test"], { cwd: run.project, encoding: "utf8" });
      expect({ status: suite.status, failed: /^ℹ fail (\d+)/m.exec(suite.stdout)?.[1] }).toEqual({
        status: 0,
        failed: "0",
      });
      await expectDoctor();
    });

  test("with teammates in tmux panes: the same transcripts and files, and nothing is left running", async () => {
    const run = await demoRun(cli.file, home, "all", "tmux");
    expect(checkDemo(run, "all", false)).toEqual([]);
    expect(run.events.flatMap((event) => (event.type === "member_joined" ? [event.backend] : []))).toEqual([
      "in-process",
      "tmux",
      "tmux",
    ]);
    const sessions = spawnSync("tmux", ["-L", "muster", "list-sessions"], {
      env: { ...process.env, TMUX_TMPDIR: home.dir },
    });
    expect(sessions.status).not.toBe(0);
    await expectDoctor();
  });

  async function expectDoctor(): Promise<void> {
    const doctor = await runCli(cli.file, home, ["doctor", "--json", "--root", home.root]);
    expect(doctorOutput.parse(doctor.json()).ok).toBe(true);
  }
});
