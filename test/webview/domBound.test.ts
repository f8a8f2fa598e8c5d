import { expect, test } from "vitest";
import type { ConversationItem, DiffLine, Thread, ThreadMessage } from "../../src/protocol/panel.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { boardMessages } from "./support/boardFixtures.ts";
import { stateMessage, teamMessages, threads } from "./support/fixtures.ts";
import { ago, backend, lead, members } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { editRequest, planRequest } from "./support/requestFixtures.ts";
import { commentOn } from "./support/screens.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
/** Elements of the whole document, in any state. */
const BOUND = 1_500;

const elements = (view: View) => view.page.evaluate(() => document.querySelectorAll("*").length);
const tab = (view: View, name: RegExp) => view.page.getByRole("tab", { name }).click();
const press = (view: View, name: RegExp) => view.page.getByRole("button", { name }).first().click();

const diffLines = (count: number): DiffLine[] =>
  Array.from({ length: count }, (_, at) => ({ kind: "added", line: at + 1, text: `line ${at + 1}` }));

const edit = (at: number): ConversationItem => ({
  ...{ type: "tool", at: ago(1), name: "Edit", argument: `src/file${at}.ts`, state: "ok", ms: 3, detail: "" },
  diff: { path: `src/file${at}.ts`, lines: diffLines(200), added: 900, removed: 0, omitted: 700 },
});
const said = (at: number): ConversationItem => ({
  ...{ type: "text", at: ago(1) },
  text: `Sentence ${at}.\n\n- **one** of \`many\`\n- [another](https://example.com)\n\nThe end of ${at}.`,
});

function messages(from: number, count: number, over: Partial<ThreadMessage> = {}): ThreadMessage[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ id: `m${from + at}`, from: "backend", to: "team-lead", at: ago(1_000) + from + at, kind: "message" as const },
    ...{ text: `Message ${from + at}.\n\n- **one**\n- two`, summary: null, json: null, delivery: "read" as const },
    ...over,
  }));
}

const pair = (id: string, over: Partial<Thread> = {}): Thread => ({
  ...{ id, a: backend, b: lead, unread: 0, messages: messages(400, 100), omitted: 400 },
  ...over,
});

async function openConversation(items: ConversationItem[], over = {}): Promise<View> {
  const view = await open();
  const list = items.map((item, seq) => ({ seq, item }));
  const said: HostMessage = { type: "conversation", member: "team-lead", reset: true, items: list };
  await view.send(stateMessage({ attention: [], ...over }), said);
  return view;
}

test("threads: opened one after the other, and paged back to their first message", async () => {
  const view = await open();
  await view.send(...teamMessages());
  await tab(view, /Inboxes/);
  const named = (n: number) => messages(0, 100).map((message) => ({ ...message, id: `${n} ${message.id}` }));
  const many = Array.from({ length: 60 }, (_, n) => pair(`t${n}`, { omitted: 0, messages: named(n) }));
  await view.send({ type: "threads", threads: [pair("paged"), ...many] });
  for (const index of [1, 2, 3, 0]) {
    await view.page.locator(".thr-head").nth(index).click();
    expect(await elements(view)).toBeLessThan(BOUND);
  }
  expect(await view.page.locator(".thr-open").count()).toBeLessThan(4);
  expect(await view.page.locator(".thr-head").first().getAttribute("aria-expanded")).toBe("true");
  let first = 400;
  for (let at = 0; at < 30 && (await view.page.getByText("Message 0.", { exact: true }).count()) === 0; at += 1) {
    await press(view, /^Show \d+ Earlier Messages?$/);
    const asked = (await view.actions()).filter(({ type }) => type === "showEarlierMessages").length;
    if (asked > (400 - first) / 100) {
      first -= 100;
      await view.send({ type: "threadPart", thread: "paged", messages: messages(first, 100), earlier: first });
    }
    expect(await elements(view)).toBeLessThan(BOUND);
  }
  expect(first).toBe(0);
  expect(await view.page.getByText("Message 0.", { exact: true }).count()).toBe(1);
  expect(await view.page.getByRole("button", { name: /Earlier Message/ }).count()).toBe(0);
  for (let at = 0; at < 40 && (await view.page.getByText("Message 499.", { exact: true }).count()) === 0; at += 1) {
    await press(view, /^Show \d+ Later Messages?$/);
    expect(await elements(view)).toBeLessThan(BOUND);
  }
  expect(await view.page.getByRole("button", { name: /Later Message/ }).count()).toBe(0);
});

test("threads: of very many a page is drawn, and the others are one press away", async () => {
  const view = await open();
  await view.send(...teamMessages());
  await tab(view, /Inboxes/);
  const many = Array.from({ length: 200 }, (_, n) =>
    pair(`t${n}`, { messages: messages(n, 1, { at: ago(n), text: `Newest of ${n}` }) }),
  );
  await view.send({ type: "threads", threads: many });
  await expect.poll(() => view.page.locator(".thr").count()).toBe(40);
  expect(await elements(view)).toBeLessThan(BOUND);
  await press(view, /^Show 40 More$/);
  await view.page.getByText("Newest of 40", { exact: true }).waitFor();
  expect(await view.page.locator(".thr").count()).toBe(40);
  await press(view, /^Show 40 Newer$/);
  await view.page.getByText("Newest of 0", { exact: true }).waitFor();
});

