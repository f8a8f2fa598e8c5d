import { expect, test } from "vitest";
import { stateMessage, teamMessages } from "./support/fixtures.ts";
import { backend, docs, frontend } from "./support/memberFixtures.ts";
import { button, decisions, openRequests, queueSuite } from "./support/queue.ts";
import { editRequest, sharedEditRequest } from "./support/requestFixtures.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const openQueue = queueSuite(open);
const LINE = "backend has changed this file too.";

test("an edit of a file that another member has changed says so below what will happen", async () => {
  const view = await openQueue([sharedEditRequest()]);
  const body = view.page.locator(".req-open .req-body > *");
  const order = await body.evaluateAll((parts) => parts.map(({ className }) => className.split(" ")[0]));
  expect(order.indexOf("warning-line")).toBeGreaterThan(order.findIndex((name) => name?.startsWith("diff")));
  expect(order.indexOf("warning-line")).toBeLessThan(order.indexOf("req-note"));
  expect(await view.page.locator(".req-open .warning-line").innerText()).toBe(LINE);
});

test("where the line comes while the edit is open, its buttons do nothing for a moment", async () => {
  const view = await openQueue([editRequest()]);
  expect(await view.page.locator(".warning-line").count()).toBe(0);
  const held = await view.page.evaluate(
    async ([message]) => {
      window.postMessage(message, "*");
      while (!document.querySelector(".warning-line")) await new Promise(requestAnimationFrame);
      document.querySelector<HTMLElement>(".req-open .btn-primary")?.click();
      return document.querySelectorAll(".req-inert").length;
    },
    [stateMessage({ attention: [editRequest({ warnings: [LINE] })] })] as const,
  );
  expect(held).toBe(1);
  await expect.poll(() => view.page.getByRole("status").textContent()).toBe(`Edit retry.ts: ${LINE}`);
  expect(await decisions(view)).toEqual([]);
  await settled(view);
  expect(await openRequests(view)).toEqual(["perm-2"]);
  await button(view, "Allow Once").click();
  expect((await decisions(view)).map(([request]) => request)).toEqual(["perm-2"]);
});

test("a row of several edits that is open stays as it is and says it below the one; all are held for a moment", async () => {
  const [one, two] = [editRequest({ id: "e1" }), editRequest({ id: "e2", from: backend })];
  const view = await openQueue([one, two]);
  await expect.poll(() => button(view, "Allow All 2").getAttribute("aria-disabled")).toBe("false");
  const held = await view.page.evaluate(
    async ([message]) => {
      window.postMessage(message, "*");
      while (!document.querySelector(".warning-line")) await new Promise(requestAnimationFrame);
      return document.querySelector(".req-open .btn-primary")?.getAttribute("aria-disabled");
    },
    [stateMessage({ attention: [one, { ...two, warnings: [LINE] }] })] as const,
  );
  expect(held).toBe("true");
  expect(await view.page.locator(".req-alike").nth(0).locator(".warning-line").count()).toBe(0);
  expect(await view.page.locator(".req-alike").nth(1).locator(".warning-line").innerText()).toBe(LINE);
  await expect.poll(() => button(view, "Allow All 2").getAttribute("aria-disabled")).toBe("false");
  await button(view, "One by One").click();
  expect(await view.page.locator(".req-title").allTextContents()).toEqual(["Edit retry.ts", "Edit retry.ts"]);
});

test("of many shared files the newest are named, the rest is counted, and each of their members is marked", async () => {
  const view = await open();
  const files = Array.from({ length: 20 }, (_, at) => ({ file: `src/${at}.ts`, members: [backend, frontend] }));
  const shared = [...files, { file: "README.md", members: [frontend, docs] }];
  await view.send(...teamMessages({ attention: [], shared, moreShared: 14 }));
  expect(await view.page.locator(".mems-shared-text > li").allInnerTexts()).toEqual([
    ...["0.ts", "1.ts", "2.ts"].map((file) => `${file} was changed by backend and frontend.`),
    "And 32 more files.",
  ]);
  const marked = view.page.locator(".mem:has(.mem-shared) .who-name");
  expect((await marked.allInnerTexts()).toSorted()).toEqual(["backend", "docs", "frontend"]);
});
