import { expect, test } from "vitest";
import type { Intent } from "../../src/protocol/intents.ts";
import { tasks, teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

/** The form that edits task 12, and what is asked for by it. */
async function openForm() {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  const { page } = view;
  const row = page.locator("[data-task='12']");
  const edit = async () => {
    await row.locator(".task-row").click();
    await row.getByRole("button", { name: "Edit…" }).click();
  };
  const [subject, description] = ["What is to be done", "Description, optional"].map((name) =>
    page.getByRole("textbox", { name }),
  ) as [ReturnType<View["page"]["getByRole"]>, ReturnType<View["page"]["getByRole"]>];
  await page.getByRole("tab", { name: /^Tasks/ }).click();
  await edit();
  return { view, page, row, edit, subject, description };
}

const asked = async (view: View) =>
  (await view.actions()).map((intent): Intent => ("intent" in intent ? { ...intent, intent: "" } : intent));

test("a description that is emptied stays empty, also over a reload, and is sent so", async () => {
  const { view, page, description } = await openForm();
  expect(await description.inputValue()).not.toBe("");
  await description.fill("");
  expect(await description.inputValue()).toBe("");
  await view.reload();
  await view.send(...teamMessages({ attention: [] }));
  expect(await description.inputValue()).toBe("");
  await page.getByRole("button", { name: "Save" }).click();
  expect(await asked(view)).toEqual([{ type: "editTask", intent: "", task: "12", description: "" }]);
});

test("what is emptied and written again is no change; an emptied subject cannot be saved", async () => {
  const { view, page, row, edit, subject, description } = await openForm();
  const before = await description.inputValue();
  await description.fill("");
  await description.pressSequentially("x");
  await description.fill(before);
  await subject.fill("");
  expect(await subject.inputValue()).toBe("");
  await page.locator(".task-form button[type=submit][aria-disabled=true]").waitFor();
  await subject.fill(tasks.find(({ id }) => id === "12")?.subject ?? "");
  await page.getByRole("button", { name: "Save" }).click();
  expect(await asked(view)).toEqual([]);
  await description.waitFor({ state: "detached" });
  await row.locator(".task-row").click(); // closed, so that it can be opened again
  await edit();
  expect(await description.inputValue()).toBe(before);
});

test("a change is sent once, however often Enter is pressed before the answer; after a failure it can be again", async () => {
  const { view, page, row, subject } = await openForm();
  const sent = async () => (await asked(view)).length;
  const answer = async (error: string | null) => {
    const last = (await view.actions()).at(-1);
    if (last && "intent" in last) await view.send({ type: "done", intent: last.intent, error });
  };
  await subject.fill("Write the runbook");
  await subject.evaluate((element) => {
    for (let times = 0; times < 2; times += 1)
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  });
  await subject.press("Enter");
  await page.locator(".task-form button[type=submit][aria-disabled=true]").waitFor();
  expect(await sent()).toBe(1);
  await answer("The disk is full; free some space and try again.");
  await row.locator(".task-error").waitFor();
  await subject.press("Enter");
  await expect.poll(sent).toBe(2);
  await answer(null);
  await subject.waitFor({ state: "detached" });
});

test.each(["Save", "Create Task"])(
  "what is sent by %s stays as it is until the answer, which forgets no more than that",
  async (button) => {
    const { view, page, row, subject } = await openForm();
    if (button === "Create Task") {
      await row.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Create Task…" }).click();
    }
    await subject.fill("Write the runbook");
    await page.getByRole("button", { name: button, exact: true }).click();
    await subject.press("End");
    await page.keyboard.type(" soon");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Not sent");
    const last = (await view.actions()).at(-1);
    if (!last || !("intent" in last)) throw new Error("nothing was asked");
    await view.send({ type: "done", intent: last.intent, error: "The disk is full; free some space and try again." });
    expect(await subject.inputValue()).toBe("Write the runbook");
    await subject.press("End");
    await page.keyboard.type(" soon");
    expect(await subject.inputValue()).toBe("Write the runbook soon");
  },
);
