import { describe, expect, test } from "vitest";
import { boardMessages } from "./support/boardFixtures.ts";
import { finished, stateMessage, tasks, teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { focused, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const SUBJECT = "What is to be done";
const DESCRIPTION = "Description, optional";

const field = (view: View, name: string) => view.page.getByRole("textbox", { name });
const composer = (view: View) => field(view, "Message to team-lead");
const row = (view: View) => view.page.locator("[data-task='12']");
/** Task 12 with other facts, among the others. */
const changed = (over: Partial<(typeof tasks)[number]>) => ({
  type: "tasks" as const,
  tasks: tasks.map((task) => (task.id === "12" ? { ...task, ...over } : task)),
});
const claimed = changed({ status: "in_progress" });
const without = { type: "tasks" as const, tasks: tasks.filter(({ id }) => id !== "12") };

async function openTasks(): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  await view.page.getByRole("tab", { name: /^Tasks/ }).click();
  return view;
}
async function openForm(): Promise<View> {
  const view = await openTasks();
  await row(view).locator(".task-row").click();
  await row(view).getByRole("button", { name: "Edit…" }).click();
  return view;
}

describe("the form of a task has the focus when the person opens it", () => {
  test("from the row, from its menu, and when its text comes only then", async () => {
    const view = await openForm();
    expect(await focused(view)).toBe(SUBJECT);
    await view.page.keyboard.press("Escape");
    await row(view).locator(".task-row").click({ button: "right" });
    await view.page.getByRole("menuitem", { name: "Edit…" }).click();
    await expect.poll(() => focused(view)).toBe(SUBJECT);
    await view.page.keyboard.press("Escape");
    await view.send(changed({ description: null }));
    await row(view).getByRole("button", { name: "Edit…" }).click();
    expect(await field(view, SUBJECT).count()).toBe(0);
    await view.send(changed({}));
    await expect.poll(() => focused(view)).toBe(SUBJECT);
  });

  test("and not where its text comes while they write elsewhere", async () => {
    const view = await openTasks();
    await view.send(changed({ description: null }));
    await row(view).locator(".task-row").click();
    await row(view).getByRole("button", { name: "Edit…" }).click();
    await composer(view).click();
    await view.send(changed({}));
    await field(view, SUBJECT).waitFor();
    expect(await focused(view)).toBe("Message to team-lead");
  });
});

describe("the form of a task leaves the focus where the person works", () => {
  test("when its row moves, goes and comes, while they write a message or filter", async () => {
    const view = await openForm();
    for (const name of ["Message to team-lead", "Filter tasks"]) {
      await field(view, name).click();
      for (const message of [claimed, without, changed({}), changed({ description: null }), changed({})])
        await view.send(message);
      await field(view, SUBJECT).waitFor();
      expect(await focused(view)).toBe(name);
    }
    await view.page.keyboard.type("nothing");
    await field(view, SUBJECT).waitFor({ state: "detached" });
    await field(view, "Filter tasks").fill("runbook");
    await field(view, SUBJECT).waitFor();
    expect(await focused(view)).toBe("Filter tasks");
  });

  test("after a reload, and for arrow keys over the tabs", async () => {
    const view = await openTasks();
    const { page } = view;
    await page.getByRole("button", { name: "Create Task…" }).click();
    expect(await focused(view)).toBe(SUBJECT);
    await view.reload();
    await view.send(...teamMessages({ attention: [] }));
    await field(view, SUBJECT).waitFor();
    expect(await focused(view)).toBe("nothing");
    await page.getByRole("tab", { name: /^Inboxes/ }).click();
    await page.keyboard.press("ArrowLeft");
    await field(view, SUBJECT).waitFor();
    expect(await focused(view)).toBe("tab tasks");
  });

  test("when what was asked for is answered", async () => {
    const view = await openTasks();
    await view.page.getByRole("button", { name: "Create Task…" }).click();
    await view.page.keyboard.type("Tidy up");
    await view.page.keyboard.press("Enter");
    const [asked] = await view.actions();
    await composer(view).click();
    await view.send({ type: "done", intent: asked && "intent" in asked ? asked.intent : "", error: null });
    await field(view, SUBJECT).waitFor({ state: "detached" });
    expect(await focused(view)).toBe("Message to team-lead");
  });
});

describe("who writes in the form of a task", () => {
  test("writes on in the same field at the same place when the row moves", async () => {
    const view = await openForm();
    await field(view, DESCRIPTION).fill("abcdef");
    await field(view, DESCRIPTION).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(2, 4));
    await view.send(claimed);
    await view.page.keyboard.type("XY");
    expect(await field(view, DESCRIPTION).inputValue()).toBe("abXYef");
    await view.send(changed({ status: "in_progress", description: null }), changed({}));
    await view.page.keyboard.type("Z");
    expect(await field(view, DESCRIPTION).inputValue()).toBe("abXYZef");
  });

  test.each([
    ["is completed", changed({ status: "completed" })],
    ["is deleted", without],
  ])("is in the list when the task %s, and has what was typed when it is there again", async (_, message) => {
    const view = await openForm();
    await field(view, DESCRIPTION).fill("abc");
    await view.send(message);
    await field(view, DESCRIPTION).waitFor({ state: "detached" });
    const stop = () => view.page.evaluate(() => document.activeElement?.matches(".task-row, .task-group-head"));
    expect(await stop()).toBe(true);
    await view.send(changed({}));
    expect(await field(view, DESCRIPTION).inputValue()).toBe("abc");
    expect(await stop()).toBe(true);
  });

  test("is in the list when the team ends", async () => {
    const view = await openForm();
    await field(view, DESCRIPTION).fill("abc");
    await view.send(stateMessage({ attention: [], finished }));
    await field(view, DESCRIPTION).waitFor({ state: "detached" });
    expect(await view.page.evaluate(() => document.activeElement?.matches(".task-row, .task-group-head"))).toBe(true);
  });

  test("of a new task is in the list when the team ends, and at the tab where there is none", async () => {
    for (const some of [tasks, []]) {
      const view = await openTasks();
      await view.send({ type: "tasks", tasks: some });
      await view.page.getByRole("button", { name: "Create Task…" }).click();
      await view.page.keyboard.type("abc");
      await view.send(stateMessage({ attention: [], finished }));
      await field(view, SUBJECT).waitFor({ state: "detached" });
      if (some.length === 0) expect(await focused(view)).toBe("tab tasks");
      else
        expect(await view.page.evaluate(() => document.activeElement?.matches(".task-row, .task-group-head"))).toBe(
          true,
        );
    }
  });

  test("is in the board's graph when the task is deleted", async () => {
    const view = await open({ surface: "board", width: 1100, height: 900 });
    await view.send(...boardMessages({ attention: [] }));
    const node = view.page.locator("[data-node]").first();
    const id = await node.getAttribute("data-node");
    await node.click();
    await view.page.getByRole("button", { name: "Edit…" }).click();
    expect(await focused(view)).toBe(SUBJECT);
    await view.send({ type: "taskRows", rows: [], removed: [id ?? ""] });
    await field(view, SUBJECT).waitFor({ state: "detached" });
    expect(await view.page.evaluate(() => document.activeElement?.matches(".bd-node"))).toBe(true);
  });
});
