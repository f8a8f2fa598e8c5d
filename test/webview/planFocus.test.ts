import { expect, test } from "vitest";
import { boardMessages } from "./support/boardFixtures.ts";
import { stateMessage } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { planRequest } from "./support/requestFixtures.ts";
import { focused, settled, webviewSuite } from "./support/suite.ts";

const openView = webviewSuite();
const plan = planRequest({ version: 2 });
const waits = stateMessage({ attention: [plan] });
const decided = stateMessage({ attention: [] });

/** The board, after the host was asked to show the plan on it. */
async function open(): Promise<View> {
  const view = await openView({ surface: "board", width: 1100, height: 900 });
  await view.send({ type: "reveal", what: { kind: "request", id: plan.id } }, ...boardMessages({ attention: [plan] }));
  await settled(view);
  return view;
}
const blur = (view: View) => view.page.mouse.click(600, 5);
const page = (view: View) => view.page.locator(".pp");

test("a plan that is opened has the focus, and where the board came back the board has it", async () => {
  const view = await open();
  expect(await focused(view)).toContain(plan.title);
  await view.page.getByRole("button", { name: "Back to the Board" }).click();
  await page(view).waitFor({ state: "detached" });
  expect(await focused(view)).toBe("1 request waits");
  await view.send({ type: "reveal", what: { kind: "request", id: plan.id } });
  expect(await focused(view)).toContain(plan.title);
  await view.send(decided);
  expect(await focused(view)).toBe("Graph");
  await view.send(waits);
  expect(await focused(view)).toContain(plan.title);
});

test("a plan that goes and comes without the person leaves the focus, also over a reload", async () => {
  const view = await open();
  await blur(view);
  expect(await focused(view)).toBe("nothing");
  for (const message of [decided, waits]) {
    await view.send(message);
    expect(await focused(view)).toBe("nothing");
  }
  await page(view).waitFor();
  await view.reload();
  await view.send(...boardMessages({ attention: [plan] }));
  await page(view).waitFor();
  expect(await focused(view)).toBe("nothing");
});

test("who types when the plan goes is where the next key presses nothing", async () => {
  const view = await open();
  await view.page.getByRole("button", { name: "Send Back…" }).click();
  await view.page.keyboard.type("No");
  await view.send(stateMessage({ attention: [planRequest({ id: "plan-2" })] }));
  await page(view).waitFor({ state: "detached" });
  expect(await focused(view)).toBe("Graph");
  await view.page.keyboard.type(" ");
  expect(await view.actions()).not.toContainEqual(expect.objectContaining({ type: "showInTeam" }));
});
