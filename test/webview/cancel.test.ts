import { expect, test } from "vitest";
import type { Intent } from "../../src/protocol/intents.ts";
import { tasks, teamMessages } from "./support/fixtures.ts";
import { button, queueSuite } from "./support/queue.ts";
import { commandRequest } from "./support/requestFixtures.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const openQueue = queueSuite(open);

test("Cancel discards what was typed to a task, an emptied description too; Esc keeps it", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  const { page } = view;
  const field = (name: string) => page.getByRole("textbox", { name });
  const [subject, description] = [field("What is to be done"), field("Description, optional")];
  await page.getByRole("tab", { name: /^Tasks/ }).click();
  await page.locator("[data-task='12'] .task-row").click();
  const edit = () => button(view, "Edit…").click();
  await edit();
  await description.fill("");
  await description.press("Escape");
  await edit();
  expect(await description.inputValue()).toBe("");
  await button(view, "Cancel").click();
  await edit();
  expect(await description.inputValue()).toBe(tasks.find(({ id }) => id === "12")?.description);
  await subject.fill("New subject");
  await button(view, "Save").click();
  const asked = (await view.actions()).map(
    (intent): Intent => ("intent" in intent ? { ...intent, intent: "" } : intent),
  );
  expect(asked).toEqual([{ type: "editTask", intent: "", task: "12", subject: "New subject" }]);
});

test("Cancel discards a new task; the button that opened it keeps it, as hiding does", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  const subject = view.page.getByRole("textbox", { name: "What is to be done" });
  const create = () => button(view, "Create Task…").click();
  await view.page.getByRole("tab", { name: /^Tasks/ }).click();
  await create();
  await subject.fill("Tidy up");
  await create();
  await subject.waitFor({ state: "detached" });
  await create();
  expect(await subject.inputValue()).toBe("Tidy up");
  await button(view, "Cancel").click();
  await create();
  expect(await subject.inputValue()).toBe("");
});

test("Cancel brings back the command and the rule; Esc keeps what was typed, also from the request's title", async () => {
  const request = commandRequest({ rules: ["Bash(npm test)"], changeable: ["Bash(npm test)"] });
  const view = await openQueue([request]);
  const { page } = view;
  const command = page.getByLabel("Command to run instead");
  const rule = page.getByLabel("Rule, one in a line");
  const changeRule = async () => {
    await button(view, /^More ways/).click();
    await page.getByRole("menuitem", { name: "Change the Rule…" }).click();
  };
  const ways = [
    [command, () => button(view, "Edit…").click()],
    [rule, changeRule],
  ] as const;
  for (const [field, show] of ways) {
    await show();
    const before = await field.inputValue();
    await field.fill("other");
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
    await show();
    expect(await field.inputValue()).toBe("other");
    await page.locator(".req-head").first().press("Escape");
    await field.waitFor({ state: "detached" });
    await show();
    expect(await field.inputValue()).toBe("other");
    await button(view, "Cancel").click();
    await field.waitFor({ state: "detached" });
    await show();
    expect(await field.inputValue()).toBe(before);
    await button(view, "Cancel").click();
  }
});
