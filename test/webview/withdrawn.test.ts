import { expect, test } from "vitest";
import { stateMessage } from "./support/fixtures.ts";
import { button, openRequests, queueSuite } from "./support/queue.ts";
import { commandRequest, editRequest, planRequest } from "./support/requestFixtures.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const openQueue = queueSuite(webviewSuite());
const withdrawn = (id: string, why: "interrupted" | "stopped" | "other" = "interrupted") => [{ id, why }];

test("a request that is withdrawn stays as a row with its reason, and moves nothing that is open", async () => {
  const view = await openQueue([commandRequest(), editRequest()]);
  await view.page.locator(".req-head", { hasText: "Edit retry" }).click();
  await settled(view);
  const place = await view.page.locator(".req-open").boundingBox();
  await view.send(stateMessage({ attention: [editRequest()], withdrawn: withdrawn("perm-1") }));
  expect(await view.page.locator(".req-gone").textContent()).toBe("Run psqlDismissbackend was interrupted");
  expect(await openRequests(view)).toEqual(["perm-2"]);
  expect(await view.page.locator(".req-open").boundingBox()).toEqual(place);
  await view.send(stateMessage({ attention: [editRequest()], withdrawn: withdrawn("perm-1", "stopped") }));
  expect(await view.page.locator(".req-why").textContent()).toBe("backend has stopped");
  await button(view, "Dismiss").click();
  expect(await view.page.locator(".req-gone").count()).toBe(0);
  await view.send(stateMessage({ attention: [editRequest(), planRequest()], withdrawn: withdrawn("perm-1") }));
  expect(await view.page.locator(".req-gone").count()).toBe(0);
});

test("one that was open opens no other, and the last one stays below what says that nothing waits", async () => {
  const view = await openQueue([commandRequest(), editRequest()]);
  expect(await openRequests(view)).toEqual(["perm-1"]);
  await view.send(stateMessage({ attention: [editRequest()], withdrawn: withdrawn("perm-1") }));
  expect(await openRequests(view)).toEqual([]);
  const both = [...withdrawn("perm-1"), ...withdrawn("perm-2", "other")];
  await view.send(stateMessage({ attention: [], withdrawn: both }));
  expect(await view.page.getByText("Nothing waits for you").isVisible()).toBe(true);
  expect(await view.page.locator(".req-why").allTextContents()).toEqual([
    "backend was interrupted",
    "backend does not ask for it any more",
  ]);
});

test("one that is asked again waits as before", async () => {
  const view = await openQueue([commandRequest(), editRequest()]);
  await view.send(stateMessage({ attention: [editRequest()], withdrawn: withdrawn("perm-1") }));
  expect(await view.page.locator(".req-gone").count()).toBe(1);
  await view.send(stateMessage({ attention: [commandRequest(), editRequest()], withdrawn: withdrawn("perm-1") }));
  expect(await view.page.locator(".req-gone").count()).toBe(0);
  expect(await view.page.locator(".req-head").count()).toBe(2);
});

test("what was withdrawn before the view was loaded, or was decided elsewhere, leaves no row", async () => {
  const view = await openQueue([commandRequest(), editRequest()]);
  await view.send(stateMessage({ attention: [editRequest()], withdrawn: withdrawn("perm-8") }));
  expect(await view.page.locator(".req-gone").count()).toBe(0);
  expect(await openRequests(view)).toEqual([]);
});

test.for(["the request", "the reason"])(
  "a decision that failed after the host had taken its request away brings it back with the reason: %s first",
  async (first) => {
    const view = await openQueue([commandRequest(), editRequest()]);
    await button(view, "Allow Once").click();
    const [intent] = await view.actions();
    if (intent?.type !== "decide") throw new Error("no decision was posted");
    await view.send(stateMessage({ attention: [editRequest()] }));
    const back = stateMessage({ attention: [commandRequest(), editRequest()] });
    const done = { type: "done" as const, intent: intent.intent, error: "The disk is full." };
    await view.send(...(first === "the request" ? [back, done] : [done, back]));
    await view.page.locator("[data-request=perm-1] .req-head").click();
    await view.page.locator("[data-request=perm-1]").getByText("The disk is full.").waitFor();
  },
);
