import { expect, test } from "vitest";
import type { ActivityRow } from "../../src/protocol/activity.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { stateMessage, tasks, teamMessages } from "./support/fixtures.ts";
import { ago, backend, members } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { firstSeenItem, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const tab = (view: View, name: RegExp) => view.page.getByRole("tab", { name }).click();
const scrollTop = (view: View) => view.page.locator(".scroller").evaluate((box) => Math.round(box.scrollTop));

/** Scrolls to where the last rows are, as a person does; gives the place, in pixels, once it is kept. */
async function scrollDown(view: View): Promise<number> {
  await view.page.mouse.move(200, 400);
  await view.page.mouse.wheel(0, 100_000);
  await view.page.mouse.wheel(0, -200);
  await view.page.waitForTimeout(400);
  return scrollTop(view);
}

const manyTasks = Array.from({ length: 30 }, (_, index) => ({ ...tasks[10]!, id: String(index + 1) }));

/** Opens the tasks, of which there are far more than fit, and scrolls down a part of them; gives the place, in pixels. */
async function amongTasks(view: View): Promise<number> {
  await view.send(...teamMessages({ attention: [] }));
  await tab(view, /Tasks/);
  await view.send({ type: "tasks", tasks: manyTasks });
  await view.page.mouse.move(200, 300);
  await view.page.mouse.wheel(0, 450);
  await view.page.waitForTimeout(400);
  const place = await scrollTop(view);
  expect(place).toBeGreaterThan(300);
  return place;
}

/** What a member has said: far more than fits. */
function longTalk(member: string): HostMessage {
  const items = Array.from({ length: 60 }, (_, seq) => ({
    seq,
    item: { type: "text" as const, at: ago(1), text: `Sentence ${seq}.` },
  }));
  return { type: "conversation", member, reset: true, items };
}

const isNot = (name: string) => (row: { name: string }) => row.name !== name;
const distanceToEnd = (view: View) =>
  view.page.locator(".scroller").evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));

/** Hides the view and shows it again, and the host begins anew. */
async function hideAndShow(view: View, ...messages: HostMessage[]): Promise<void> {
  await view.page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await view.reload();
  await view.send(...(messages.length > 0 ? messages : teamMessages()));
}

test("a long list of tasks is where it was left after a reload, with as many rows", async () => {
  const view = await open();
  await view.send(...teamMessages());
  await tab(view, /Tasks/);
  const many = Array.from({ length: 200 }, (_, index) => ({ ...tasks[10]!, id: String(index + 1) }));
  const rows = view.page.locator(".task-row");
  await view.send({ type: "tasks", tasks: many });
  for (let at = 0; at < 3; at += 1) await view.page.getByRole("button", { name: "Show 30 More Tasks" }).click();
  expect(await rows.count()).toBe(120);
  const place = await scrollDown(view);
  expect(place).toBeGreaterThan(1_500);
  await hideAndShow(view);
  await view.send({ type: "tasks", tasks: many });
  await expect.poll(() => rows.count()).toBe(120);
  await expect.poll(() => scrollTop(view)).toBe(place);
  await tab(view, /Conversation/);
  await tab(view, /Tasks/);
  expect(await rows.count()).toBe(120);
});

test("the activity is where it was left after a reload: what is missing is asked for, page by page", async () => {
  const all = Array.from(
    { length: 500 },
    (_, at): ActivityRow => ({
      ...{ id: `row-${at}`, at: ago(at), kind: "state", who: backend, to: [], event: { what: "idle" } },
    }),
  );
  const PAGE = 150;
  /** As the host does it: the first page, then one for each time that more is asked for. */
  const serve = async (view: View, pages: number) => {
    for (let page = 0; page < pages; page += 1) {
      const asked = async () => (await view.actions()).filter(({ type }) => type === "moreActivity").length;
      await expect.poll(asked).toBe(page);
      const rows = all.slice(page * PAGE, (page + 1) * PAGE);
      await view.send({ type: "activity", rows, reset: page === 0, earlier: all.length - (page + 1) * PAGE });
    }
  };
  const view = await open();
  await view.send(...teamMessages());
  await tab(view, /Activity/);
  await serve(view, 1);
  const rows = view.page.locator(".act");
  const more = view.page.getByRole("button", { name: "Show Earlier Activity" });
  await more.click();
  await view.send({ type: "activity", rows: all.slice(PAGE, 2 * PAGE), reset: false, earlier: 200 });
  await expect.poll(() => rows.count()).toBe(200);
  await more.click();
  await expect.poll(() => rows.count()).toBe(300);
  const place = await scrollDown(view);
  expect(place).toBeGreaterThan(3_000);
  await hideAndShow(view);
  await serve(view, 2);
  await expect.poll(() => rows.count()).toBe(300);
  await expect.poll(() => scrollTop(view)).toBe(place);
  await view.page.waitForTimeout(100);
  expect((await view.actions()).filter(({ type }) => type === "moreActivity")).toHaveLength(1);
});

test("how many rows are drawn is bounded, and what was kept of it and is no number counts for nothing", async () => {
  const view = await open({
    kept: {
      version: 1,
      tab: "tasks",
      team: "checkout-retry",
      limits: { in_progress: 1e9, ready: 1e9, blocked: 1e9, done: "x" },
    },
  });
  await view.send(...teamMessages());
  const many = Array.from({ length: 700 }, (_, index) => ({ ...tasks[10]!, id: String(index + 1) }));
  await view.send({ type: "tasks", tasks: many });
  await expect.poll(() => view.page.locator(".task-row").count()).toBe(600);
});

