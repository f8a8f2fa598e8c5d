import { expect, test } from "vitest";
import type { Thread, ThreadMessage } from "../../src/protocol/panel.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { boardMessages } from "./support/boardFixtures.ts";
import { teamMessages } from "./support/fixtures.ts";
import { ago, backend, lead } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const talk = (from: number, to: number, reset = false): HostMessage => ({
  ...{ type: "conversation", member: "team-lead", reset },
  items: Array.from({ length: to - from }, (_, at) => ({
    seq: from + at,
    item: { type: "text", at: ago(1), text: `Sentence ${from + at}.` },
  })),
});
const messages = (from: number, to: number): ThreadMessage[] =>
  Array.from({ length: to - from }, (_, at) => ({
    ...{ id: `m${from + at}`, from: "backend", to: "team-lead", at: ago(600) + from + at, kind: "message" as const },
    ...{ text: `Message ${from + at}.`, summary: null, json: null, delivery: "read" as const },
  }));
const thread = (to: number): Thread => ({
  ...{ id: "t", a: backend, b: lead, unread: 0, messages: messages(0, to), omitted: 0 },
});

/** Turns the wheel over what these rows are in, as a person does, and waits until that is done. */
async function wheelUp(view: View, rows: string, pixels: number): Promise<void> {
  await view.page.locator(rows).last().hover();
  await view.page.mouse.wheel(0, -pixels);
  await view.page.waitForTimeout(300);
}

/** The first of these rows that can be seen in what scrolls: its text, and how far down it begins. */
const firstSeen = (view: View, rows: string, scroller: string) =>
  view.page.evaluate(
    ([rows, scroller]) => {
      const top = document.querySelector(scroller)?.getBoundingClientRect().top ?? 0;
      const row = [...document.querySelectorAll(rows)].find((one) => one.getBoundingClientRect().bottom > top + 60);
      return [row?.textContent?.trim(), Math.round((row?.getBoundingClientRect().top ?? 0) - top)];
    },
    [rows, scroller] as const,
  );

test("a column of the board stays at what the person reads, however much comes, and follows again from its end", async () => {
  const view = await open({ surface: "board", width: 1100, height: 900 });
  await view.send(...boardMessages(), talk(0, 200, true));
  const column = `.bd-col:has([data-seq="199"]) .bd-col-body`;
  await view.page.locator(column).evaluate((body) => body.setAttribute("data-test", "column"));
  const rows = "[data-test=column] .conv > [data-seq]";
  await wheelUp(view, rows, 200);
  const read = await firstSeen(view, rows, "[data-test=column]");
  for (let at = 200; at < 240; at += 1) await view.send(talk(at, at + 1));
  expect(await firstSeen(view, rows, "[data-test=column]")).toEqual(read);
  await view.page.mouse.wheel(0, 10_000);
  await view.page.waitForTimeout(300);
  await view.send(talk(240, 241));
  expect((await view.page.locator(rows).last().textContent())?.trim()).toBe("Sentence 240.");
  expect(await view.page.locator(rows).count()).toBe(20);
  expect(await view.page.locator("[data-test=column]").evaluate((body) => body.scrollTop)).toBe(0);
});

test("a thread stays at the message that the person reads, however many come", async () => {
  const view = await open({ height: 600 });
  await view.send(...teamMessages({ attention: [] }));
  await view.page.getByRole("tab", { name: /Inboxes/ }).click();
  await view.send({ type: "threads", threads: [thread(100)] });
  await view.page.locator(".thr-head").click();
  const rows = ".msgs > [data-row]";
  await view.page.locator(rows).last().waitFor();
  expect(await view.page.locator(rows).count()).toBe(50);
  await wheelUp(view, rows, 1_000);
  const read = await firstSeen(view, rows, ".scroller");
  for (let to = 101; to <= 160; to += 1) await view.send({ type: "threadRows", rows: [thread(to)], removed: [] });
  expect(await firstSeen(view, rows, ".scroller")).toEqual(read);
});
