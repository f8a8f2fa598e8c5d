import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call, type Step, steps, type Turn } from "../../src/demo/script.ts";
import { startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { keepEvidence } from "../support/evidence.ts";
import { type Host, startHost } from "../support/host.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import {
  activeEditor,
  answerInput,
  badge,
  openContainer,
  openWorkbench,
  quickInput,
  quickPickRow,
  runCommand,
  screenshot,
  setTheme,
  terminalNames,
  type Workbench,
} from "../support/workbench.ts";

const bash = (command: string) => calls(call("Bash", { command }));

/** Of this model one token costs a dollar: the first reply uses up the budget of a team. */
const COSTLY = { id: "costly", price: { input: 0, output: 1_000_000, cacheRead: 0, cacheWrite: 0 } };

/**
 * Every way to decide a permission, and to change what a member may do, as a person clicks it; then what stops a team and
 * lets it go on.
 */
describe("what a member may do is decided in the window", { timeout: 120_000 }, () => {
  let server: MessagesServer;
  let host: Host;
  let browser: Browser;
  let workbench: Workbench;
  let view: TeamView;

  beforeAll(async () => {
    const scripts = team({
      "team-lead": steps(
        [calls(createTeam), calls(spawn("alice")), "I wait for alice.", "Shall alice go on?", "Fine."],
        leadStep,
      ),
      bob: bobScript(),
      carol: script(calls(call("TaskList")), "There is nothing to do."),
      alice: script(
        bash("touch session.txt"),
        bash("touch session.txt && touch always.txt"),
        bash("touch always.txt"),
        bash("touch ruled.one"),
        bash("touch ruled.two"),
        bash("touch typo.txt"),
        bash("touch denied.txt"),
        "All is asked.",
        bash("touch free.txt"),
        "Made without asking.",
      ),
    });
    server = await startMessagesServer(scripts);
    host = await startHost({
      files: { "notes.txt": "a note\n" },
      settings: { "muster.models": { haiku: COSTLY } },
      env: { ANTHROPIC_BASE_URL: server.url },
    });
    browser = await startBrowser();
    workbench = await openWorkbench(browser, host, { height: 1000 });
    view = teamView(workbench);
    await openContainer(workbench, "Agent Teams");
    const frame = await view.frame();
    await workbench.watch.asPerson(() => frame.getByRole("textbox", { name: "Goal" }).fill("Touch some files."));
    await workbench.watch.asPerson(() => frame.getByRole("button", { name: "Start Team" }).click());
  });

  keepEvidence(() => workbench);

  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    await server?.close();
  });

  it("for this session: the same call does not ask again, and no file keeps the rule", async () => {
    await moreWays("Run touch session.txt", "Allow for This Session");
    const next = await view.request("Run touch");
    expect(await next.innerText()).toContain("touch always.txt");
    expect(made("session.txt")).toBe(true);
    expect(existsSync(settings())).toBe(false);
  });

  it("always: the rule stands in the person's own file, as the menu has shown it", async () => {
    const rule = await moreWays("touch always.txt", "Always Allow");
    await eventually("the second file", () => made("always.txt"));
    const { allow } = JSON.parse(readFileSync(settings(), "utf8")).permissions;
    expect(allow.map((one: string) => rule.includes(one))).toEqual(allow.map(() => true));
  });

  it("by a rule of the person's own, from the palette alone: what it covers does not ask again", async () => {
    const { page, watch } = workbench;
    await view.request("Run touch ruled.one");
    await runCommand(workbench, "Agent Teams: Review a Request…");
    await watch.asPerson(async () => {
      await quickPickRow(page, "Change the Rule…").click();
      await quickMessage("Rule for what is allowed").waitFor();
      await quickInput(page).fill("Bash(touch");
      await page.keyboard.press("Enter");
      await quickMessage("is not a permission rule").waitFor(); // and the field stays
      await quickInput(page).fill("Bash(touch ruled.*)");
      await page.keyboard.press("Enter");
      await quickPickRow(page, "Always Allow").click();
    });
    await eventually("both files", () => made("ruled.one") && made("ruled.two"));
    expect(JSON.parse(readFileSync(settings(), "utf8")).permissions.allow).toContain("Bash(touch ruled.*)");
  });

  it("edited: what the person wrote runs, and the model is told", async () => {
    const request = await view.request("Run touch typo.txt");
    await view.press(request, "Edit…");
    await view.fill(request, "touch right.txt");
    await screenshot(workbench, "edit-command-dark");
    await view.press(request, "Allow Edited Command");
    await eventually("the right file", () => made("right.txt"));
    expect(made("typo.txt")).toBe(false);
    await eventually("the note to the model", () => sent().includes("This call ran with a changed input"));
  });

  it("denied: nothing runs, and the model reads why", async () => {
    const request = await view.request("Run touch denied.txt");
    await view.press(request, "Deny…");
    await view.fill(request, "There are enough files.");
    await view.press(request, "Deny");
    await eventually("the reason", () => sent().includes("There are enough files."));
    expect(made("denied.txt")).toBe(false);
  });

  it("another mode, from a member's menu: what asked before runs now", async () => {
    await view.request("team-lead waits for you");
    await view.memberMenu("alice", "Change Mode…");
    await screenshot(workbench, "change-mode-dark");
    await workbench.watch.asPerson(() => quickPickRow(workbench.page, "Allow everything").click());
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await workbench.watch.asPerson(() => dialog.getByRole("button", { name: "Allow Everything" }).click());
    await view.chooseMember("alice");
    await (await view.frame()).locator(".head", { hasText: "Allow everything" }).waitFor();
    const composer = await view.composer();
    await workbench.watch.asPerson(async () => {
      await composer.fill("Go on.");
      await workbench.page.keyboard.press("Enter");
    });
    await eventually("the file", () => made("free.txt"));
  });

  it("the status bar leads to what waits, and to a member's terminal", async () => {
    await workbench.watch.asPerson(async () => {
      await workbench.page.locator(".statusbar-item#muster\\.muster\\.muster\\.status").click();
      await quickPickRow(workbench.page, "alice").click();
    });
    await eventually("the terminal", async () => (await terminalNames(workbench)).includes("alice"));
    await runCommand(workbench, "Terminal: Kill All Terminals");
  });

  it("the lead only delegates while the person wants it so", async () => {
    await runCommand(workbench, "Agent Teams: Toggle Delegate Mode");
    await view.chooseMember("team-lead");
    const frame = await view.frame();
    await frame.locator(".head", { hasText: "Only delegates" }).waitFor();
    await runCommand(workbench, "Agent Teams: Toggle Delegate Mode");
    await eventually("the end of it", async () => !(await frame.locator(".head").innerText()).includes("delegates"));
  });

  it("with no toast, and no focus that nobody asked for", async () => {
    expect(workbench.watch.toasts()).toEqual([]);
    expect(workbench.watch.unaskedFocus()).toEqual([]);
    expect(server.failures).toEqual([]);
  });

  it("paused, no request begins, and every surface says so, until it is resumed", async () => {
    const { page, watch } = workbench;
    await runCommand(workbench, "Agent Teams: Focus on Members View");
    await runCommand(workbench, "Agent Teams: Pause Team");
    const frame = await view.frame();
    await frame.locator(".mems-paused-text", { hasText: "Paused: nobody works now." }).waitFor();
    await statusItem().filter({ hasText: "Paused" }).waitFor();
    await membersView().getByText("Paused", { exact: true }).first().waitFor();
    await page.locator(".pane-header", { hasText: "Paused" }).first().waitFor();
    await runCommand(workbench, "Agent Teams: Open Team Board");
    await eventually("the board's tab", async () => /: Paused · /.test(await activeEditor(workbench)));
    await runCommand(workbench, "View: Close Editor");
    const before = server.requests.length;
    await view.writeTo("team-lead", "Let bob plan.");
    await eventually("the message to lie there", () => inbox("team-lead").includes("Let bob plan."));
    await eventually("nothing to wait for the person", async () => (await badge(workbench, "Agent Teams")) === "");
    await screenshot(workbench, "paused-dark");
    expect(server.requests).toHaveLength(before);
    await watch.asPerson(() => frame.getByRole("button", { name: "Resume", exact: true }).click());
    await eventually("the next request", () => server.requests.length > before);
    await frame.locator(".mems-paused-text", { hasText: "Paused: nobody works now." }).waitFor({ state: "detached" });
    await eventually("the status bar", async () => !(await statusItem().innerText()).includes("Paused"));
    await eventually("the tree", async () => !(await membersView().innerText()).includes("Paused"));
  });

  it("a plan that comes back is compared with the version before", async () => {
    const first = await view.request("Plan: Greet");
    await view.press(first, "Send Back…");
    await view.fill(first, "Say please.");
    await view.press(first, "Send Back");
    const frame = await view.frame();
    await frame.locator(".plan-version", { hasText: "2" }).waitFor({ timeout: 40_000 });
    const second = await view.request("Plan: Greet");
    const diff = workbench.page.locator(".monaco-diff-editor").first();
    await workbench.watch.asPerson(async () => {
      await view.press(second, "Compare with the Version Before");
      await eventually("the diff", async () => (await activeEditor(workbench)) === "Plan of bob: version 1 and 2");
      await diff.locator(".line-insert, .char-insert").first().waitFor();
    });
    await inBothThemes("plan-diff");
    await runCommand(workbench, "View: Close All Editors");
    await view.press(await view.request("Plan: Greet"), "Approve");
    await eventually("the approval", () => sent("bob").includes("approved"));
  });

  it("a budget that is used up pauses everybody before the next request, until it is raised in the panel", async () => {
    await view.writeTo("team-lead", "Let carol look.");
    const request = await view.request("Raise the team's budget");
    const frame = await view.frame();
    await frame.locator(".mems-paused-text", { hasText: "Paused: the budget is used up." }).waitFor();
    await statusItem().filter({ hasText: "Paused" }).waitFor();
    await membersView().getByText("Paused", { exact: true }).first().waitFor();
    await screenshot(workbench, "budget-used-dark");
    expect(requestsOf("carol")).toBe(1);
    const before = server.requests.length;
    await view.writeTo("alice", "Are you there?");
    await eventually("the message to lie there", () => inbox("alice").includes("Are you there?"));
    expect(server.requests).toHaveLength(before);
    await view.press(request, "Other Amount…");
    await answerInput(workbench, "Raise the Budget", "1000000");
    await eventually("carol to go on", () => requestsOf("carol") > 1);
    await eventually("alice to go on", () => sent("alice").includes("Are you there?"));
    await frame
      .locator(".mems-paused-text", { hasText: "Paused: the budget is used up." })
      .waitFor({ state: "detached" });
    await eventually("the status bar", async () => !(await statusItem().innerText()).includes("Paused"));
  });

  it("a task is created, changed, given away, deleted and brought back from the palette alone", async () => {
    const file = path.join(host.stateRoot, "tasks/demo/1.json");
    const stored = () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
    await pickInTasks("Create Task…");
    await answerInput(workbench, "Create Task", "Look");
    await answerInput(workbench, "Create Task: Look", "");
    await eventually("the task", () => existsSync(file));
    await pickInTasks("#1 Look", "Edit…");
    await answerInput(workbench, "#1 Look", "Look closely");
    await workbench.watch.asPerson(() => quickMessage("Description, optional").waitFor());
    await answerInput(workbench, "#1 Look", "At the notes.");
    await eventually(
      "its texts",
      () => stored().description === "At the notes." && stored().subject === "Look closely",
    );
    await pickInTasks("#1 Look closely", "Assign…", "team-lead");
    await eventually("its owner", () => stored().owner === "team-lead");
    await pickInTasks("#1 Look closely", "Delete");
    await eventually("its end", () => !existsSync(file));
    await pickInTasks("#1 Look closely");
    await eventually("its return", () => existsSync(file));
  });

  it("the field that finds in a conversation opens by a command, from another view", async () => {
    await openContainer(workbench, "Explorer");
    await runCommand(workbench, "Agent Teams: Find in Conversation");
    const frame = await view.frame();
    await eventually("the focus in the field", () => frame.locator(".find-bar input:focus").count());
  });

  it("and raised no toast and took no focus that nobody asked for, whatever stopped it", () => {
    expect(workbench.watch.toasts()).toEqual([]);
    expect(workbench.watch.unaskedFocus()).toEqual([]);
    expect(server.failures).toEqual([]);
  });

  /** Takes a picture in a light and in the dark theme. */
  async function inBothThemes(name: string): Promise<void> {
    await screenshot(workbench, `${name}-dark`);
    await setTheme(workbench, "Light Modern");
    await screenshot(workbench, `${name}-light`);
    await setTheme(workbench, "Dark Modern");
  }

  /** Chooses rows one after the other, from the list of tasks on. */
  async function pickInTasks(...rows: string[]): Promise<void> {
    await runCommand(workbench, "Agent Teams: Tasks…");
    for (const row of rows) await workbench.watch.asPerson(() => quickPickRow(workbench.page, row).click());
  }

  function quickMessage(text: string) {
    return workbench.page.locator(".quick-input-message", { hasText: text });
  }

  function statusItem() {
    return workbench.page.locator(".statusbar-item#muster\\.muster\\.muster\\.status");
  }

  /** The native view *Members*. */
  function membersView() {
    const { page } = workbench;
    return page.locator(".pane", { has: page.locator(".pane-header", { hasText: "Members" }) });
  }

  function inbox(member: string): string {
    return readFileSync(path.join(host.stateRoot, `teams/demo/inboxes/${member}.json`), "utf8");
  }

  function requestsOf(member: string): number {
    return server.requests.filter((request) => request.member === member).length;
  }

  /** Opens the menu beside *Allow Once*, chooses, and gives the text of the entry. */
  async function moreWays(title: string, entry: string): Promise<string> {
    const request = await view.request(title);
    const { watch } = workbench;
    await watch.asPerson(() => request.locator("[data-choice=more]").click());
    const item = (await view.frame()).getByRole("menuitem", { name: entry });
    const text = await item.innerText();
    await screenshot(workbench, `allow-${entry.toLowerCase().replaceAll(" ", "-")}-dark`);
    await watch.asPerson(() => item.click());
    return text;
  }

  function made(name: string): boolean {
    return existsSync(path.join(host.workspace, name));
  }

  function settings(): string {
    return path.join(host.stateRoot, "muster/settings.json");
  }

  /** What a member's model was sent last. */
  function sent(name = "alice"): string {
    return JSON.stringify(server.requests.findLast(({ member }) => member === name)?.request ?? "");
  }
});

/** Starts who is asked for. */
function leadStep({ incoming }: Turn) {
  if (incoming.text.includes("Let bob plan.")) return calls(spawn("bob", { mode: "plan" }));
  if (incoming.text.includes("Let carol look.")) return calls(spawn("carol", { model: "haiku" }));
  return "Fine.";
}

/** Plans, and plans anew when the plan comes back. */
function bobScript() {
  const plan =
    (lines: string): Step =>
    ({ request }) => {
      const file = /\/[^\s`"\\]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(request))?.[0] ?? "none";
      return calls(call("Write", { file_path: file, content: `# Greet\n\n${lines}` }));
    };
  const ask = calls(call("ExitPlanMode", {}));
  return script(plan("1. Say hello.\n2. Wave.\n"), ask, plan("1. Say hello, please.\n2. Wave.\n"), ask, "I may begin.");
}
