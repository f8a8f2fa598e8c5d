import { spawn as spawnProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { installHost } from "../../scripts/host/installHost.ts";
import { MAY_HAVE_RUN } from "../../src/agent/messages.ts";
import { GUARD_NAME } from "../../src/agent/tools/commandGuard.ts";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { SAMPLE_EDITS } from "../../src/demo/sampleProject.ts";
import { call } from "../../src/demo/script.ts";
import { demoPlace, untilDemoEnds } from "../support/demoPlace.ts";
import { eventually } from "../support/eventually.ts";
import { expectHealthy } from "../support/healthy.ts";
import type { Host } from "../support/host.ts";
import { runSuite } from "../support/sampleFolder.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { filesLeft, isRunning, processesOf, type Trace } from "../support/traces.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import {
  activeEditor,
  answerInput,
  badge,
  openContainer,
  quickPickRow,
  reload,
  reopen,
  runCommand,
  screenshot,
  setTheme,
  terminalNames,
  typeInTerminal,
  type Workbench,
  webviewFrame,
} from "../support/workbench.ts";

/** Leaves a program that left its group, another one behind it, and an output that is kept in a file; it runs on. */
const LONG_COMMAND = "setsid sleep 986 > /dev/null 2>&1 & yes | head -c 40000; sleep 987 & sleep 988";

/**
 * The demo in a window that is reloaded, and whose extension host is killed; after it a team of the person's own, killed
 * in the middle of a command. Each test is the next thing that happens.
 */
describe("a team whose window goes away", { timeout: 120_000 }, () => {
  let server: MessagesServer;
  let host: Host;
  let workbench: Workbench;
  let view: TeamView;
  const demo = demoPlace(() => host);
  let planId: string | undefined;

  afterAll(() => server?.close());
  useWindow(
    async () => {
      server = await startMessagesServer(
        team({
          "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting."),
          alice: script(calls(call("Bash", { command: LONG_COMMAND })), "I looked what it had done."),
        }),
      );
      return { ...SMALL_WORKSPACE, env: { ANTHROPIC_BASE_URL: server.url } };
    },
    async (opened) => {
      ({ host, workbench } = opened);
      view = teamView(workbench);
      await runCommand(workbench, "Agent Teams: Run the Demo Team");
    },
    { height: 1000 },
  );

  it("keeps a plan that waits, and what was typed about it, over a reload", async () => {
    const before = await view.request("Plan:");
    planId = (await before.getAttribute("data-request")) ?? undefined;
    await view.press(before, "Send Back…");
    await view.fill(before, "Say which tests prove it.");
    await reload(workbench);
    const after = await view.request("Plan:");
    expect(await after.getAttribute("data-request")).toBe(planId);
    expect(await after.locator("textarea").inputValue()).toBe("Say which tests prove it.");
    await screenshot(workbench, "reload-plan-dark");
    await view.press(after, "Send Back");
    const revised = await view.request("Plan:");
    await revised.locator(".plan-version", { hasText: "Version 2" }).waitFor();
  });

  it("keeps the Team Board, with its graph and what was chosen there", async () => {
    const { watch } = workbench;
    const board = () => webviewFrame(workbench, "Team Board");
    const shown = async () => (await board()).locator(".bd-col-head h2").allInnerTexts();
    const isDrawn = () =>
      eventually("the graph", async () => (await (await board()).locator(".bd-node").count()) === 3);
    await runCommand(workbench, "Agent Teams: Open Team Board");
    await isDrawn();
    await eventually("the lead's words", async () => (await (await board()).locator(".bd-col .conv-text").count()) > 0);
    const [first = "", ...others] = await shown();
    await watch.asPerson(async () => (await board()).getByRole("button", { name: `Close ${first}` }).click());
    await watch.asPerson(async () => (await board()).locator(".bd-node").first().click());
    await screenshot(workbench, "board-dark");
    await setTheme(workbench, "Light Modern");
    await screenshot(workbench, "board-light");
    await setTheme(workbench, "Dark Modern");
    await reload(workbench);
    await isDrawn();
    expect(await activeEditor(workbench)).toContain("Team Board: ");
    expect(await shown()).toEqual(others);
    expect(await (await board()).locator(".bd-task").getAttribute("aria-label")).toBe("#1");
    await watch.asPerson(async () => (await board()).getByRole("button", { name: /waits?$/ }).click());
    await eventually("the request in the view Team", async () => {
      const view = await webviewFrame(workbench, "Team");
      return view.evaluate(() => document.activeElement?.classList.contains("req-head") ?? false);
    });
    await runCommand(workbench, "View: Close All Editors");
  });

  it("keeps a draft and a place over hiding, showing and a reload, a filter too, and opens nothing (row 87)", async () => {
    const { page, watch } = workbench;
    const draft = "Half of what I wanted to say";
    const filter = async () => (await view.frame()).locator(".task-filter input");
    await view.showTab("Tasks");
    await watch.asPerson(async () => (await filter()).fill("receipt"));
    await view.showTab("Conversation");
    await watch.asPerson(async () => (await view.composer()).fill(draft));
    const wheel = (pixels: number) =>
      watch.asPerson(async () => {
        await (await view.frame()).locator("#tab-panel").hover();
        await page.mouse.wheel(0, pixels);
      });
    await wheel(40);
    await eventually("the wheel's effect", async () => (await scrollTop()) > 0);
    await page.waitForTimeout(300); // a wheel's way is kept at most every 150 ms
    const place = await scrollTop();
    const asItWas = async () => {
      await eventually("the draft", async () => (await (await view.composer()).inputValue()) === draft);
      await eventually("the place", async () => Math.abs((await scrollTop()) - place) <= 2);
    };
    await openContainer(workbench, "Explorer");
    await openContainer(workbench, "Agent Teams");
    await asItWas();
    await reload(workbench);
    await asItWas();
    await view.showTab("Tasks");
    await eventually("the filter", async () => (await (await filter()).inputValue()) === "receipt");
    await openContainer(workbench, "Explorer");
    await openContainer(workbench, "Agent Teams");
    await eventually("the filter", async () => (await (await filter()).inputValue()) === "receipt");
    expect(await (await view.frame()).locator(".task").allInnerTexts()).toEqual([expect.stringContaining("receipt")]);
    await screenshot(workbench, "reload-tasks-dark");
    await watch.asPerson(async () => (await filter()).fill(""));
    await view.showTab("Conversation");
    await wheel(-5_000);
    expect(await terminalNames(workbench)).toEqual([]);
  });

  it("keeps both requests when its extension host is killed and the page is loaded again", async () => {
    await view.request("Run npm test");
    const asked = questions();
    process.kill(leader(), "SIGKILL");
    await reopen(workbench);
    await eventually("two things that wait", async () => (await badge(workbench, "Agent Teams")) === "2");
    expect(questions()).toEqual(asked);
  });

  it("has both decided in quick picks, without its view", async () => {
    const titles = [await decideNext(), await decideNext()].sort();
    expect(titles).toEqual([expect.stringMatching(/^Plan: .* · nora/), expect.stringMatching(/^Run npm test · theo/)]);
    await eventually("the change of the offers", () =>
      demo.sample("src/offers.js").includes(SAMPLE_EDITS.offers[0].to),
    );
    const documents = workbench.page.frames().map((frame) => frame.title().catch(() => ""));
    expect(await Promise.all(documents)).not.toContain("Team");
  });

  it("goes on to the end: nothing was done twice, the suite passes", async () => {
    await openContainer(workbench, "Agent Teams");
    await untilDemoEnds(view);
    expect(await view.text()).toMatch(/Tasks\s+3 of 3/);
    for (const edit of Object.values(SAMPLE_EDITS).flat()) expect(demo.sample(edit.path)).toContain(edit.to.trim());
    expect((await runSuite(demo.project)).exit).toBe(0);
    expect(decided()).toEqual([...new Set(decided())]);
    expect(await terminalNames(workbench)).toEqual([]);
  });

  it.skipIf(process.platform !== "linux")(
    "leaves nothing of a member's command when its host is killed in the middle of it (row 54)",
    async () => {
      const bystander = spawnProcess("sleep", ["1001"], { detached: true, stdio: "ignore" });
      try {
        await runCommand(workbench, "Terminal: Create New Terminal");
        await eventually("a terminal", async () => (await terminalNames(workbench)).length === 1);
        await typeInTerminal(workbench, "sleep 1000\r");
        const [besides] = await eventually("its program", () => running("sleep 1000"));
        const filesBefore = traces();
        await startTeam("Run it.");
        await view.press(await view.request("sleep 988"), "Allow Once");
        const command = await eventually("the command", () => running("sleep 986", "sleep 987", "sleep 988"));
        await eventually("the file of its output", () => traces().some((file) => file.startsWith("muster-output-")));
        const guard = ownProcesses().filter((trace) => trace.command.includes("muster-guard"));
        expect(guard).toHaveLength(1);
        mkdirSync(path.join(host.workspace, ".muster"));
        const looser = JSON.stringify({ permissions: { allow: ["Bash(ls:*)"] } });
        writeFileSync(path.join(host.workspace, ".muster/settings.json"), looser);
        const killed = performance.now();
        process.kill(leaderOf("demo"), "SIGKILL");
        await eventually("the end of all that", () => ![...command, ...guard].some(isRunning));
        await eventually("its files to go", () => traces().every((file) => filesBefore.includes(file)));
        console.log(`after the kill of the host nothing was left in ${Math.round(performance.now() - killed)} ms`);
        expect(besides && isRunning(besides)).toBe(true);
        expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
      } finally {
        bystander.kill("SIGKILL");
      }
    },
  );

  it.skipIf(process.platform !== "linux")("goes on in the window's next host, and runs no command again", async () => {
    const told = () =>
      server.requests.some(
        ({ member, request }) => member === "alice" && JSON.stringify(request).includes(MAY_HAVE_RUN),
      );
    await eventually("the member to be told", told, 60_000);
    await view.chooseMember("alice");
    await (await view.frame()).getByText("I looked what it had done.").first().waitFor();
    await screenshot(workbench, "killed-in-a-command-dark");
    // now and then VS Code has a short-lived child of its own
    await eventually("nothing but the terminal's program and this host's guard", () => {
      const guards = ownProcesses().filter(({ command }) => command.includes(GUARD_NAME));
      return guards.length === 1 && ownProcesses().length === 2 && running("sleep 1000");
    });
    expect(await terminalNames(workbench)).toHaveLength(1);
    // the folder's rules wait to be accepted, and nobody asked for a notice
    expect(workbench.watch.toasts().filter((text) => text.includes("loosen"))).toEqual([]);
    expect(server.failures).toEqual([]);
    await expectHealthy(host.stateRoot);
  });

  /** Processes of this window that are neither VS Code's own programs nor a shell that it prepared. */
  function ownProcesses(): Trace[] {
    const { node, entry } = installHost();
    const scripts = path.resolve(entry, "../../../lib/vscode");
    return processesOf(host.root).filter(({ command }) => !command.startsWith(node) && !command.includes(scripts));
  }

  /** The processes with these command lines, once all of them run. */
  function running(...commands: string[]): Trace[] | false {
    const found = ownProcesses().filter(({ command }) => commands.includes(command));
    return found.length === commands.length && found;
  }

  /** Locks and temporary files of ours. */
  function traces(): string[] {
    return filesLeft(host.stateRoot, [path.join(host.root, "tmp")]);
  }

  async function startTeam(goal: string): Promise<void> {
    await runCommand(workbench, "Agent Teams: New Team…");
    await answerInput(workbench, "New Team", goal);
  }

  /** Pixels above what the view shows. */
  async function scrollTop(): Promise<number> {
    return (await view.frame()).locator(".scroller").evaluate((box) => box.scrollTop);
  }

  /** Decides the request that waits longest, in its quick pick, with a yes; gives the title of the pick. */
  async function decideNext(): Promise<string> {
    const title = workbench.page.locator(".quick-input-title", { hasText: " · " });
    await runCommand(workbench, "Agent Teams: Review Next Request");
    const text = await title.innerText();
    const plan = text.startsWith("Plan:");
    if (plan) await workbench.watch.asPerson(() => quickPickRow(workbench.page, "Open as Document").click());
    const yes = quickPickRow(workbench.page, plan ? "Approve" : "Allow Once");
    await workbench.watch.asPerson(() => yes.click());
    return text;
  }

  /** The process that leads the demo's team. */
  function leader(): number {
    return JSON.parse(demo.ownFile("muster/lead.json")).pid;
  }

  /** The process that leads a team of the person's own. */
  function leaderOf(name: string): number {
    return JSON.parse(readFileSync(path.join(host.stateRoot, "teams", name, "muster/lead.json"), "utf8")).pid;
  }

  /** Ids of all requests so far, each once. */
  function questions(): string[] {
    return [
      ...new Set(demo.audit().flatMap(({ event, request }) => (event === "asked" && request ? [request.id] : []))),
    ];
  }

  function decided(): string[] {
    return demo.audit().flatMap(({ event, id }) => (event === "decided" && id ? [id] : []));
  }
});
