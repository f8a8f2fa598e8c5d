import { expect, test } from "vitest";
import { teamMessages } from "./support/fixtures.ts";
import { eightMembers } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const member = ({ page }: View, name: string) => page.locator(".mem", { has: page.getByText(name, { exact: true }) });
const task = ({ page }: View, id: string) => page.locator(`[data-task="${id}"] .task-line`);

async function openTasks(state: Parameters<typeof teamMessages>[0] = {}): Promise<View> {
  const view = await open({ height: 1400 });
  await view.send(...teamMessages({ attention: [], members: eightMembers, ...state }));
  await view.page.getByRole("tab", { name: /^Tasks/ }).click();
  return view;
}

/** Presses on a task and moves over a member, without letting go. */
async function dragOver(view: View, id: string, name: string): Promise<void> {
  await task(view, id).hover();
  await view.page.mouse.down();
  const box = await member(view, name).boundingBox();
  if (!box) throw new Error(`${name} is not on show`);
  for (const x of [40, 44]) await view.page.mouse.move(box.x + x, box.y + box.height / 2, { steps: 5 }); // enters, is over it
}

test("a task is given to the member that it is dragged to, and it is said", async () => {
  const view = await openTasks();
  await dragOver(view, "10", "docs");
  await expect.poll(() => view.page.locator(".mem-drop").count()).toBe(1);
  expect(await view.page.locator(".mem-drop").textContent()).toContain("docs");
  await view.page.mouse.up();
  const [intent, ...more] = await view.actions();
  if (intent?.type !== "assignTask") throw new Error("nothing was assigned");
  expect([intent.task, intent.owner, more]).toEqual(["10", "docs", []]);
  await expect.poll(() => view.page.locator(".mem-drop").count()).toBe(0);
  await view.send({ type: "done", intent: intent.intent, error: null });
  await expect.poll(() => view.page.getByRole("status").textContent()).toBe("Task #10: docs.");
});

test("its owner, and a member that has ended, do not take it", async () => {
  const members = eightMembers.map((row) => (row.name === "docs" ? { ...row, state: "dead" as const } : row));
  const view = await openTasks({ members });
  for (const [id, name] of [
    ["10", "docs"],
    ["7", "backend"],
  ] as const) {
    await dragOver(view, id, name);
    await view.page.mouse.up();
    expect(await view.page.locator(".mem-drop").count()).toBe(0);
  }
  expect(await view.actions()).toEqual([]);
});

test("a text that is dropped on a member gives it no task, even where the end of a drag never came", async () => {
  const view = await openTasks();
  await dragOver(view, "10", "docs");
  await member(view, "docs").evaluate((row) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", "words");
    for (const type of ["dragover", "drop"])
      row.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  });
  expect(await view.actions()).toEqual([]);
  await view.page.mouse.up();
  await expect.poll(async () => (await view.actions()).map(({ type }) => type)).toEqual(["assignTask"]);
});

test("in a team that is only read nothing is dragged", async () => {
  const view = await openTasks({ readOnly: "Another program made this team. It can be read here." });
  expect(await task(view, "10").getAttribute("draggable")).not.toBe("true");
  await dragOver(view, "10", "docs");
  await view.page.mouse.up();
  expect(await view.actions()).toEqual([]);
});
