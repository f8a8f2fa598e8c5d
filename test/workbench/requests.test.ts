import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call } from "../../src/demo/script.ts";
import { startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { keepEvidence } from "../support/evidence.ts";
import { type Host, startHost } from "../support/host.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import {
  openContainer,
  openWorkbench,
  quickPickRow,
  runCommand,
  screenshot,
  terminalNames,
  type Workbench,
} from "../support/workbench.ts";

const bash = (command: string) => calls(call("Bash", { command }));

/** Every way to decide a permission, and to change what a member may do, as a person clicks it. */
describe("what a member may do is decided in the window", { timeout: 120_000 }, () => {
  let server: MessagesServer;
  let host: Host;
  let browser: Browser;
  let workbench: Workbench;
  let view: TeamView;

  beforeAll(async () => {
    const scripts = team({
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "I wait for alice.", "Shall alice go on?", "Fine."),
      alice: script(
        bash("touch session.txt"),
        bash("touch session.txt && touch always.txt"),
        bash("touch always.txt"),
        bash("touch typo.txt"),
        bash("touch denied.txt"),
        "All is asked.",
        bash("touch free.txt"),
        "Made without asking.",
      ),
    });
    server = await startMessagesServer(scripts);
    host = await startHost({ files: { "notes.txt": "a note\n" }, env: { ANTHROPIC_BASE_URL: server.url } });
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

  /** What alice's model was sent last. */
  function sent(): string {
    return JSON.stringify(server.requests.findLast(({ member }) => member === "alice")?.request ?? "");
  }
});
