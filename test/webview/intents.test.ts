import { describe, expect, test } from "vitest";
import type { Intent } from "../../src/protocol/intents.ts";
import { emptyMessage, finished, stateMessage, teamMessages } from "./support/fixtures.ts";
import { eightMembers, members } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { focused, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

async function openTeam(): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  return view;
}
const withoutId = (intents: Intent[]) =>
  intents.map((intent) => ("intent" in intent ? { ...intent, intent: "" } : intent));
const button = (view: View, name: string | RegExp) =>
  view.page.getByRole("button", { name, exact: typeof name === "string" }).first();

test("the view says that it is ready, with the tab and the member it shows", async () => {
  const view = await open();
  expect(await view.posted()).toEqual([{ type: "ready", tab: "conversation", member: null }]);
});

test("tabs are shown by click and by arrow keys", async () => {
  const view = await openTeam();
  await view.page.getByRole("tab", { name: /Tasks/ }).click();
  await view.page.keyboard.press("ArrowRight");
  await view.page.keyboard.press("ArrowRight");
  await view.page.keyboard.press("Home");
  const tabs = (await view.posted()).flatMap((intent) => (intent.type === "showTab" ? [intent] : []));
  expect(tabs).toEqual([
    { type: "showTab", tab: "tasks" },
    { type: "showTab", tab: "inboxes" },
    { type: "showTab", tab: "activity" },
    { type: "showTab", tab: "conversation" },
  ]);
  expect(await focused(view)).toBe("tab conversation");
});

test("a message that its recipient never read is named as such in its thread", async () => {
  const view = await openTeam();
  await view.page.getByRole("tab", { name: /Inboxes/ }).click();
  await view.page.locator(".thr-head", { hasText: "Leave the pager numbers out." }).click();
  const message = view.page.getByRole("article").filter({ hasText: "Leave the pager numbers out." });
  expect(await message.getByRole("img", { name: "Never read: the recipient is gone" }).count()).toBe(1);
});

