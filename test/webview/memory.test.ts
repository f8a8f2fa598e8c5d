import { describe, expect, test } from "vitest";
import type { Thread } from "../../src/protocol/panel.ts";
import { conversationMessage, emptyMessage, stateMessage, tasks, teamMessages, threads } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const messageTo = (view: View, name: string) => view.page.getByRole("textbox", { name: `Message to ${name}` });
const scrollTop = (view: View) => view.page.locator(".scroller").evaluate((box) => Math.round(box.scrollTop));

/** Hides the view and shows it again: VS Code makes a new page, and the host sends everything anew. */
async function hideAndShow(view: View, messages = teamMessages()): Promise<void> {
  await view.page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await view.reload();
  await view.send(...messages);
}

describe("hide and show", () => {
  test("keeps the tab, the member, the filter and what was opened", async () => {
    const view = await open();
    await view.send(...teamMessages());
    const { page } = view;
    await page.locator(".mem-row", { hasText: "backend" }).click();
    await page.getByRole("tab", { name: /Inboxes/ }).click();
    await page.locator(".thr-head", { hasText: "研究员" }).click();
    await page.getByRole("tab", { name: /Tasks/ }).click();
    await page.locator(".task-group-head", { hasText: "Done" }).click();
    await page.getByRole("button", { name: /Load test/ }).click();
    await page.getByRole("textbox", { name: "Filter tasks" }).fill("test");
    await hideAndShow(view);
    expect((await view.posted())[0]).toEqual({ type: "ready", tab: "tasks", member: "backend" });
    expect(await view.actions()).toEqual([]);
    expect(await page.getByRole("tab", { selected: true }).textContent()).toContain("Tasks");
    expect(await page.getByRole("textbox", { name: "Filter tasks" }).inputValue()).toBe("test");
    expect(await page.locator(".task-detail").textContent()).toContain("Load test");
    await page.getByRole("textbox", { name: "Filter tasks" }).fill("");
    expect(await page.locator(".task-group-head", { hasText: "Done" }).getAttribute("aria-expanded")).toBe("true");
    await page.getByRole("tab", { name: /Inboxes/ }).click();
    await page.locator(".thr").first().waitFor();
    expect(await page.locator(".thr-open").count()).toBe(1);
  });

  test("keeps the drafts of a team while another is on show, also over a reload", async () => {
    const view = await open();
    await view.send(...teamMessages());
    await settled(view);
    await messageTo(view, "team-lead").fill("for this team");
    await view.page.getByRole("button", { name: "Deny…" }).click();
    await view.page.getByRole("textbox", { name: "Reason, optional" }).fill("not this database");
    const other = stateMessage({ team: "other", title: "other", attention: [] });
    await view.send(other);
    expect(await messageTo(view, "team-lead").inputValue()).toBe("");
    await messageTo(view, "team-lead").fill("for the other");
    await hideAndShow(view, [other]);
    expect(await messageTo(view, "team-lead").inputValue()).toBe("for the other");
    await view.send(...teamMessages());
    expect(await messageTo(view, "team-lead").inputValue()).toBe("for this team");
    await settled(view);
    await view.page.getByRole("button", { name: "Deny…" }).click();
    expect(await view.page.getByRole("textbox", { name: "Reason, optional" }).inputValue()).toBe("not this database");
    await view.send(other);
    expect(await messageTo(view, "team-lead").inputValue()).toBe("for the other");
  });

  test("keeps a draft for each recipient, and the reason of a request", async () => {
    const view = await open();
    await view.send(...teamMessages());
    const { page } = view;
    await settled(view);
    await messageTo(view, "team-lead").fill("for the lead");
    await page.locator(".mem-row", { hasText: "docs" }).click();
    await messageTo(view, "docs").fill("for docs");
    await page.getByRole("button", { name: "Deny…" }).click();
    await page.getByRole("textbox", { name: "Reason, optional" }).fill("not this database");
    await hideAndShow(view);
    expect(await messageTo(view, "docs").inputValue()).toBe("for docs");
    await page.getByRole("combobox", { name: "Recipient" }).selectOption("team-lead");
    expect(await messageTo(view, "team-lead").inputValue()).toBe("for the lead");
    expect(await page.getByRole("textbox", { name: "Reason, optional" }).inputValue()).toBe("not this database");
  });

  test("a goal is not offered again once its team was there; one that was typed since is", async () => {
    const view = await open();
    const goal = view.page.getByRole("textbox", { name: "Goal" });
    await view.send(emptyMessage("no_team"));
    await goal.fill("Make the tests pass");
    await view.send(stateMessage({ goal: "Something else" }), emptyMessage("no_team"));
    expect(await goal.inputValue()).toBe("Make the tests pass");
    await view.send(stateMessage({ goal: "Make the tests pass" }), emptyMessage("no_team"));
    expect(await goal.inputValue()).toBe("");
  });

  test("keeps the goal that was typed", async () => {
    const view = await open();
    await view.send(emptyMessage("no_team"));
    await view.page.getByRole("textbox", { name: "Goal" }).fill("Make the tests pass");
    await hideAndShow(view, [emptyMessage("no_team")]);
    expect(await view.page.getByRole("textbox", { name: "Goal" }).inputValue()).toBe("Make the tests pass");
  });

  test("keeps what is typed right after another change at once, before the view can be hidden", async () => {
    const view = await open();
    await view.send(...teamMessages());
    const kept = await view.page.evaluate(() => {
      document.querySelectorAll<HTMLElement>("[role=tab]")[1]?.click();
      const field = document.querySelector<HTMLTextAreaElement>(".cmp textarea");
      if (!field) throw new Error("no composer");
      field.value = "typed in the last moment";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      return sessionStorage.getItem("kept");
    });
    expect(JSON.parse(kept ?? "null")).toMatchObject({
      tab: "tasks",
      drafts: { "to:team-lead": "typed in the last moment" },
    });
  });

  test("keeps which request is open and which the person closed", async () => {
    const view = await open();
    await view.send(...teamMessages());
    await view.page.locator(".req-head", { hasText: "Plan" }).click();
    await hideAndShow(view);
    expect(await view.page.locator(".req-open").getAttribute("data-request")).toBe("plan-1");
    await view.page.locator(".req-head", { hasText: "Plan" }).click();
    expect(await view.page.locator(".req-open").count()).toBe(0);
    await hideAndShow(view);
    expect(await view.page.locator(".req-open").count()).toBe(0);
  });

  test("keeps the place, though the parts come one after the other", async () => {
    const view = await open({ height: 500 });
    await view.send(...teamMessages());
    await view.page.mouse.move(200, 250);
    await view.page.mouse.wheel(0, 430);
    await expect.poll(() => scrollTop(view)).toBe(430);
    await view.page.waitForTimeout(300);
    await view.reload();
    for (const message of teamMessages()) await view.send(message);
    await expect.poll(() => scrollTop(view)).toBe(430);
  });

  test("keeps to the end of a conversation that was followed", async () => {
    const view = await open({ height: 500 });
    await view.send(...teamMessages());
    await view.page.mouse.move(200, 250);
    await view.page.mouse.wheel(0, 5000);
    await expect.poll(() => view.page.getByRole("button", { name: "Go to the End" }).count()).toBe(0);
    await hideAndShow(view);
    await expect
      .poll(() => view.page.locator(".scroller").evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
      .toBeLessThan(2);
  });
});

describe("what was kept", () => {
  test.each([
    ["nothing", null],
    ["another version", { version: 99, tab: "tasks" }],
    ["nonsense", { version: 1, tab: 7, drafts: [1], expanded: { a: "x" }, scroll: "far", sent: [{}], team: 3 }],
    ["text", "hello"],
  ])("%s is no reason to fail", async (_name, kept) => {
    const view = await open({ kept });
    expect(await view.posted()).toEqual([{ type: "ready", tab: "conversation", member: null }]);
    await view.send(...teamMessages());
    expect(await view.page.locator(".mem-row").count()).toBe(6);
  });

  test("of one team does not count for another", async () => {
    const view = await open();
    await view.send(...teamMessages());
    await messageTo(view, "team-lead").fill("for the old team");
    await view.page.getByRole("tab", { name: /Tasks/ }).click();
    await view.page.getByRole("textbox", { name: "Filter tasks" }).fill("retry");
    await view.send(stateMessage({ team: "other", title: "other", attention: [] }));
    expect(await messageTo(view, "team-lead").inputValue()).toBe("");
    expect(await view.page.locator(".task-row").count()).toBe(0);
    await view.send({ type: "tasks", tasks });
    expect(await view.page.getByRole("textbox", { name: "Filter tasks" }).inputValue()).toBe("");
    await view.page.getByRole("tab", { name: /Conversation/ }).click();
    expect(await view.page.locator(".conv").count()).toBe(0);
    await view.send(conversationMessage());
    expect(await view.page.locator(".conv").count()).toBe(1);
  });

  test("is small, whatever was opened", async () => {
    const view = await open();
    await view.send(...teamMessages());
    await view.page.getByRole("tab", { name: /Tasks/ }).click();
    const many = Array.from({ length: 900 }, (_, index) => ({ ...tasks[10]!, id: String(index + 1) }));
    await view.send({ type: "tasks", tasks: many });
    for (let shown = 30; shown < 210; shown += 30) {
      expect(await view.page.locator(".task-row").count()).toBe(shown);
      await view.page.getByRole("button", { name: "Show 30 More Tasks" }).click();
    }
    expect(await view.page.locator(".task-row").count()).toBe(210);
    await view.page.evaluate(() => {
      for (const row of document.querySelectorAll<HTMLElement>(".task-row")) row.click();
    });
    await expect.poll(async () => JSON.stringify(await view.kept()).length).toBeGreaterThan(2000);
    expect(JSON.stringify(await view.kept()).length).toBeLessThan(20_000);
  });
});

describe("tasks", () => {
  test("are grouped by what can be done with them, and done ones are folded", async () => {
    const view = await open();
    await view.send(...teamMessages());
    await view.page.getByRole("tab", { name: /Tasks/ }).click();
    const groups = await view.page.locator(".task-group-head").allTextContents();
    expect(groups).toEqual(["In progress3", "Ready2", "Blocked4", "Done5"]);
    expect(await view.page.locator(".task-row").count()).toBe(9);
    expect(await view.page.locator(".task-blocked .task-end").allTextContents()).toEqual([
      "after #7",
      "after #6, #7",
      "after #8, #9, #10",
      "after #12, #13",
    ]);
  });

  test("are filtered by number, words and owner; Ctrl+F goes to the filter", async () => {
    const view = await open();
    await view.send(...teamMessages());
    await view.page.getByRole("tab", { name: /Tasks/ }).click();
    await view.page.locator(".task-row").first().focus();
    await view.page.keyboard.press("Control+f");
    const filter = view.page.getByRole("textbox", { name: "Filter tasks" });
    const subjects = () => view.page.locator(".task-number").allTextContents();
    await view.page.keyboard.type("研究员");
    expect(await subjects()).toEqual(["1", "2"]);
    await filter.fill("#12");
    expect(await subjects()).toEqual(["12"]);
    await filter.fill("#1"); // not those that begin so
    expect(await subjects()).toEqual(["1"]);
    await filter.fill("RUNBOOK");
    expect(await subjects()).toEqual(["12"]);
    await filter.fill("nothing like it");
    expect(await view.page.getByText("No task matches.").isVisible()).toBe(true);
  });
});

describe("inboxes", () => {
  test("fold idle notices in a row, and show a protocol message as JSON on request", async () => {
    const view = await open();
    await view.send(...teamMessages());
    const { page } = view;
    await page.getByRole("tab", { name: /Inboxes/ }).click();
    await page.locator(".thr-head", { hasText: "研究员" }).click();
    const lines = await page.locator(".proto-text").allTextContents();
    expect(lines[1]).toMatch(/^研究员 finished #1 and is idle: no task is ready for it, 3 notices since .*\d\d:\d\d$/);
    await page.getByRole("button", { name: "Show JSON" }).first().click();
    expect(JSON.parse((await page.locator(".code-block").textContent()) ?? "")).toMatchObject({ taskId: "1" });
    expect(await page.getByRole("img", { name: "Read", exact: true }).count()).toBe(lines.length + 1);
  });
});

describe("a long thread", () => {
  const [first, second] = threads as [Thread, Thread];
  const talk = first.messages.find(({ kind }) => kind === "message")!;
  /** Messages of very different heights. */
  const long = (count: number): Thread => ({
    ...second,
    messages: Array.from({ length: count }, (_, at) => ({
      ...talk,
      id: `long-${at}`,
      at: second.messages.at(-1)!.at - count + at,
      text: `Line ${at}\n\n${"long words ".repeat((at * 37) % 90)}`,
    })),
  });
  const fresh = (of: Thread, id: string) => ({ ...of.messages.at(-1)!, id, at: Date.now(), text: `New: ${id}` });
  const tab = (view: View, name: RegExp) => view.page.getByRole("tab", { name }).click();
  const head = (view: View) => view.page.locator(".thr").filter({ has: view.page.locator(".msgs") });

  async function openLong(view: View, count = 45): Promise<void> {
    await view.send(...teamMessages());
    await view.send({ type: "threads", threads: [first, long(count), ...threads.slice(2)] });
    await tab(view, /Inboxes/);
    await view.page.locator(".thr-head").nth(1).focus();
    await view.page.keyboard.press("Enter");
    await seesEnd(view, `Line ${count - 1}`);
  }
  const seesEnd = async (view: View, text: string) => {
    const newest = view.page.locator(".msgs > li").last();
    await newest.filter({ hasText: text }).waitFor();
    await expect.poll(() => newest.evaluate(isAtEnd)).toBe(true);
  };
  const top = (view: View, id: string) =>
    view.page.locator(`[data-row="${id}"]`).evaluate((row) => Math.round(row.getBoundingClientRect().top));
  /** Scrolls up until the row is well in view, and nothing moves any more. */
  const scrollTo = async (view: View, id: string) => {
    await view.page.mouse.move(200, 400);
    for (let at = await top(view, id); at < 250; at = await top(view, id)) {
      await view.page.mouse.wheel(0, Math.max(at - 270, -700));
      await still(view, id);
    }
    await expect.poll(async () => JSON.stringify(await view.kept())).toMatch(/"inboxRow":\{"id":"long-/);
  };
  const still = (view: View, id: string) =>
    view.page.locator(`[data-row="${id}"]`).evaluate(async (row) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let same = 0, before = Number.NaN; same < 4; ) {
        await frame();
        const now = row.getBoundingClientRect().top;
        same = now === before ? same + 1 : 0;
        before = now;
      }
    });

  test("is asked for when it is opened, and opens at its newest message when the others have come", async () => {
    const view = await open();
    await view.send(...teamMessages());
    const whole = long(45);
    const folded = { ...whole, messages: whole.messages.slice(-1), unsent: 44 };
    await view.send({ type: "threads", threads: [first, folded] });
    await tab(view, /Inboxes/);
    await view.page.locator(".thr-head").nth(1).click();
    await expect.poll(() => view.actions()).toEqual([{ type: "openThread", thread: whole.id }]);
    await view.send({ type: "threadRows", rows: [whole], removed: [] });
    await view.page.getByText("Line 0", { exact: true }).waitFor({ state: "attached" });
    await seesEnd(view, "Line 44");
    expect(await view.actions()).toHaveLength(1);
  });

  test("opens at its newest message, and the focus stays on its head", async () => {
    const view = await open();
    await openLong(view);
    expect(await view.page.evaluate(() => document.activeElement?.className)).toBe("thr-head");
    await seesEnd(view, "Line 44");
  });

  test("shows what is new to whoever reads at its end, though it becomes the first of all", async () => {
    const view = await open();
    await openLong(view);
    const grown = long(45);
    for (const id of ["one", "two"]) {
      grown.messages = [...grown.messages, fresh(grown, id)];
      await view.send({ type: "threadRows", rows: [grown], removed: [] });
      await seesEnd(view, `New: ${id}`);
    }
    expect(await view.page.locator(".thr").first().locator(".msgs").count()).toBe(1);
  });

  test("does not move under whoever reads in its middle, whatever comes in", async () => {
    const view = await open();
    await openLong(view);
    await scrollTo(view, "long-20");
    const before = await top(view, "long-20");
    const grown = long(45);
    grown.messages = [...grown.messages, fresh(grown, "below")];
    await view.send({ type: "threadRows", rows: [grown], removed: [] });
    await head(view).getByText("New: below").waitFor({ state: "attached" });
    expect(await top(view, "long-20")).toBe(before);
    const other = { ...first, messages: [...first.messages, fresh(first, "elsewhere")] };
    await view.send({ type: "threadRows", rows: [other], removed: [] });
    await view.page.getByText("New: elsewhere").waitFor({ state: "attached" });
    expect(await top(view, "long-20")).toBe(before);
  });

  test("is where it was left after another tab and after a reload", async () => {
    const view = await open();
    await openLong(view);
    await scrollTo(view, "long-20");
    const before = await top(view, "long-20");
    await tab(view, /Tasks/);
    await tab(view, /Inboxes/);
    await expect.poll(() => top(view, "long-20")).toBe(before);
    await hideAndShow(view, [...teamMessages(), { type: "threads", threads: [first, long(45), ...threads.slice(2)] }]);
    await expect.poll(() => top(view, "long-20")).toBe(before);
  });

  test("is where it was left, among messages that had to be asked for", async () => {
    const view = await open();
    await openLong(view, 100);
    await view.page
      .getByRole("button", { name: "Earlier Messages" })
      .evaluate((button) => (button as HTMLElement).click());
    await scrollTo(view, "long-30");
    const before = await top(view, "long-30");
    await tab(view, /Tasks/);
    await tab(view, /Inboxes/);
    await expect.poll(() => top(view, "long-30")).toBe(before);
  });
});

/** Whether the end of an element is what the scroller around it shows. */
function isAtEnd(element: Element): boolean {
  const box = element.closest(".scroller");
  if (!box) return false;
  const end = element.getBoundingClientRect().bottom;
  const shown = box.getBoundingClientRect();
  return end > shown.top && end <= shown.bottom + 1;
}
