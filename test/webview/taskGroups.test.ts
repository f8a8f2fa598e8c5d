import { expect, test } from "vitest";
import { teamMessages } from "./support/fixtures.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

test("a group of what a filter finds opens and closes for that filter, and is as it was once there is none", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  const { page } = view;
  await page.getByRole("tab", { name: /^Tasks/ }).click();
  const filter = page.getByRole("textbox", { name: "Filter tasks" });
  const heads = page.locator(".task-group-head");
  const opened = async () =>
    heads.evaluateAll((all) => all.map((head) => `${head.textContent} ${head.getAttribute("aria-expanded")}`));
  await filter.fill("the");
  const found = await opened();
  expect(found.length).toBeGreaterThan(1);
  expect(found.every((one) => one.endsWith("true"))).toBe(true);
  for (const head of await heads.all()) await head.click();
  expect((await opened()).every((one) => one.endsWith("false"))).toBe(true);
  expect(await page.locator(".task-row").count()).toBe(0);
  await heads.first().click();
  expect(await opened()).toEqual([found[0], ...found.slice(1).map((one) => one.replace("true", "false"))]);
  await filter.fill("th");
  expect((await opened()).every((one) => one.endsWith("true"))).toBe(true);
  await filter.fill("");
  expect(await opened()).toEqual(["In progress3 true", "Ready2 true", "Blocked4 true", "Done5 false"]);
  await filter.fill(" the ");
  expect((await opened())[0]).toBe(found[0]);
  expect((await opened())[1]).toContain("false");
});
