import { expect, test } from "vitest";
import type { Delivery, Thread, ThreadMessage } from "../../src/protocol/panel.ts";
import { teamMessages } from "./support/fixtures.ts";
import { ago, backend, lead } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const message = (at: number, over: Partial<ThreadMessage> = {}): ThreadMessage => ({
  ...{ id: `m${at}`, from: "backend", to: "team-lead", at: ago(600) + at, kind: "message" },
  ...{ text: `Message ${at}.`, summary: null, json: null, delivery: "read", ...over },
});
const messages = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => message(from + at));
const thread = (over: Partial<Thread> = {}): Thread => ({
  ...{ id: "t", a: backend, b: lead, unread: 0, messages: messages(20, 60), omitted: 20, ...over },
});

async function openThread(shown: Thread): Promise<View> {
  const view = await open({ height: 600 });
  await view.send(...teamMessages());
  await view.send({ type: "threads", threads: [shown] });
  await view.page.getByRole("tab", { name: /Inboxes/ }).click();
  await view.page.locator(".thr-head").click();
  await view.page.locator(".msgs > li").last().waitFor();
  return view;
}
const shownTexts = async (view: View) =>
  (await view.page.locator(".msg-text").allTextContents()).map((text) => text.trim());
const texts = (from: number, to: number) => messages(from, to).map(({ text }) => text);
const asked = async (view: View) => (await view.actions()).filter(({ type }) => type === "showEarlierMessages");

test("older messages of a thread are asked for and put before the others, until there is none", async () => {
  const view = await openThread(thread());
  await view.page.getByRole("button", { name: "Show 20 Earlier Messages" }).click();
  expect(await asked(view)).toEqual([{ type: "showEarlierMessages", thread: "t", before: "m20" }]);
  await view.send({ type: "threadPart", thread: "t", messages: messages(10, 20), earlier: 10 });
  expect(await shownTexts(view)).toEqual(texts(10, 60));
  await view.send({ type: "threadRows", rows: [thread({ messages: messages(21, 61), omitted: 21 })], removed: [] });
  expect(await shownTexts(view)).toEqual(texts(10, 61));
  await view.page.getByRole("button", { name: "Show 10 Earlier Messages" }).click();
  await view.send({ type: "threadPart", thread: "t", messages: messages(0, 10), earlier: 0 });
  expect(await shownTexts(view)).toEqual(texts(0, 61));
  expect(await view.page.getByRole("button", { name: /Earlier Message/ }).count()).toBe(0);
  expect((await asked(view)).slice(1)).toEqual([{ type: "showEarlierMessages", thread: "t", before: "m10" }]);
});

test("each delivery has its own icon and word, and one that changes is drawn anew", async () => {
  const kinds: Delivery[] = ["queued", "delivered", "read", "dead"];
  const view = await openThread(
    thread({ messages: kinds.map((delivery, at) => message(at, { delivery })), omitted: 0 }),
  );
  const words = () =>
    view.page.locator(".msg-delivery").evaluateAll((icons) => icons.map((icon) => icon.getAttribute("aria-label")));
  expect(await words()).toEqual(["Queued", "Delivered", "Read", "Never read: the recipient is gone"]);
  await view.send({ type: "threadPart", thread: "t", messages: [message(0, { delivery: "read" })] });
  expect((await words())[0]).toBe("Read");
});

test("a message that is cut is opened whole, a protocol message below its JSON", async () => {
  const proto = { kind: "unknown" as const, text: "sent something", json: "{}", cut: true as const };
  const view = await openThread(
    thread({ messages: [message(0, { cut: true }), message(1), message(2, proto)], omitted: 0 }),
  );
  const whole = view.page.getByRole("button", { name: "Open the Whole Message" });
  expect(await whole.count()).toBe(1);
  await whole.click();
  await view.page.getByRole("button", { name: "Show JSON" }).click();
  await whole.last().click();
  expect((await view.actions()).filter(({ type }) => type === "openMessage")).toEqual([
    { type: "openMessage", thread: "t", message: "m0" },
    { type: "openMessage", thread: "t", message: "m2" },
  ]);
});

test.each([
  ["Fixed load_config in #12, a > b", "Fixed load_config in #12, a > b"],
  [
    "## Done\n\n> **All** of `__init__` is *in #12*,\n> and 2 * 3 * 4 too",
    "Done All of __init__ is in #12, and 2 * 3 * 4 too",
  ],
  ["#12 is ***done***: `a ** b`, and **the `*args` of `f`**", "#12 is done: a ** b, and the *args of f"],
  ["```\n# no heading\n```\nglobs: src/**, test/** and `docs/*`", "no heading globs: src/**, test/** and docs/*"],
])("a row has the words of a message as they are, without the marks of Markdown: %j", async (text, shown) => {
  const view = await open();
  await view.send(...teamMessages());
  await view.send({ type: "threads", threads: [thread({ messages: [message(0, { text })], omitted: 0 })] });
  await view.page.getByRole("tab", { name: /Inboxes/ }).click();
  await expect.poll(() => view.page.locator(".thr-last").textContent()).toBe(shown);
});