test("tasks do not move where another recipient is chosen or the one there leaves; its conversation is at its end", async () => {
  const view = await open({ height: 500 });
  const place = await amongTasks(view);
  await view.page.getByRole("combobox", { name: "Recipient" }).selectOption("docs");
  await view.page.getByRole("textbox", { name: "Message to docs" }).waitFor();
  expect(await scrollTop(view)).toBe(place);
  await view.send(longTalk("docs"));
  await tab(view, /Conversation/);
  await expect.poll(() => distanceToEnd(view)).toBe(0);
  await view.page.mouse.wheel(0, -600);
  await expect.poll(() => distanceToEnd(view)).toBeGreaterThan(300);
  await tab(view, /Tasks/);
  await expect.poll(() => scrollTop(view)).toBe(place);
  await view.send(
    stateMessage({ attention: [], members: members.map((row) => ({ ...row, waiting: 0 })).filter(isNot("docs")) }),
  );
  await view.page.getByRole("textbox", { name: "Message to team-lead" }).waitFor();
  const gone = 20; // pixels of the row of a member that went; the list may follow it up, and not down to its end
  expect(Math.abs((await scrollTop(view)) - place)).toBeLessThanOrEqual(2 * gone);
  await view.send(longTalk("team-lead"));
  await tab(view, /Conversation/);
  await expect.poll(() => distanceToEnd(view)).toBe(0);
});

test("tasks are where they were left after a member was gone to from there", async () => {
  const view = await open({ height: 500 });
  const place = await amongTasks(view);
  await view.send(longTalk("docs"), { type: "reveal", what: { kind: "member", name: "docs" } });
  await expect.poll(() => distanceToEnd(view)).toBe(0);
  expect(await scrollTop(view)).toBeGreaterThan(place + 300);
  await tab(view, /Tasks/);
  await expect.poll(() => scrollTop(view)).toBe(place);
});

/** Items of the lead's conversation as the host sends them: `earlier` are before them. */
function talk(from: number, to: number, { earlier = from, reset = true } = {}): HostMessage {
  const items = Array.from({ length: to - from }, (_, at) => ({
    seq: from + at,
    item: { type: "text" as const, at: ago(1), text: `Sentence ${from + at}.\n\n${"and more ".repeat(at % 40)}` },
  }));
  return { type: "conversation", member: "team-lead", reset, items, earlier };
}

/** Reads up in a conversation of 200 items; gives what is seen first then. */
async function readUp(view: View, pages: number): Promise<(number | undefined)[]> {
  await view.send(...teamMessages({ attention: [] }), talk(0, 200));
  await view.page.mouse.move(200, 500);
  await view.page.mouse.wheel(0, 100_000);
  await expect.poll(() => distanceToEnd(view)).toBe(0);
  for (let at = 0; at < pages; at += 1) {
    await view.page.mouse.wheel(0, -100_000);
    await view.page.waitForTimeout(200);
    await view.page.getByRole("button", { name: /Earlier Items/ }).click();
  }
  await view.page.mouse.wheel(0, pages > 0 ? 1_000 : -1_000);
  await view.page.waitForTimeout(500);
  const read = await firstSeenItem(view);
  expect(read[0]).toBeLessThan(190);
  return read;
}

test("a conversation is at the item that was read after hiding, whatever came meanwhile", async () => {
  const view = await open();
  const read = await readUp(view, 0);
  await hideAndShow(view, stateMessage({ attention: [] }), talk(0, 220));
  await expect.poll(() => firstSeenItem(view)).toEqual(read);
  await view.page.waitForTimeout(200);
  await view.page.getByRole("button", { name: "Go to the End" }).click();
  await expect.poll(() => distanceToEnd(view)).toBe(0);
  await hideAndShow(view, stateMessage({ attention: [] }), talk(0, 240));
  await expect.poll(() => distanceToEnd(view)).toBe(0);
  expect(await view.page.locator(".conv > [data-seq]").last().getAttribute("data-seq")).toBe("239");
});

test("a conversation is at an item that is far up, and that the host has to send again", async () => {
  const view = await open();
  const read = await readUp(view, 2);
  expect(read[0]).toBeLessThan(70);
  await hideAndShow(view, stateMessage({ attention: [] }), talk(100, 400));
  const asked = () => view.actions().then((all) => all.filter(({ type }) => type === "showEarlier"));
  await expect.poll(asked).toHaveLength(1);
  expect(await asked()).toEqual([{ type: "showEarlier", before: 100, from: expect.any(Number) }]);
  await view.send(talk(0, 100, { reset: false }));
  await expect.poll(() => firstSeenItem(view)).toEqual(read);
});

test.each([30, 1])("a conversation is at the item that was read after another tab, with %i tasks", async (shown) => {
  const view = await open({ height: 600 });
  const read = await readUp(view, 0);
  await view.send({ type: "tasks", tasks: manyTasks.slice(0, shown) });
  await tab(view, /Tasks/);
  await view.send(talk(200, 300, { reset: false }));
  await tab(view, /Conversation/);
  await expect.poll(() => firstSeenItem(view)).toEqual(read);
  await view.page.waitForTimeout(200);
  expect(await firstSeenItem(view)).toEqual(read);
});

test("a conversation begins where the person has gone to the top of another tab", async () => {
  const view = await open({ height: 600 });
  await readUp(view, 0);
  await view.send({ type: "tasks", tasks: manyTasks });
  await tab(view, /Tasks/);
  await view.page.mouse.wheel(0, -100_000);
  await expect.poll(() => scrollTop(view)).toBe(0);
  await tab(view, /Conversation/);
  expect(await scrollTop(view)).toBe(0);
  await view.page.waitForTimeout(200);
  expect(await scrollTop(view)).toBe(0);
});
