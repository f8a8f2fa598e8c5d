import { expect, test } from "vitest";
import type { TaskRow } from "../../src/protocol/panel.ts";
import { conversationMessage, stateMessage, tasks, teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { focused, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

async function openTasks(): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  await view.page.getByRole("tab", { name: /^Tasks/ }).click();
  return view;
}
const filter = (view: View) => view.page.getByRole("textbox", { name: "Filter tasks" });
const reveal = (view: View, id: string) => view.send({ type: "reveal", what: { kind: "task", id } });
const numbers = (view: View) => view.page.locator(".task-number").allTextContents();
function one(id: string): TaskRow {
  const task = tasks.find((row) => row.id === id);
  if (!task) throw new Error(`no task ${id}`);
  return task;
}
const back = (view: View) => view.page.getByRole("button", { name: "Back to Your Filter" });

/** The tab *Tasks* was not on show before: the host sends the tasks once it is. */
async function openWithoutTasks(): Promise<View> {
  const view = await open();
  await view.send(stateMessage({ attention: [] }), conversationMessage());
  return view;
}
const sendTasks = (view: View, list = tasks) => view.send({ type: "tasks", tasks: list });
const row = (view: View, id: string) => view.page.locator(`[data-task="${id}"] .task-row`);
const LAST = "Write the runbook for stuck charges";

test("a task that a terminal links to is gone to among the tasks, once those are there", async () => {
  const view = await openWithoutTasks();
  await reveal(view, "12");
  expect(await view.page.getByRole("tab", { selected: true }).textContent()).toContain("Tasks");
  expect((await view.posted()).filter(({ type }) => type === "showTab")).toEqual([{ type: "showTab", tab: "tasks" }]);
  await sendTasks(view);
  await expect.poll(() => focused(view)).toContain(LAST);
  expect(await filter(view).inputValue()).toBe("");
  expect(await view.page.locator(".task-alone").count()).toBe(0);
});

test("a task of a closed group, and one that proves to have come there meanwhile, are gone to in it", async () => {
  const view = await openWithoutTasks();
  await reveal(view, "3");
  await sendTasks(view);
  await expect.poll(() => focused(view)).toContain("Agree the retry policy");
  await view.page.locator(".task-group-head", { hasText: "Done" }).click();
  await view.page.getByRole("tab", { name: /^Conversation/ }).click();
  await reveal(view, "12");
  await view.send({ type: "taskRows", rows: [{ ...one("12"), status: "completed", openBlockers: [] }], removed: [] });
  await expect.poll(() => focused(view)).toContain(LAST);
  expect(await view.page.locator(".task-done .task-number").allTextContents()).toContain("12");
});

test("a task that was just created is gone to when it comes into the list", async () => {
  const view = await openTasks();
  const shown = await numbers(view);
  await reveal(view, "15");
  await view.page.waitForTimeout(200);
  expect(await numbers(view)).toEqual(shown);
  await view.send({ type: "taskRows", rows: [{ ...one("12"), id: "15", subject: "Tidy up" }], removed: [] });
  await expect.poll(() => focused(view)).toContain("Tidy up");
  expect(await filter(view).inputValue()).toBe("");
});

test("of a task that does not come it is said that there is none, with the way back to all of them", async () => {
  const view = await openTasks();
  const shown = await numbers(view);
  await reveal(view, "99");
  await expect.poll(() => filter(view).inputValue(), { timeout: 5_000 }).toBe("#99");
  expect(await view.page.locator(".task-alone").textContent()).toBe("Only task #99 is shown. Show All Tasks");
  expect(await view.page.locator(".tab-empty").textContent()).toBe("No task matches.");
  await view.page.getByRole("button", { name: "Show All Tasks" }).click();
  expect(await numbers(view)).toEqual(shown);
  expect(await filter(view).inputValue()).toBe("");
});

test("who filters or leaves the tasks while one is waited for keeps what they did", async () => {
  const view = await openTasks();
  await reveal(view, "99");
  await filter(view).fill("load");
  await view.page.waitForTimeout(1_800);
  expect(await filter(view).inputValue()).toBe("load");
  await reveal(view, "99");
  await view.page.getByRole("tab", { name: /^Conversation/ }).click();
  await view.page.getByRole("tab", { name: /^Tasks/ }).click();
  await view.page.waitForTimeout(1_800);
  expect(await filter(view).inputValue()).toBe("load");
});

test("a task that is gone to after a reload is seen, and not the place that was kept", async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ ...one("10"), id: String(index + 1) }));
  const view = await open({ height: 500 });
  await view.send(...teamMessages({ attention: [] }));
  await view.page.getByRole("tab", { name: /^Tasks/ }).click();
  await sendTasks(view, many);
  await view.page.mouse.move(200, 300);
  await view.page.mouse.wheel(0, 100_000);
  await view.page.waitForTimeout(400);
  expect(await row(view, "1").evaluate(isSeen)).toBe(false);
  await view.page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await view.reload();
  await view.send(stateMessage({ attention: [] }), { type: "reveal", what: { kind: "task", id: "1" } });
  await sendTasks(view, many);
  await expect.poll(() => row(view, "1").evaluate(isSeen)).toBe(true);
  await view.page.waitForTimeout(300);
  expect(await row(view, "1").evaluate(isSeen)).toBe(true);
});

