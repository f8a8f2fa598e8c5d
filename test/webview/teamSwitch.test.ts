import { expect, test } from "vitest";
import { stateMessage, teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { threeRequests } from "./support/requestFixtures.ts";
import { focused, settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const field = (view: View, name: string) => view.page.getByRole("textbox", { name });
const subject = (view: View) => field(view, "What is to be done");
const press = (view: View, name: string) => view.page.getByRole("button", { name, exact: true }).first().click();
const show = (view: View, team?: string) =>
  view.send(...teamMessages({ attention: [], ...(team !== undefined && { team, title: team }) }));
const answer = async (view: View, error: string | null) => {
  const asked = (await view.actions()).findLast((intent) => "intent" in intent);
  await view.send({ type: "done", intent: asked && "intent" in asked ? asked.intent : "", error });
};

/** A team with the form of task 12 open, and a changed subject in it that was asked for. */
async function openForm(): Promise<View> {
  const view = await open();
  await show(view);
  await view.page.getByRole("tab", { name: /^Tasks/ }).click();
  await view.page.locator("[data-task='12'] .task-row").click();
  await press(view, "Edit…");
  await subject(view).fill("Other subject");
  await subject(view).press("Enter");
  return view;
}

test("forms and errors of one team's tasks are not another's; what was typed comes back", async () => {
  const view = await openForm();
  await answer(view, "The disk is full; try again.");
  await view.page.locator(".task-error").waitFor();
  await press(view, "Create Task…");
  await show(view, "other");
  expect(await view.page.locator(".task-form, .task-error, .task-detail").count()).toBe(0);
  await view.page.locator("[data-task='12'] .task-row").click();
  await press(view, "Edit…");
  expect(await subject(view).inputValue()).not.toBe("Other subject");
  await show(view);
  await view.page.locator(".task-error").waitFor();
  expect(await view.page.locator(".task-form").count()).toBe(0);
  await view.page.locator("[data-task='12'] .task-row").click();
  await press(view, "Edit…");
  expect(await subject(view).inputValue()).toBe("Other subject");
});

test("an answer that comes when another team is on show is about the team that was asked", async () => {
  const view = await openForm();
  await show(view, "other");
  await view.page.locator("[data-task='12'] .task-row").click();
  await press(view, "Edit…");
  await subject(view).fill("For the other");
  expect(await view.page.locator(".task-form [type=submit]").getAttribute("aria-disabled")).toBe("false");
  await answer(view, null);
  expect(await subject(view).inputValue()).toBe("For the other");
  await show(view);
  await view.page.locator("[data-task='12'] .task-row").click();
  await press(view, "Edit…");
  expect(await subject(view).inputValue()).toBe("Write the runbook for stuck charges");
});

test("a field of a request that was open in one team is not when the team is back; its text is kept", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: threeRequests() }));
  await settled(view);
  await press(view, "Deny…");
  await expect.poll(() => focused(view)).toBe("Reason, optional");
  await view.page.keyboard.type("No");
  await show(view, "other");
  await field(view, "Message to team-lead").click();
  await view.send(...teamMessages({ attention: threeRequests() }));
  await settled(view);
  expect(await view.page.locator(".req-field").count()).toBe(0);
  await press(view, "Deny…");
  expect(await field(view, "Reason, optional").inputValue()).toBe("No");
});

test("a field of a request that goes and comes again takes the focus only where the person opened it", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: threeRequests() }));
  await settled(view);
  await press(view, "Deny…");
  await field(view, "Message to team-lead").click();
  await view.send(stateMessage({ attention: threeRequests().slice(1) }), stateMessage({ attention: threeRequests() }));
  await field(view, "Reason, optional").waitFor();
  expect(await focused(view)).toBe("Message to team-lead");
});
