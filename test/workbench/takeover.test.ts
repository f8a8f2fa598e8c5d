import { type ChildProcess, spawn as spawnProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call } from "../../src/demo/script.ts";
import { startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { keepEvidence } from "../support/evidence.ts";
import { type Host, startHost } from "../support/host.ts";
import { calls, createTeam, script, spawn, task, team } from "../support/teamScripts.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { isAlive, isRunning, processesOf, type Trace } from "../support/traces.ts";
import { SMALL_WORKSPACE } from "../support/window.ts";
import {
  activeEditor,
  answerInput,
  crash,
  followTerminalLink,
  openWorkbench,
  quickPickRow,
  runCommand,
  screenshot,
  terminalNames,
  terminalText,
  type Workbench,
} from "../support/workbench.ts";

/** A team of `muster run` that one window takes over, and another one from that. Each test is the next thing that happens. */
describe("a team that is led elsewhere", { timeout: 120_000 }, () => {
  let server: MessagesServer;
  let host: Host;
  let browser: Browser;
  let first: Workbench;
  let second: Workbench;
  let third: Workbench;
  let running: ChildProcess;
  let told = "";

  beforeAll(async () => {
    const asks = calls(call("Bash", { command: "touch made.txt" }));
    server = await startMessagesServer(
      team({
        "team-lead": script(calls(createTeam), calls(task("First")), calls(spawn("alice"), spawn("bob")), "Waiting."),
        alice: script("I begin with notes.txt:2 for #1.", asks, "Made."),
        bob: script("Here."),
        cleo: script("Here.", "Still here.", "Here again."),
      }),
    );
    const settings = { "muster.teammateMode": "terminal" };
    host = await startHost({ ...SMALL_WORKSPACE, settings, env: { ANTHROPIC_BASE_URL: server.url } });
    mkdirSync(path.join(host.root, "elsewhere"));
    running = spawnProcess(
      process.execPath,
      [path.join(projectRoot, "dist/muster.mjs"), "run", "Go.", "--approve", "stdin", "--json"],
      {
        cwd: host.workspace,
        env: {
          ...{ PATH: process.env["PATH"], HOME: host.home, TMPDIR: path.join(host.root, "tmp") },
          ...{ CLAUDE_CONFIG_DIR: host.stateRoot, ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: server.url },
        },
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    running.stdout?.setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
    browser = await startBrowser();
    await eventually("the request", () => told.includes('"type":"request"'));
  });
  keepEvidence(() => third ?? second ?? first);
  afterAll(async () => {
    running?.kill("SIGKILL");
    await browser?.close();
    await host?.stop();
    await server?.close();
  });

  it("stays where it runs, when the window that wants it has another folder open", async () => {
    const other = await openWorkbench(browser, host, { folder: path.join(host.root, "elsewhere") });
    await attach(other);
    const notice = other.page.locator(".notification-toast", { hasText: `This team works in ${host.workspace}` });
    await notice.waitFor();
    expect(leaderPid()).toBe(running.pid);
    expect(lease()).not.toHaveProperty("handover");
    await other.close();
  });

  it("is shown to who opens its folder, with who leads it, and taken over from `muster run`", async () => {
    first = await openWorkbench(browser, host, { height: 1000 });
    const view = teamView(first);
    await runCommand(first, "Agent Teams: Focus on Team View");
    await isOnlyShown(view);
    await attach(first);
    const request = await view.request("touch made.txt");
    expect(await request.getAttribute("data-request")).toBe(requestId());
    await eventually("the end of the run", () => running.exitCode !== null);
    expect(running.exitCode).toBe(1);
    expect(JSON.parse(told.trim().split("\n").at(-1) ?? "")).toMatchObject({
      ...{ type: "run_finished", result: "interrupted" },
      reason: expect.stringMatching(/^lead_elsewhere: /),
    });
    expect(leaderPid()).not.toBe(running.pid);
  });

  it("has its members one after the other, and links in their terminals: a file's line and a task", async () => {
    const view = teamView(first);
    const chosen = async () => (await view.frame()).locator(".mem-row[aria-current=true]").innerText();
    for (const [command, name] of [
      ["Next Member", "alice"],
      ["Next Member", "bob"],
      ["Next Member", "team-lead"],
      ["Previous Member", "bob"],
      ["Previous Member", "alice"],
    ] as const) {
      await runCommand(first, `Agent Teams: ${command}`);
      await eventually(`${name} after ${command}`, async () => (await chosen()).includes(name));
    }
    await runCommand(first, "Agent Teams: Open Teammate Terminal…");
    await first.watch.asPerson(() => quickPickRow(first.page, "alice").click());
    await eventually("its words", async () => (await terminalText(first)).includes("for #1."));
    await followTerminalLink(first, "notes.txt:2", async () => (await activeEditor(first)) === "notes.txt");
    await first.page.locator(".statusbar-item", { hasText: "Ln 2, Col 1" }).waitFor();
    const task = (await view.frame()).locator(".task", { hasText: "First" });
    await followTerminalLink(first, "#1", async () => (await task.count()) === 1);
    await screenshot(first, "terminal-links-dark");
  });

  it("gets a teammate in a terminal", async () => {
    await runCommand(first, "Agent Teams: Spawn a Teammate…");
    await answerInput(first, "Spawn a Teammate", "cleo");
    await answerInput(first, "What cleo is told", "Wait for me.");
    for (const choice of ["Ask before edits", "As a process in a terminal"])
      await first.watch.asPerson(() => quickPickRow(first.page, choice).click());
    await eventually("its first request", () => server.requests.some(({ member }) => member === "cleo"));
    expect(teammates()).toHaveLength(1);
    await runCommand(first, "Agent Teams: Open Teammate Terminal…");
    await first.watch.asPerson(async () => {
      await quickPickRow(first.page, "cleo").click();
      await first.page.locator(".xterm-helper-textarea:focus").waitFor(); // who asks for it by its name goes there
    });
    expect(await terminalNames(first)).toContain("cleo");
  });

  it("is only shown in a second window, until that takes it over; then the first one shows it", async () => {
    second = await openWorkbench(browser, host, { height: 1000 });
    const view = teamView(second);
    await runCommand(second, "Agent Teams: Focus on Team View");
    await isOnlyShown(view);
    await screenshot(second, "second-window-dark");
    const before = leaderPid();
    const inFirst = teammates();
    await attach(second);
    const request = await view.request("touch made.txt");
    expect(await request.getAttribute("data-request")).toBe(requestId());
    expect(leaderPid()).not.toBe(before);
    await isOnlyShown(teamView(first));
    await view.press(request, "Allow Once");
    await eventually("what was allowed", () => existsSync(path.join(host.workspace, "made.txt")));
    await view.writeTo("cleo", "Are you there?");
    await eventually("cleo's answer", async () => (await view.text()).includes("Still here."));
    expect(inFirst.some(isRunning)).toBe(false);
    expect(teammates()).toHaveLength(1);
    expect(server.failures).toEqual([]);
  });

  it("goes on by itself in the window that is opened after its own has crashed, though the old host lives on", async () => {
    const before = leaderPid();
    const inSecond = teammates();
    await crash(second);
    third = await openWorkbench(browser, host, { height: 1000, profile: second.page.context() });
    await runCommand(third, "Agent Teams: Focus on Team View");
    await eventually("the team in the new window", () => leaderPid() !== before);
    const view = teamView(third);
    await eventually("cleo's process", () => teammates().length === 1 && !inSecond.some(isRunning));
    await view.writeTo("cleo", "And now?");
    await eventually("cleo's answer", async () => (await view.text()).includes("Here again."));
    expect(isAlive(before)).toBe(true); // VS Code keeps it, in case the old window comes back
    expect(server.failures).toEqual([]);
  });

  it("loses a teammate whose terminal the person closes, which is no failure", async () => {
    await runCommand(third, "Agent Teams: Open Teammate Terminal…");
    await third.watch.asPerson(async () => {
      await quickPickRow(third.page, "cleo").click();
      await third.page.locator(".xterm-helper-textarea:focus").waitFor();
    });
    await runCommand(third, "Terminal: Kill the Active Terminal Instance");
    await eventually("the end of its process", () => teammates().length === 0);
    const audit = path.join(host.stateRoot, "teams/demo/muster/audit.jsonl");
    await eventually("word of it", () => readFileSync(audit, "utf8").includes('"event":"left"'));
    expect(readFileSync(audit, "utf8")).toContain("cleo was ended (its terminal was closed)");
    expect(server.failures).toEqual([]);
  });

  async function attach(workbench: Workbench): Promise<void> {
    await runCommand(workbench, "Agent Teams: Attach to a Running Team…");
    await workbench.watch.asPerson(() => quickPickRow(workbench.page, "demo").click());
  }

  /** The view says which process leads, and has nothing to decide. */
  async function isOnlyShown(view: TeamView): Promise<void> {
    await eventually("who leads", async () => (await view.text()).includes(`(process ${leaderPid()}) runs this team`));
    expect(await (await view.frame()).locator(".req").count()).toBe(0);
    expect(await view.text()).not.toContain("Nothing waits for you");
  }

  /** The processes of teammates. */
  function teammates(): Trace[] {
    return processesOf(host.root).filter(({ command }) => command.includes("muster.mjs teammate "));
  }

  function lease(): { pid: number } {
    return JSON.parse(readFileSync(path.join(host.stateRoot, "teams/demo/muster/lead.json"), "utf8"));
  }

  function leaderPid(): number {
    return lease().pid;
  }

  /** The id under which the request was asked first. */
  function requestId(): string {
    const events = told.trim().split("\n");
    return JSON.parse(events.find((line) => line.includes('"type":"request"')) ?? "{}").id;
  }
});
