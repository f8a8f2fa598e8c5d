import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call } from "../../src/demo/script.ts";
import { eventually } from "../support/eventually.ts";
import type { Host } from "../support/host.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import {
  activeEditor,
  answerInput,
  badge,
  openContainer,
  quickInput,
  quickPickRow,
  reload,
  reopen,
  runCommand,
  screenshot,
  terminalNames,
  treeRow,
  type Workbench,
  webviewFrame,
} from "../support/workbench.ts";

const BEFORE = "The greeting is 'Hello'.\n";
const LONG = `node -e "console.log('${"the tail of a long command is never hidden, ".repeat(3)}end')"`;

/** A team with the person's own goal, whose API is a scripted server; most is decided without the webview. */
describe("a team of the person's own", { timeout: 120_000 }, () => {
  let server: MessagesServer;
  let host: Host;
  let workbench: Workbench;
  let view: TeamView;

  const prepare = async () => {
    server = await startMessagesServer(
      team({ "team-lead": leadScript(), alice: aliceScript(), bob: script("I read.") }),
    );
    const env = { ANTHROPIC_BASE_URL: server.url };
    return { files: { "greet.txt": BEFORE, ...SMALL_WORKSPACE.files }, env };
  };

  afterAll(() => server?.close());
  useWindow(prepare, (opened) => {
    ({ host, workbench } = opened);
    view = teamView(workbench);
  });

  it("begins with a goal, whose draft survives hiding and a reload", async () => {
    await openContainer(workbench, "Agent Teams");
    const goal = "Greet the whole world.";
    const field = (await view.frame()).getByRole("textbox", { name: "Goal" });
    await workbench.watch.asPerson(() => field.fill(goal));
    await openContainer(workbench, "Explorer");
    await openContainer(workbench, "Agent Teams");
    expect(await (await view.frame()).getByRole("textbox", { name: "Goal" }).inputValue()).toBe(goal);
    await reload(workbench);
    await eventually("the draft", async () => {
      const again = (await view.frame()).getByRole("textbox", { name: "Goal" });
      return (await again.inputValue({ timeout: 1_000 })) === goal;
    });
    await screenshot(workbench, "start-team-dark");
    expect(server.requests).toEqual([]);
    const start = (await view.frame()).getByRole("button", { name: "Start Team" });
    await workbench.watch.asPerson(() => start.click());
    await eventually("the first request to the model", () => server.requests.length > 0);
    expect(JSON.stringify(server.requests[0]?.request.messages)).toContain(goal);
  });

  it("has an edit decided in a quick pick, with the change as a diff beside it", async () => {
    await eventually("the request", async () => (await badge(workbench, "Agent Teams")) === "1");
    await reviewNextRequest();
    const title = workbench.page.locator(".quick-input-title");
    expect(await title.innerText()).toBe("Edit greet.txt · team-lead");
    expect(await quickPickRow(workbench.page, "Allow Once").count()).toBe(0); // not before it was seen
    await open("Open Diff");
    await eventually("the diff", async () => (await activeEditor(workbench)).startsWith("greet.txt (team-lead)"));
    await screenshot(workbench, "review-edit-dark");
    await workbench.watch.asPerson(() => quickPickRow(workbench.page, "Allow Once").click());
    await eventually("the edit", () =>
      readFileSync(path.join(host.workspace, "greet.txt"), "utf8").includes("Hello, world"),
    );
    await runCommand(workbench, "View: Close All Editors");
  });

  it("keeps a request of its lead, which has no team yet, over a reload", async () => {
    await eventually("the request", async () => (await badge(workbench, "Agent Teams")) === "1");
    await reload(workbench);
    await eventually("the request again", async () => (await badge(workbench, "Agent Teams")) === "1");
  });

  it("has a long command opened whole, and its denial's reason told to the model", async () => {
    await eventually("the request", async () => (await badge(workbench, "Agent Teams")) === "1");
    await reviewNextRequest();
    await open("Open the Whole Request");
    const editor = workbench.page.locator(".editor-instance .view-lines");
    await eventually("the whole command", async () =>
      (await editor.innerText()).replaceAll("\u00a0", " ").includes("never hidden, end')\""),
    );
    await workbench.watch.asPerson(async () => {
      await quickPickRow(workbench.page, "Deny…").click();
      await workbench.page.locator(".quick-input-message", { hasText: "Reason, optional" }).waitFor();
    });
    await quickInput(workbench.page).fill("Not today.");
    await workbench.watch.asPerson(() => workbench.page.keyboard.press("Enter"));
    await eventually("the denial", () => JSON.stringify(server.requests.at(-1)?.request ?? "").includes("Not today."));
    await runCommand(workbench, "View: Close All Editors");
  });

  it("has its plan read as a document and decided by keyboard alone", async () => {
    await eventually("the plan", async () => (await badge(workbench, "Agent Teams")) === "1");
    await runCommand(workbench, "Agent Teams: Focus Next Request");
    await requestHasFocus();
    const request = await view.request("Plan: Greet politely");
    await workbench.watch.asPerson(async () => {
      await view.press(request, "Open Plan");
      const board = await webviewFrame(workbench, "Team Board");
      await board.getByRole("button", { name: "Open as Document" }).click();
      await eventually("the document", async () => (await activeEditor(workbench)) === "plan-1-alice.md");
    });
    await workbench.page.locator(".statusbar-item", { hasText: "Markdown" }).waitFor();
    expect(await workbench.page.locator(".editor-instance .view-lines").innerText()).toContain("Greet");
    await screenshot(workbench, "plan-document-dark");
    await runCommand(workbench, "View: Close All Editors");
    await runCommand(workbench, "Agent Teams: Focus Next Request");
    await requestHasFocus();
    await workbench.watch.asPerson(() => workbench.page.keyboard.press("Control+Enter"));
    const audit = path.join(host.stateRoot, "teams/demo/muster/audit.jsonl");
    await eventually("the approval", () => readFileSync(audit, "utf8").includes('"kind":"approve","mode":"default"'));
  });

  it("waits for the person when the lead rests, and goes on with what the person writes", async () => {
    const request = await view.request("team-lead waits for you");
    expect(await request.innerText()).toContain("Shall I greet in French too?");
    expect(await badge(workbench, "Agent Teams")).toBe("1");
    await screenshot(workbench, "lead-waits-dark");
    const composer = await view.composer();
    await workbench.watch.asPerson(() => composer.fill("Yes, in French t"));
    await view.showTab("Tasks");
    await openContainer(workbench, "Explorer");
    await openContainer(workbench, "Agent Teams");
    const frame = await view.frame();
    await eventually("the draft", async () => (await (await view.composer()).inputValue()) === "Yes, in French t");
    expect(await frame.getByRole("tab", { name: /^Tasks/ }).getAttribute("aria-selected")).toBe("true");
    await workbench.watch.asPerson(async () => {
      await (await view.composer()).press("End");
      await workbench.page.keyboard.type("oo.");
      await workbench.page.keyboard.press("Enter");
    });
    await eventually("the answer", () =>
      JSON.stringify(server.requests.at(-1)?.request ?? "").includes("Yes, in French too."),
    );
    await (await view.frame()).getByText("Fini.").first().waitFor({ state: "attached" });
  });

  it("has a task created from the palette, assigned by keyboard, deleted and brought back", async () => {
    const task = path.join(host.stateRoot, "tasks/demo/1.json");
    const owner = () => existsSync(task) && JSON.parse(readFileSync(task, "utf8")).owner;
    await runCommand(workbench, "Agent Teams: Create Task…");
    await answerInput(workbench, "Create Task", "Check the accents");
    await answerInput(workbench, "Create Task: Check the accents", "In every greeting.");
    const frame = await view.frame();
    const row = frame.locator("[data-task='1']");
    await row.getByText("Check the accents").first().waitFor();
    expect(JSON.parse(readFileSync(task, "utf8")).description).toBe("In every greeting.");
    await eventually("alice to claim it", () => owner() === "alice");
    await row.locator(".task-owner", { hasText: "alice" }).waitFor();
    const keys = async (...pressed: string[]) => {
      for (const key of pressed) await workbench.page.keyboard.press(key);
    };
    await workbench.watch.asPerson(async () => {
      await row.locator(".task-row").focus();
      await keys("Shift+F10");
      await frame.getByRole("menuitem", { name: "Assign…" }).waitFor();
      await keys("Enter");
      await frame.getByRole("menuitem", { name: "team-lead" }).waitFor();
      await keys("Home", "Enter");
    });
    await eventually("the lead to own it", () => owner() === "team-lead");
    await eventually("the lead to hear of it", () =>
      server.requests.some(({ member, request }) =>
        member === "team-lead" ? JSON.stringify(request).includes("Task #1 is yours now") : false,
      ),
    );
    const remove = async () => {
      await workbench.watch.asPerson(async () => {
        await row.locator(".task-row").focus();
        await keys("Shift+F10");
        await frame.getByRole("menuitem", { name: "Delete" }).waitFor();
        await keys("End", "Enter");
      });
      await eventually("the task to go", () => !existsSync(task));
    };
    await remove();
    const deleted = frame.locator(".task-group-head", { hasText: "Deleted" });
    await workbench.watch.asPerson(() => deleted.click());
    await screenshot(workbench, "tasks-deleted-dark");
    const back = frame.getByRole("button", { name: "Bring Back Task #1" });
    await workbench.watch.asPerson(() => back.click());
    await eventually("the task to be back", () => existsSync(task));
    await row.waitFor();
    await remove();
  });

  it("takes a selection of the editor and a file of the folder into a message", async () => {
    const { page, watch } = workbench;
    await watch.asPerson(async () => {
      await page.keyboard.press("Control+P");
      await quickInput(page).fill("greet.txt");
      await quickPickRow(page, "greet.txt").click();
    });
    await eventually("the file", async () => (await activeEditor(workbench)) === "greet.txt");
    await runCommand(workbench, "Select All");
    await runCommand(workbench, "Agent Teams: Send Selection to Team");
    const composer = await view.composer();
    await eventually("the reference", async () => (await composer.inputValue()) === "@greet.txt:1 ");
    await watch.asPerson(async () => {
      await composer.press("End");
      await page.keyboard.type("and @GREE");
      await (await view.frame()).locator(".cmp-mention[aria-selected=true][title='greet.txt']").waitFor();
      await page.keyboard.press("Enter");
    });
    await eventually("the file's name", async () => (await composer.inputValue()) === "@greet.txt:1 and @greet.txt ");
    await watch.asPerson(() => composer.fill(""));
    await runCommand(workbench, "View: Close All Editors");
  });

  it("gets another teammate from the person", async () => {
    await runCommand(workbench, "Agent Teams: Spawn a Teammate…");
    await answerInput(workbench, "Spawn a Teammate", "bob");
    await answerInput(workbench, "What bob is told", "Read the greeting aloud.");
    await workbench.watch.asPerson(() => quickPickRow(workbench.page, "Accept edits").click());
    const frame = await view.frame();
    await frame.locator(".mem-row", { hasText: "bob" }).waitFor();
    await eventually("bob's first request", () =>
      server.requests.some(({ member, request }) =>
        member === "bob" ? JSON.stringify(request).includes("Read the greeting aloud.") : false,
      ),
    );
  });

  it("opens a teammate's terminal from the native tree", async () => {
    await runCommand(workbench, "Agent Teams: Focus on Members View");
    const row = treeRow(workbench.page, "alice");
    await workbench.watch.asPerson(async () => {
      await row.hover();
      await row.getByRole("button", { name: /Open Teammate Terminal/ }).click();
    });
    await eventually("the terminal", async () => (await terminalNames(workbench)).join() === "alice");
  });

  it("lets a member be written to, and asked to stop, from the command palette", async () => {
    await runCommand(workbench, "Agent Teams: Message a Member…");
    await workbench.watch.asPerson(async () => {
      await quickPickRow(workbench.page, "alice").click();
      await eventually("the field", async () => (await quickInput(workbench.page).getAttribute("placeholder")) === "");
    });
    await workbench.watch.asPerson(async () => {
      await quickInput(workbench.page).fill("Mind the accents.");
      await workbench.page.keyboard.press("Enter");
    });
    await eventually("the message", () =>
      JSON.stringify(server.requests.at(-1)?.request ?? "").includes("Mind the accents."),
    );
    await runCommand(workbench, "Agent Teams: Shut Down a Teammate…");
    await workbench.watch.asPerson(() => quickPickRow(workbench.page, "alice").click());
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await workbench.watch.asPerson(() => dialog.getByRole("button", { name: "Ask It to Stop" }).click());
    const frame = await view.frame();
    await eventually("alice to go", async () => (await frame.locator(".mem-row", { hasText: "alice" }).count()) === 0);
  });

  it("is shut down when the person says so, and stays to be read", async () => {
    await runCommand(workbench, "Agent Teams: Shut Down Team");
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.getByText("Shut down demo?").waitFor();
    await workbench.watch.asPerson(() => dialog.getByRole("button", { name: "Shut Down Team" }).click());
    await (await view.frame()).locator(".fin").waitFor({ timeout: 30_000 });
    expect(await badge(workbench, "Agent Teams")).toBe("");
    expect(await view.text()).toMatch(/demo is finished[\s\S]*You decided\s+3 requests/);
    expect(existsSync(path.join(host.stateRoot, "teams/demo/config.json"))).toBe(true);
  });

  it("has its members gone through when it is finished, also from a hidden view", async () => {
    const members = ["team-lead", "alice", "bob"];
    const head = async () => (await view.frame()).locator(".head-who").innerText();
    for (let shown = (await head()).trim(), step = 0; step < 4; step += 1) {
      const next = members[(members.indexOf(shown) + 1) % members.length] ?? "";
      if (step % 2 === 1) await openContainer(workbench, "Explorer");
      await runCommand(workbench, "Agent Teams: Next Member");
      await eventually(`${next} behind ${shown}`, async () => (await head()).trim() === next);
      shown = next;
    }
  });

  it("is not gone on with when its page is replaced in that moment", async () => {
    const asked = server.requests.length;
    await reopen(workbench);
    await runCommand(workbench, "Agent Teams: Focus on Team View");
    const frame = await view.frame();
    await frame.locator(".fin").or(frame.getByText("Continue Team")).first().waitFor();
    await screenshot(workbench, "ended-team-dark");
    expect(existsSync(path.join(host.stateRoot, "teams/demo/muster/lead.json"))).toBe(false);
    expect(server.requests).toHaveLength(asked);
  });

  it("opens teams on disk to be read, those of other programs too", async () => {
    foreignTeam(host.stateRoot);
    await runCommand(workbench, "Agent Teams: Open Team…");
    await quickPickRow(workbench.page, "elsewhere").waitFor();
    await quickPickRow(workbench.page, "demo").waitFor();
    await workbench.watch.asPerson(() => quickPickRow(workbench.page, "elsewhere").click());
    const frame = await view.frame();
    await frame.getByText("Another program made this team. It can be read here.").waitFor();
    expect(await frame.locator(".cmp").count()).toBe(0);
    await screenshot(workbench, "foreign-team-dark");
  });

  /** The answer to the command may take its time on a busy machine: the focus that comes with it is asked for. */
  async function reviewNextRequest(): Promise<void> {
    await workbench.watch.asPerson(async () => {
      await runCommand(workbench, "Agent Teams: Review Next Request");
      await quickPickRow(workbench.page, "Deny…").waitFor();
    });
  }

  /** Opens what a request is about beside its quick pick, which is there again after that, with the focus. */
  async function open(row: string): Promise<void> {
    await workbench.watch.asPerson(async () => {
      await quickPickRow(workbench.page, row).click();
      await quickPickRow(workbench.page, "Allow Once").waitFor();
    });
  }

  /** *Focus Next Request* puts the focus on the request's title, never on a button. */
  async function requestHasFocus(): Promise<void> {
    const frame = await view.frame();
    await workbench.watch.asPerson(() =>
      eventually("the focus on the request", () =>
        frame.evaluate(() => document.activeElement?.classList.contains("req-head") ?? false),
      ),
    );
  }

  it("raised no toast, opened no terminal and took no focus that nobody asked for", async () => {
    expect(workbench.watch.toasts()).toEqual([]);
    expect(workbench.watch.unaskedFocus()).toEqual([]);
    const terminals = await eventually("the name of every terminal", async () => {
      const names = await terminalNames(workbench); // a shell that has just begun has none yet
      return names.includes("") ? undefined : names;
    });
    expect(terminals.filter((name) => name !== "bash")).toEqual([]); // VS Code's own, where its panel was open when it was torn away
    expect(server.failures).toEqual([]);
  });
});