/** Runs in the page: whether an element is what stands at its place. */
function isSeen(element: Element): boolean {
  const { x, y, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + 30, y + height / 2));
}

test("a task that the person's filter shows is gone to under it, and the caret stays where they type", async () => {
  const view = await openTasks();
  await filter(view).fill("load test");
  await reveal(view, "10");
  await view.page.keyboard.type("s");
  expect(await filter(view).inputValue()).toBe("load tests");
  expect(await back(view).count()).toBe(0);
});

test("a task that the person's filter leaves out is shown alone, and there is a way back, over a reload too", async () => {
  const view = await openTasks();
  await filter(view).fill("load test");
  await reveal(view, "7");
  await reveal(view, "6"); // another one, from there
  expect(await filter(view).inputValue()).toBe("#6");
  expect(await numbers(view)).toEqual(["6"]);
  await view.reload();
  await view.send(...teamMessages({ attention: [] }));
  expect(await view.page.locator(".task-alone").textContent()).toBe("Only task #6 is shown. Back to Your Filter");
  await back(view).click();
  expect(await filter(view).inputValue()).toBe("load test");
  expect(await numbers(view)).toEqual(["10"]);
  expect(await back(view).count()).toBe(0);
});

test("the choice of an owner comes back as well; who filters otherwise is not led back any more", async () => {
  const view = await openTasks();
  const owner = view.page.getByRole("combobox", { name: "Whose tasks" });
  await owner.click();
  await view.page.getByRole("tabpanel").getByRole("option", { name: "backend" }).click();
  const shown = await numbers(view);
  await reveal(view, "12");
  await back(view).click();
  expect(await numbers(view)).toEqual(shown);
  await reveal(view, "12");
  await filter(view).fill("load");
  expect(await back(view).count()).toBe(0);
});

test("a task that is too far down to be drawn is shown alone, with the way back to what was shown", async () => {
  const view = await openTasks();
  const many = Array.from({ length: 80 }, (_, index) => ({
    ...{ ...one("1"), id: String(index + 1), subject: `Step ${index + 1}`, status: "pending" as const },
    ...{ blockedBy: [], openBlockers: [] },
  }));
  await sendTasks(view, many);
  await reveal(view, "70");
  await expect.poll(() => numbers(view)).toEqual(["70"]);
  await expect.poll(() => focused(view)).toContain("Step 70");
  await view.page.getByRole("button", { name: "Show All Tasks" }).click();
  await expect.poll(() => numbers(view)).toHaveLength(30);
  await filter(view).fill("step");
  await reveal(view, "70");
  await expect.poll(() => numbers(view)).toEqual(["70"]);
  await back(view).click();
  expect(await filter(view).inputValue()).toBe("step");
});

test("a group that was closed under the task's own number is open when the task is gone to again", async () => {
  const view = await openTasks();
  await filter(view).fill("load test");
  await reveal(view, "7");
  await expect.poll(() => numbers(view)).toEqual(["7"]);
  await view.page.locator(".task-group-head").click();
  expect(await numbers(view)).toEqual([]);
  await reveal(view, "7");
  await expect.poll(() => numbers(view)).toEqual(["7"]);
});