test("a conversation: long changes and outputs unfolded one after the other, in a run of tools too", async () => {
  const detail = Array.from({ length: 60 }, (_, line) => `out ${line}`).join("\n");
  const bash: ConversationItem = { ...edit(0), name: "Bash", argument: "ls", detail } as ConversationItem;
  delete (bash as { diff?: unknown }).diff;
  const view = await openConversation([
    ...Array.from({ length: 60 }, (_, at) => said(at)),
    ...Array.from({ length: 30 }, (_, at) => edit(at)),
    bash,
  ]);
  await press(view, /30 tools/);
  for (let at = 0; at < 30; at += 3) {
    await view.page.getByRole("button", { name: new RegExp(`^Edit .*file${at}\\.ts`) }).click();
    await press(view, /^Show 160 More Lines$/);
    expect(await elements(view)).toBeLessThan(BOUND);
    expect(await view.page.getByText("700 more lines in the diff").count()).toBeGreaterThan(0);
  }
  await view.page.getByRole("button", { name: /^Bash ls/ }).click();
  await press(view, /More Lines$/);
  expect(await elements(view)).toBeLessThan(BOUND);
});

test("a conversation: paged back to its first item, and from there to the newest at once", async () => {
  const view = await openConversation(Array.from({ length: 600 }, (_, at) => said(at)));
  for (let at = 0; at < 60 && (await view.page.getByText("Sentence 0.").count()) === 0; at += 1) {
    await press(view, /^Show \d+ Earlier Items?$/);
    expect(await elements(view)).toBeLessThan(BOUND);
  }
  expect(await view.page.getByText("Sentence 0.").count()).toBe(1);
  expect(await view.page.getByText("Sentence 599.").count()).toBe(0);
  await view.page.getByRole("button", { name: "Go to the End" }).click();
  await view.page.getByText("The end of 599.").waitFor();
  await view.send({ type: "conversation", member: "team-lead", reset: false, items: [{ seq: 600, item: said(600) }] });
  expect(await view.page.getByText("The end of 600.").count()).toBe(1);
  expect(await elements(view)).toBeLessThan(BOUND);
});

test("a conversation: what the person reads stays while hundreds of items come, and the newest are some presses away", async () => {
  const view = await openConversation(Array.from({ length: 100 }, (_, at) => said(at)));
  await view.page.locator(".conv").hover();
  await view.page.mouse.wheel(0, 100_000);
  await view.page.waitForTimeout(200);
  await view.page.mouse.wheel(0, -1_200);
  await view.page.waitForTimeout(300);
  const read = view.page.locator(".conv > [data-seq]", { hasText: "The end of 88." });
  const top = async () => Math.round((await read.boundingBox())?.y ?? 0);
  const before = await top();
  expect(before).toBeGreaterThan(0);
  for (let at = 100; at < 300; at += 10) {
    const items = Array.from({ length: 10 }, (_, n) => ({ seq: at + n, item: said(at + n) }));
    await view.send({ type: "conversation", member: "team-lead", reset: false, items });
    expect(await elements(view)).toBeLessThan(BOUND);
  }
  expect(await top()).toBe(before);
  for (let at = 0; at < 10 && (await view.page.getByText("The end of 299.").count()) === 0; at += 1) {
    await view.page.mouse.wheel(0, 100_000);
    await view.page.waitForTimeout(100);
    await press(view, /^Show \d+ Later Items?$/);
    expect(await elements(view)).toBeLessThan(BOUND);
  }
  expect(await view.page.getByText("The end of 299.").count()).toBe(1);
});

test("a request: a change of 2,000 lines above a long conversation of a large team", async () => {
  const many = Array.from({ length: 8 }, (_, at) => ({ ...members[1]!, name: `m${at}`, displayName: `m${at}` }));
  const preview = {
    type: "edit" as const,
    path: "a.ts",
    lines: diffLines(2_000),
    added: 2_500,
    removed: 0,
    omitted: 500,
  };
  const view = await openConversation(
    Array.from({ length: 200 }, (_, at) => said(at)),
    { attention: [editRequest({ preview })], members: [members[0]!, ...many] },
  );
  await press(view, /^Show 360 More Lines$/);
  expect(await view.page.locator(".diff-line").count()).toBe(400);
  expect(await elements(view)).toBeLessThan(BOUND);
  await press(view, /^2100 more lines in the diff$/);
  expect(await view.actions()).toMatchObject([{ type: "openDiff", request: editRequest().id }]);
});