function leadScript() {
  return script(
    calls(call("Read", { file_path: "greet.txt" })),
    calls(call("Edit", { file_path: "greet.txt", old_string: "'Hello'", new_string: "'Hello, world'" })),
    calls(call("Bash", { command: LONG })),
    calls(createTeam),
    calls(spawn("alice", { mode: "plan" })),
    "I wait for alice.",
    "Shall I greet in French too?",
    "Fini.",
  );
}

function aliceScript() {
  return script(
    ({ request }) => {
      const file = /\/[^\s`"\\]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(request))?.[0] ?? "none";
      return calls(call("Write", { file_path: file, content: "# Greet politely\n\n1. Say please.\n" }));
    },
    calls(call("ExitPlanMode", {})),
    "The plan is approved.",
  );
}

/** A team as Claude Code writes it. */
function foreignTeam(root: string): void {
  const folder = path.join(root, "teams/elsewhere");
  const lead = { agentId: "team-lead@elsewhere", name: "team-lead", agentType: "team-lead", joinedAt: 1, cwd: "/x" };
  const config = {
    name: "elsewhere",
    createdAt: Date.now(),
    leadAgentId: lead.agentId,
    leadSessionId: "s",
    members: [lead],
  };
  mkdirSync(path.join(folder, "inboxes"), { recursive: true });
  writeFileSync(path.join(folder, "config.json"), JSON.stringify(config));
}
