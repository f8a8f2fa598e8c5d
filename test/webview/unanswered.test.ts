import { expect, test } from "vitest";
import { teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const KEPT = {
  ...{ version: 1, team: "checkout-retry", drafts: { "to:team-lead": "Look" } },
  images: { "to:team-lead": [{ name: "shot.png", data: "AA==" }] },
};
const quiet = () => teamMessages({ attention: [] });
const field = (view: View) => view.page.getByRole("textbox", { name: "Message to team-lead" });
const chips = (view: View) => view.page.locator(".cmp-image-name");
const problem = (view: View) => view.page.locator(".cmp-error");
const unanswered = async (view: View) => ((await view.kept()) as { unanswered: object }).unanswered;

/** Sends a message with an image; the view is hidden before that is answered, and shown again. */
async function sendAndHide(): Promise<{ view: View; intent: string }> {
  const view = await open({ kept: KEPT });
  await view.send(...quiet());
  await field(view).press("Enter");
  expect(await field(view).inputValue()).toBe("");
  const sent = (await view.actions()).at(-1);
  if (sent?.type !== "send") throw new Error("nothing was sent");
  await view.reload();
  return { view, intent: sent.intent };
}

test("a message that was refused while the view was hidden comes back with its image and the reason", async () => {
  const { view, intent } = await sendAndHide();
  await view.send({ type: "done", intent, error: "The disk is full." }, ...quiet());
  expect(await field(view).inputValue()).toBe("Look");
  expect(await chips(view).allTextContents()).toEqual(["shot.png"]);
  expect(await problem(view).textContent()).toBe("The disk is full.");
  expect(await view.actions()).toEqual([]); // nothing is sent by itself
  expect(await unanswered(view)).toEqual({});
});

test("one that was taken meanwhile is not there again", async () => {
  const { view, intent } = await sendAndHide();
  await view.send({ type: "done", intent, error: null }, ...quiet());
  await view.reload();
  await view.send(...quiet());
  expect(await field(view).inputValue()).toBe("");
  expect(await chips(view).count()).toBe(0);
  expect(await unanswered(view)).toEqual({});
});

test("one that nobody answers any more comes back after a while, and says that it may have been sent", async () => {
  const { view } = await sendAndHide();
  await view.page.clock.install();
  await view.reload();
  await view.send(...quiet());
  expect(await field(view).inputValue()).toBe("");
  await view.page.clock.fastForward(29_000);
  await view.send();
  await field(view).fill("Something else");
  await view.page.clock.fastForward(2_000);
  await view.send();
  expect(await field(view).inputValue()).toBe("Look\nSomething else");
  expect(await problem(view).textContent()).toContain("may have been sent");
  expect(await view.actions()).toEqual([]);
});

test("what is kept of them and does not look right is left out", async () => {
  const fine = { team: "checkout-retry", key: "to:team-lead", text: "Look", images: [{ name: "shot.png" }] };
  const view = await open({ kept: { ...KEPT, drafts: {}, images: {}, unanswered: { a: 1, b: { key: 2 }, c: fine } } });
  await view.send({ type: "done", intent: "c", error: "The disk is full." }, ...quiet());
  expect(await field(view).inputValue()).toBe("Look");
  expect(await chips(view).count()).toBe(0);
  expect(await unanswered(view)).toEqual({});
});
