import { expect, test } from "vitest";
import { tasks, teamMessages, threads } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const nodes = (view: View) => view.page.evaluate(() => document.querySelectorAll("*").length);

test("the tasks of a team with 1,000 come as a page of fewer than 1,500 elements, until more are asked for", async () => {
  const view = await open();
  await view.send(...teamMessages());
  await view.page.getByRole("tab", { name: /Tasks/ }).click();
  const statuses = ["pending", "in_progress", "completed"] as const;
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    ...tasks[0]!,
    id: String(at + 1),
    status: statuses[at % 3]!,
    openBlockers: at % 2 === 0 ? [] : ["1"],
  }));
  await view.send({ type: "tasks", tasks: many });
  expect(await view.page.locator(".task-row").count()).toBeGreaterThan(50);
  expect(await nodes(view)).toBeLessThan(1_500);
});

test("rows that changed, came or went are put in their places", async () => {
  const view = await open();
  await view.send(...teamMessages());
  await view.page.getByRole("tab", { name: /Tasks/ }).click();
  const [one, two, three] = ["1", "2", "3"].map((id) => {
    return { ...tasks[0]!, id, subject: `Task ${id}`, status: "pending" as const, openBlockers: [] };
  });
  await view.send({ type: "tasks", tasks: [one!, two!] });
  await view.send({ type: "taskRows", rows: [{ ...two!, subject: "Task 2, renamed" }, three!], removed: ["1"] });
  const subjects = () => view.page.locator(".task-row").allInnerTexts();
  expect((await subjects()).map((text) => /Task \d(?:, renamed)?/.exec(text)?.[0])).toEqual([
    "Task 2, renamed",
    "Task 3",
  ]);
  await view.page.getByRole("tab", { name: /Inboxes/ }).click();
  await view.send({ type: "threads", threads: [threads[0]!] });
  await view.page.locator(".thr").waitFor();
  await view.send({ type: "threadRows", rows: [threads[1]!], removed: [threads[0]!.id] });
  expect(await view.page.locator(".thr").count()).toBe(1);
});
