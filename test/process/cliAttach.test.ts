import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../src/demo/script.ts";
import { createStore } from "../../src/store/store.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { eventually } from "../support/eventually.ts";
import { expectHealthy } from "../support/healthy.ts";
import { cliHome, startCli } from "../support/runCli.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";
import { createDemo } from "../support/tempStore.ts";
import { tmuxScreen } from "../support/tmuxScreen.ts";

const cli = useBuiltCli();
const scripts = () =>
  team({
    "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine."),
    alice: script("Here I am.", calls(call("Bash", { command: "touch made.txt" })), "It is made."),
  });

describe("muster attach", () => {
  it("prints what the member says and does as it happens, and ends with the member", async () => {
    await using host = await openTeamHost(scripts(), { permissionMode: "bypassPermissions" });
    const home = cliHome();
    try {
      host.session.start("Go.");
      await host.rest();
      const running = startCli(cli.file, home, ["attach", "demo", "alice", "--root", host.root]);
      const lines: string[] = [];
      running.onLine((line) => lines.push(line));
      await host.until("what was said before", () => lines.some((line) => line.includes("Here I am.")));
      await host.session.say("alice", "Make it.");
      await host.until("what is said now", () => lines.some((line) => line.includes("It is made.")));
      expect(lines.join("\n")).toContain("touch made.txt");
      expect(lines.join("\n")).not.toContain("\x1b");
      expect(existsSync(path.join(host.cwd, "made.txt"))).toBe(true);
      await host.session.endMember("alice", "no longer needed");
      expect(await running.result()).toMatchObject({ code: 0, stderr: "muster: alice has left the team.\n" });
      await expectHealthy(host.root);
    } finally {
      home.remove();
    }
  });

  it("says what it waits for where nobody leads the team, and nothing where somebody does", async () => {
    const home = cliHome();
    const store = createStore({ root: home.root });
    try {
      await createDemo(store, "alice");
      const running = startCli(cli.file, home, ["attach", "demo", "alice"]);
      await eventually("the sentence", () => running.errors !== "");
      running.kill("SIGINT");
      const { code, stderr } = await running.result();
      expect(code).toBe(0);
      expect(stderr).toBe(
        "muster: Nobody is known to lead the team now: this waits for what alice does next, until alice leaves the team. Ctrl-C ends this.\n",
      );
    } finally {
      await store.close();
      home.remove();
    }
  });

  it("says that the member waits for a decision, and where that is made, on a terminal and elsewhere", async () => {
    await using host = await openTeamHost(scripts());
    const home = cliHome();
    const told = "Waits for a decision where the lead runs, in its window or terminal.";
    const command = `'${process.execPath}' '${cli.file}' attach demo alice --root '${host.root}'`;
    host.session.start("Go.");
    await host.rest();
    await host.session.say("alice", "Make it.");
    const request = await host.until("the request", () => host.session.requests.pending[0]);
    const screen = tmuxScreen(command, home.env, 90);
    const running = startCli(cli.file, home, ["attach", "demo", "alice", "--root", host.root]);
    try {
      await screen.shows(`• Bash touch made.txt …\n  ${told}`);
      await host.until("the sentence", () => running.errors.includes(told) || undefined);
      await host.session.requests.decide(request.id, { kind: "allow", scope: "once" }, "person");
      await screen.shows("It is made.");
      await host.until("the end of its wait", () => !screen.text().includes("Waits for") || undefined);
    } finally {
      running.kill("SIGINT");
      await running.result();
      screen.close();
      home.remove();
    }
  });

  it("draws a screen on a terminal, which Ctrl-] leaves, also among keys that come at once", async () => {
    await using host = await openTeamHost(scripts(), { permissionMode: "bypassPermissions" });
    const home = cliHome();
    const done = path.join(home.dir, "done");
    const command = `'${process.execPath}' '${cli.file}' attach demo alice --root '${host.root}'; echo $? > '${done}'`;
    host.session.start("Go.");
    await host.rest();
    const screen = tmuxScreen(command, home.env, 60);
    try {
      await screen.shows("Here I am.");
      await screen.shows("Ctrl-] or Ctrl-C leaves");
      expect(screen.text().replace(/\s+/g, " ")).toContain("`muster send` writes to alice.");
      await host.session.say("alice", "Make it.");
      await screen.shows("It is made.");
      expect(screen.text()).not.toContain("›"); // nothing looks as if it took what is typed
      screen.paste("q\x1dq");
      await host.until("the end", () => existsSync(done));
    } finally {
      screen.close();
      home.remove();
    }
  });
});
