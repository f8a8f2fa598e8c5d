import { expect, test } from "vitest";
import { tasks, teamMessages } from "./support/fixtures.ts";
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