describe("members", () => {
  test("a click chooses one and shows its conversation", async () => {
    const view = await openTeam();
    await view.page.getByRole("tab", { name: /Tasks/ }).click();
    const before = (await view.posted()).length;
    await view.page.locator(".mem-row", { hasText: "研究员" }).click();
    expect((await view.posted()).slice(before)).toEqual([
      { type: "selectMember", member: "yan-jiu-yuan" },
      { type: "showTab", tab: "conversation" },
    ]);
  });

  test("the menu of a row opens the terminal, writes, interrupts, changes the mode and asks to stop", async () => {
    const view = await openTeam();
    const row = view.page.locator(".mem-row", { hasText: "backend" });
    for (const name of ["Open Terminal", "Interrupt", "Change Mode…", "Ask to Stop", "Message"]) {
      await row.click({ button: "right" });
      await view.page.getByRole("menuitem", { name }).click();
    }
    expect((await view.posted()).slice(1)).toEqual([
      { type: "openTerminal", member: "backend" },
      { type: "interrupt", member: "backend" },
      { type: "changeMode", member: "backend" },
      { type: "stopMember", member: "backend" },
      { type: "selectMember", member: "backend" },
    ]);
    expect(await focused(view)).toBe("Message to backend");
  });

  test("the menu opens by keyboard and gives the focus back", async () => {
    const view = await openTeam();
    await view.page.locator(".mem-row").first().focus();
    await view.page.keyboard.press("ArrowDown");
    await view.page.keyboard.press("Shift+F10");
    expect(await view.page.getByRole("menuitem").allTextContents()).toEqual([
      "Open Terminal",
      "Message",
      "Interrupt",
      "Change Mode…",
      "Ask to Stop",
    ]);
    await view.page.keyboard.press("Escape");
    expect(await focused(view)).toContain("backend");
  });

  test("the lead cannot be stopped, and who is idle cannot be interrupted", async () => {
    const view = await openTeam();
    const items = view.page.getByRole("menuitem");
    await view.page.locator(".mem-row", { hasText: "team-lead" }).click({ button: "right" });
    expect(await items.allTextContents()).toEqual(["Message", "Interrupt", "Change Mode…"]);
    await view.page.keyboard.press("Escape");
    await view.page.locator(".mem-row", { hasText: "研究员" }).click({ button: "right" });
    expect(await items.allTextContents()).toEqual(["Open Terminal", "Message", "Change Mode…", "Ask to Stop"]);
  });

  test("an open menu stays what and where it was, whatever comes meanwhile", async () => {
    const view = await openTeam();
    await view.page.locator(".mem-row", { hasText: "研究员" }).click({ button: "right" });
    const menu = view.page.getByRole("menu");
    const before = { place: await menu.boundingBox(), choices: await menu.innerText() };
    const nowWorking = members.map((row) =>
      row.name === "yan-jiu-yuan" ? { ...row, state: "working" as const } : row,
    );
    const row = view.page.locator(".mem-row", { hasText: "研究员" });
    const rowBefore = await row.boundingBox();
    await view.send(stateMessage({ members: nowWorking }));
    await expect.poll(async () => (await row.boundingBox())?.y).not.toBe(rowBefore?.y); // what needs the person is above it
    expect({ place: await menu.boundingBox(), choices: await menu.innerText() }).toEqual(before);
    await view.page.getByRole("menuitem", { name: "Ask to Stop" }).click();
    expect(await view.actions()).toEqual([{ type: "stopMember", member: "yan-jiu-yuan" }]);
  });

  test("a menu that was placed anew in another size stays there too", async () => {
    const view = await openTeam();
    const row = view.page.locator(".mem-row", { hasText: "研究员" });
    await row.click({ button: "right" });
    const menu = view.page.getByRole("menu");
    await view.resize(420, 900);
    const [before, rowBefore] = [await menu.boundingBox(), await row.boundingBox()];
    await view.send(stateMessage());
    await expect.poll(async () => (await row.boundingBox())?.y).not.toBe(rowBefore?.y);
    expect(await menu.boundingBox()).toEqual(before);
  });

  test("an open menu closes when the person works elsewhere, and the focus is at its row when they come back", async () => {
    const view = await openTeam();
    await view.page.locator(".mem-row", { hasText: "backend" }).click({ button: "right" });
    await view.page.evaluate(() => window.dispatchEvent(new FocusEvent("blur")));
    await expect.poll(() => view.page.getByRole("menu").count()).toBe(0);
    await view.page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      window.dispatchEvent(new FocusEvent("focus"));
    });
    expect(await focused(view)).toContain("backend");
  });

  test("the menu at the head of a conversation goes with its member", async () => {
    const view = await openTeam();
    await view.page.locator(".mem-row", { hasText: "backend" }).click();
    await view.page.locator(".head-more").click();
    await view.page.getByRole("menu", { name: /backend/ }).waitFor();
    await view.send({ type: "reveal", what: { kind: "member", name: "frontend" } });
    await expect.poll(() => view.page.locator(".head-who").textContent()).toContain("frontend");
    expect(await view.page.getByRole("menu").count()).toBe(0);
    await view.send({ type: "reveal", what: { kind: "member", name: "backend" } });
    expect(await view.page.getByRole("menu").count()).toBe(0);
  });

  test("the screen of a member in tmux is shown from the head of its conversation and from its menu", async () => {
    const view = await openTeam();
    const inTmux = members.map((row) => (row.name === "backend" ? { ...row, backend: "tmux" as const } : row));
    await view.send(stateMessage({ members: inTmux }));
    await view.page.locator(".mem-row", { hasText: "backend" }).click();
    await view.page.locator(".head").getByRole("button", { name: "Show Screen" }).click();
    await view.page.locator(".mem-row", { hasText: "backend" }).click({ button: "right" });
    await view.page.getByRole("menuitem", { name: "Show Screen" }).click();
    expect(await view.actions()).toEqual([
      { type: "showScreen", member: "backend" },
      { type: "showScreen", member: "backend" },
    ]);
    await view.page.locator(".mem-row", { hasText: "研究员" }).click();
    expect(await view.page.getByRole("button", { name: "Show Screen" }).count()).toBe(0);
  });

  test("the head of the conversation opens the terminal and interrupts", async () => {
    const view = await openTeam();
    await view.page.locator(".mem-row", { hasText: "backend" }).click();
    await view.page.locator(".head").getByRole("button", { name: "Open Terminal" }).click();
    await view.page.locator(".head").getByRole("button", { name: "Interrupt" }).click();
    expect(await view.actions()).toEqual([
      { type: "openTerminal", member: "backend" },
      { type: "interrupt", member: "backend" },
    ]);
  });
});

