import { expect, test } from "vitest";
import { tasks, teamMessages } from "./support/fixtures.ts";
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
const back = (view: View) => view.page.getByRole("button", { name: "Back to Your Filter" });

test("a task that a terminal links to is gone to among the tasks", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  await reveal(view, "12");
  expect(await view.page.getByRole("tab", { selected: true }).textContent()).toContain("Tasks");
  await expect.poll(() => focused(view)).toContain("Write the runbook for stuck charges");
  expect(await filter(view).inputValue()).toBe("");
});

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

test("a task that is too far down to be drawn is shown alone", async () => {
  const view = await openTasks();
  const [first] = tasks;
  if (!first) throw new Error("no task");
  const many = Array.from({ length: 80 }, (_, index) => ({
    ...{ ...first, id: String(index + 1), subject: `Step ${index + 1}`, status: "pending" as const },
    ...{ blockedBy: [], openBlockers: [] },
  }));
  await view.send({ type: "tasks", tasks: many });
  await filter(view).fill("step");
  await reveal(view, "70");
  await expect.poll(() => numbers(view)).toEqual(["70"]);
  await back(view).click();
  expect(await filter(view).inputValue()).toBe("step");
});