/** A plan of so many steps, with a block of another kind every fifty. */
function longPlan(steps: number): string {
  const step = (at: number) => `${at + 1}. Step **${at + 1}** of \`many\`, and what it is for`;
  const lines = Array.from({ length: steps }, (_, at) => (at % 50 < 49 ? step(at) : `\nThen step ${at + 1}.\n`));
  return ["# A long plan", "", "Why it is long.", "", ...lines, "", "The end of the plan."].join("\n");
}
/** The pieces of a plan that are shown: where each begins, and its text. */
const shownPieces = (view: View) =>
  view.page.locator(".plan-line").evaluateAll((rows) =>
    rows.map((row) => ({
      line: Number(row.getAttribute("data-line")),
      text: row.querySelector(".md")?.textContent ?? "",
    })),
  );

test.each(["team", "board"] as const)(
  "a plan of 1,000 steps in the view %s: whole, its pieces can be spoken of",
  async (surface) => {
    const plan = longPlan(1_000);
    const item = planRequest({ plan, said: null });
    const view = await open({ surface, width: surface === "team" ? 420 : 1_100 });
    const items = Array.from({ length: 200 }, (_, at) => ({ seq: at, item: said(at) }));
    if (surface === "team") {
      await view.send(stateMessage({ attention: [item] }), { type: "planDrafts", plans: [] });
      await view.send({ type: "conversation", member: "team-lead", reset: true, items });
      await settled(view);
      await press(view, /more lines$/);
    } else {
      await view.send({ type: "planDrafts", plans: [] }, { type: "reveal", what: { kind: "request", id: item.id } });
      await view.send(...boardMessages({ attention: [item] }));
      await settled(view);
    }
    expect(await elements(view)).toBeLessThan(BOUND);
    if (surface === "team") expect(await view.page.locator(".conv-text").count()).toBeGreaterThan(10);
    const pieces = await shownPieces(view);
    const text = pieces.map((piece) => piece.text).join("\n");
    const steps = Array.from({ length: 1_000 }, (_, at) => at + 1);
    expect(steps.filter((step) => !new RegExp(`tep \\**${step}\\b`).test(text))).toEqual([]);
    expect(text.match(/tep \**1000\b/g)).toHaveLength(1);
    expect(text).toContain("The end of the plan.");
    expect(await view.page.locator(".plan-text strong").count()).toBeGreaterThan(40);
    const { line = 0, text: source = "" } = pieces.at(-3) ?? {};
    const lines = plan.split("\n");
    expect(`\n${plan}\n`).toContain(`\n${source}\n`);
    expect(source.startsWith(lines[line - 1] ?? "?")).toBe(true);
    await commentOn(line, "Not so.")(view);
    await press(view, /^Send Back with 1 Comment$/);
    expect((await view.actions()).find(({ type }) => type === "decide")).toMatchObject({
      decision: { feedback: `Line ${line}:\n> ${lines[line - 1]}\nNot so.` },
    });
  },
);

test("a plan of one large table: as it was written where it has no room, and only so many of its lines", async () => {
  const table = `| a | b |\n| - | - |\n${"| *1* | *2* |\n".repeat(1_000)}`;
  const view = await open();
  await view.send(stateMessage({ attention: [planRequest({ plan: `${table}\nThe end.\n\nOf all.`, said: null })] }));
  expect(await elements(view)).toBeLessThan(BOUND);
  const [first] = await shownPieces(view);
  expect(first).toEqual({ line: 1, text: table.trim() });
  await press(view, /^2 more lines$/);
  const pieces = await shownPieces(view);
  expect(pieces.slice(1)).toEqual([
    { line: 1_004, text: "The end." },
    { line: 1_006, text: "Of all." },
  ]);
});

test("a text: formatted as far as there is room, and whole", async () => {
  const list = Array.from({ length: 3_000 }, (_, at) => `- **item ${at}** of \`many\``).join("\n");
  const table = `| a | b |\n| - | - |\n${"| *1* | *2* |\n".repeat(1_000)}`;
  const texts = [`Before.\n\n${list}\n\nThe end of the list.`, `${table}\nThe end of the table.`];
  const view = await openConversation(texts.map((text) => ({ type: "text", at: ago(1), text })));
  expect(await elements(view)).toBeLessThan(BOUND);
  const [first, second] = await view.page.locator(".conv-text").all();
  expect(await first!.locator("li").count()).toBeGreaterThan(80);
  expect(await first!.locator("li").last().locator("strong").count()).toBe(1);
  expect(await first!.innerText()).toContain("The end of the list.");
  expect(await first!.textContent()).toMatch(/item 98[^0-9].*item 99[^0-9].*item 100[^0-9].*item 2999[^0-9]/s);
  expect((await first!.textContent())?.match(/item 1000\b/g)).toHaveLength(1);
  expect(await second!.textContent()).toContain("The end of the table.");
});

test("threads: all of the fixtures stay open where there is room", async () => {
  const view = await open();
  await view.send(...teamMessages());
  await tab(view, /Inboxes/);
  const heads = view.page.locator(".thr-head");
  await expect.poll(() => heads.count()).toBe(threads.length); // the tab's code is loaded when it is opened
  for (const head of await heads.all()) await head.click();
  expect(await view.page.locator(".thr-open").count()).toBe(threads.length);
  expect(await elements(view)).toBeLessThan(BOUND);
});