describe("the composer", () => {
  const field = (view: View, name = "team-lead") => view.page.getByRole("textbox", { name: `Message to ${name}` });

  test("Enter sends to the lead, Shift+Enter breaks the line", async () => {
    const view = await openTeam();
    await field(view).focus();
    await view.page.keyboard.type("Keep the API");
    await view.page.keyboard.press("Shift+Enter");
    await view.page.keyboard.type("as it is.");
    await view.page.keyboard.press("Enter");
    expect(withoutId(await view.actions())).toEqual([
      { type: "send", intent: "", to: "team-lead", text: "Keep the API\nas it is." },
    ]);
    expect(await field(view).inputValue()).toBe("");
    expect(await focused(view)).toBe("Message to team-lead");
    await expect.poll(() => view.page.getByRole("status").textContent()).toBe("Sent to team-lead.");
  });

  test("an empty message is not sent, nor is one that an input method is still composing", async () => {
    const view = await openTeam();
    await field(view).fill("  \n ");
    await field(view).press("Enter");
    await field(view).fill("ni");
    await field(view).evaluate((element) => {
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true }));
    });
    expect(await view.actions()).toEqual([]);
  });

  test("the picker changes who is written to and whose conversation is shown", async () => {
    const view = await openTeam();
    await view.page.getByRole("combobox", { name: "Recipient" }).selectOption({ label: "研究员" });
    await field(view, "研究员").fill("继续。");
    await button(view, "Send (Enter)").click();
    expect(withoutId((await view.posted()).slice(1))).toEqual([
      { type: "selectMember", member: "yan-jiu-yuan" },
      { type: "send", intent: "", to: "yan-jiu-yuan", text: "继续。" },
    ]);
  });

  test("a message that was not taken comes back with the reason", async () => {
    const view = await openTeam();
    await field(view).fill("Hello");
    await field(view).press("Enter");
    const [intent] = await view.actions();
    if (intent?.type !== "send") throw new Error("nothing was sent");
    await view.send({ type: "done", intent: intent.intent, error: "This team is finished." });
    expect(await field(view).inputValue()).toBe("Hello");
    await view.page.locator(".cmp-error", { hasText: "This team is finished." }).waitFor();
  });

  test("arrow up in an empty field brings back what was sent, last first", async () => {
    const view = await openTeam();
    for (const text of ["one", "two"]) {
      await field(view).fill(text);
      await field(view).press("Enter");
    }
    await field(view).press("ArrowUp");
    expect(await field(view).inputValue()).toBe("two");
    await field(view).press("ArrowUp");
    expect(await field(view).inputValue()).toBe("one");
  });

  test("is not there where the team can only be read", async () => {
    const view = await open();
    await view.send(stateMessage({ readOnly: "Another window runs this team." }));
    expect(await view.page.getByRole("textbox").count()).toBe(0);
    expect(await view.page.getByText("Another window runs this team.").isVisible()).toBe(true);
  });

  test("is replaced by a button that continues a team which nobody runs", async () => {
    const view = await open();
    await view.send(stateMessage({ readOnly: "Nobody runs this team.", canContinue: true }));
    await view.page.getByRole("button", { name: "Continue Team" }).click();
    expect(await view.actions()).toEqual([{ type: "command", command: "continueTeam" }]);
    await view.send(stateMessage({ readOnly: "Another window runs this team." }));
    expect(await view.page.getByRole("button", { name: "Continue Team" }).count()).toBe(0);
  });

  test("a task leads to the terminal of its owner", async () => {
    const view = await openTeam();
    await view.page.getByRole("tab", { name: /^Tasks/ }).click();
    await view.page
      .locator(".task-row", { has: view.page.locator(".task-owner", { hasText: "backend" }) })
      .first()
      .click();
    await view.page.locator(".task-detail").getByRole("button", { name: "Open Terminal" }).click();
    expect(await view.actions()).toEqual([{ type: "openTerminal", member: "backend" }]);
  });

  test("is focused by the command of the extension", async () => {
    const view = await openTeam();
    await view.send(
      { type: "reveal", what: { kind: "member", name: "docs" } },
      { type: "reveal", what: { kind: "composer" } },
    );
    expect(await focused(view)).toBe("Message to docs");
  });
});

describe("without a team", () => {
  test.each([
    ["no_key", "Set API Key…", "setApiKey"],
    ["no_key", "Run the Demo Team", "runDemo"],
    ["no_key", "Open Team…", "openTeam"],
    ["untrusted", "Manage Workspace Trust", "manageTrust"],
    ["untrusted", "Open a Team to Read…", "openTeam"],
    ["no_folder", "Open Folder…", "openFolder"],
    ["no_folder", "Run the Demo Team", "runDemo"],
    ["no_team", "Run the Demo Team", "runDemo"],
    ["no_team", "Open Team…", "openTeam"],
  ] as const)("%s: %s", async (reason, label, command) => {
    const view = await open({ width: 300 });
    await view.send(emptyMessage(reason));
    await button(view, label).click();
    expect(await view.actions()).toEqual([{ type: "command", command }]);
  });

  test("a goal starts a team; a failure is said and the goal stays", async () => {
    const view = await open();
    await view.send(emptyMessage("no_team"));
    await button(view, "Start Team").click();
    expect(await focused(view)).toBe("Goal");
    expect(await view.actions()).toEqual([]);
    await view.page.keyboard.type("Make the tests pass");
    await view.page.keyboard.press("Enter");
    expect(await view.actions()).toEqual([]);
    await view.page.keyboard.press("Control+Enter");
    const [intent] = await view.actions();
    if (intent?.type !== "startTeam") throw new Error("no team was started");
    expect(intent.goal).toBe("Make the tests pass");
    expect(await button(view, "Starting…").getAttribute("aria-disabled")).toBe("true");
    await button(view, "Starting…").click({ force: true });
    expect(await view.actions()).toHaveLength(1);
    await view.send({ type: "done", intent: intent.intent, error: "The API refused the key." });
    expect(await view.page.locator(".error-line").textContent()).toBe("The API refused the key.");
    await expect.poll(() => view.page.getByRole("status").textContent()).toBe("The API refused the key.");
    expect(await view.page.getByRole("textbox", { name: "Goal" }).inputValue()).toContain("Make the tests pass");
  });
});

test("a finished team shows what it left and leads on", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [], members: [], finished }));
  const { page } = view;
  expect(await page.getByRole("heading", { name: "checkout-retry is finished" }).count()).toBe(1);
  expect(await page.locator(".fin-figures").textContent()).toContain("14 of 14");
  await page.getByRole("button", { name: "3 changed" }).click();
  expect(await page.locator(".fin-files li").allTextContents()).toEqual(finished.files);
  await page.locator(".fin-row", { hasText: "backend" }).click();
  await button(view, "New Team…").click();
  await button(view, "Open Another Team…").click();
  await button(view, "Show Changes").press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // Undo a Member's Changes…
  expect((await view.posted()).slice(1)).toEqual([
    { type: "selectMember", member: "backend" },
    { type: "command", command: "newTeam" },
    { type: "command", command: "openTeam" },
    { type: "command", command: "showChanges" },
    { type: "command", command: "undoChanges" },
  ]);
  expect(await page.getByRole("textbox").count()).toBe(0);
});

test("a team that failed leads to the log", async () => {
  const view = await open();
  await view.send(stateMessage({ attention: [], finished: { ...finished, result: "failed" } }));
  await button(view, "Show Log").click();
  expect(await view.actions()).toEqual([{ type: "command", command: "showLog" }]);
});

test("when the member that is shown is not in the team, the host is told that it is the lead's turn", async () => {
  const view = await open({ kept: { version: 1, team: "checkout-retry", member: "gone" } });
  await view.send(stateMessage({ attention: [] }));
  expect(await view.posted()).toEqual([
    { type: "ready", tab: "conversation", member: "gone" },
    { type: "selectMember", member: "team-lead" },
  ]);
  await view.page.locator(".mem-row", { hasText: "backend" }).click();
  await view.send(stateMessage({ team: "another", attention: [] }));
  expect((await view.posted()).slice(2)).toEqual([
    { type: "selectMember", member: "backend" },
    { type: "selectMember", member: "team-lead" },
  ]);
});

test("the demo says that its models are scripted, and where it works", async () => {
  const view = await open();
  await view.send(stateMessage({ scripted: true, folder: "/tmp/demo-1/corner-bakery" }));
  const where = view.page.getByText("It works in corner-bakery, a copy of a sample project.");
  expect(await where.getAttribute("title")).toBe("/tmp/demo-1/corner-bakery");
  expect(await view.page.getByText("The models of this demo are scripted.").isVisible()).toBe(true);
});

test("interrupting is offered only where a run goes on", async () => {
  const view = await open();
  const interrupt = view.page.getByRole("button", { name: "Interrupt", exact: true });
  const lead = (over: object) => stateMessage({ attention: [], members: [{ ...eightMembers[0]!, ...over }] });
  await view.send(lead({ state: "working" }));
  expect(await interrupt.count()).toBe(1);
  await view.send(lead({ state: "waiting", waiting: 1 }));
  expect(await interrupt.count()).toBe(1);
  await view.send(lead({ state: "waiting", waiting: 1, rests: true }));
  await expect.poll(() => interrupt.count()).toBe(0);
  await view.send(lead({ state: "idle" }));
  await expect.poll(() => interrupt.count()).toBe(0);
});
