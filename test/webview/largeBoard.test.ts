import { expect, test } from "vitest";
import type { ConversationItem, TaskRow } from "../../src/protocol/panel.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { axeFaults } from "./support/axe.ts";
import { boardMessages } from "./support/boardFixtures.ts";
import { backend, eightMembers } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { focused, webviewSuite } from "./support/suite.ts";

const openView = webviewSuite();
const MOST_ELEMENTS = 1_500;

/** 500 tasks, most of which wait for two others: as wide and as high as a large team's. */
const large: TaskRow[] = Array.from({ length: 500 }, (_, at): TaskRow => {
  const blockedBy = [...new Set([at - 7, at - 20].filter((before) => before >= 0).map((before) => String(before + 1)))];
  const done = at < 120;
  return {
    ...{ id: String(at + 1), subject: `Step ${at + 1} of a long way`, description: "", blockedBy, since: null },
    owner: at % 3 === 0 ? backend : null,
    status: done ? "completed" : "pending",
    openBlockers: done ? [] : blockedBy.filter((id) => Number(id) > 120),
  };
});

const item = (at: number): ConversationItem =>
  at % 2 === 0
    ? { type: "text", at, text: `I look at **${at}**:\n\n- one\n- two` }
    : { ...{ type: "tool", at, name: "Read", argument: `src/${at}.ts`, ms: 12, detail: "text" }, state: "ok" };

/** Four conversations of 200 items beside the graph. */
const talk: HostMessage[] = eightMembers.slice(0, 4).map(({ name: member }) => ({
  ...{ type: "conversation", member, reset: true },
  items: Array.from({ length: 200 }, (_, seq) => ({ seq, item: item(seq) })),
}));

async function open(rows: TaskRow[] = large, says: HostMessage[] = talk): Promise<View> {
  const view = await openView({ surface: "board", width: 1600, height: 1000 });
  await view.send(...boardMessages({ members: eightMembers }, rows), ...says);
  await view.page.locator(".bd-node").first().waitFor({ timeout: 30_000 });
  return view;
}
const elements = ({ page }: View) => page.evaluate(() => document.querySelectorAll("*").length);
const box = ({ page }: View) => page.locator(".bd-graph");
/** Nodes in the middle of what can be seen that are not drawn whole. */
const missing = ({ page }: View) =>
  page.locator(".bd-graph").evaluate((graph) => {
    const frame = graph.getBoundingClientRect();
    return [...graph.querySelectorAll(".bd-node")].filter((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      const seen = right > frame.left && left < frame.right && bottom > frame.top && top < frame.bottom;
      return seen && node.textContent === "";
    }).length;
  });

test("500 tasks and four conversations are fewer than 1,500 elements, wherever the graph is scrolled to", async () => {
  const view = await open();
  await expect.poll(() => view.page.locator("[data-node='1']").innerText()).toContain("Step 1 of a long way");
  const counts = [await elements(view)];
  const { width, height } = await box(view).evaluate((graph) => ({
    width: graph.scrollWidth - graph.clientWidth,
    height: graph.scrollHeight - graph.clientHeight,
  }));
  expect(width).toBeGreaterThan(2_000);
  for (const [across, down] of [
    [0.1, 0.9],
    [0.33, 0.5],
    [0.5, 0],
    [0.71, 1],
    [1, 0.5],
    [0.02, 0.2],
  ] as const) {
    await box(view).evaluate((graph, to) => graph.scrollTo(to.x, to.y), { x: width * across, y: height * down });
    await expect.poll(() => missing(view)).toBe(0);
    counts.push(await elements(view));
  }
  await view.page.getByRole("button", { name: "Show the Whole Graph" }).click();
  await expect.poll(() => missing(view)).toBe(0);
  counts.push(await elements(view));
  console.log(`elements at 500 tasks: ${counts.join(", ")}`);
  expect(Math.max(...counts)).toBeLessThan(MOST_ELEMENTS);
});

test("keys reach every task, also one that was never seen, and it is drawn then", async () => {
  const view = await open();
  const { page } = view;
  await page.locator(".bd-node").first().focus();
  await page.keyboard.press("End");
  const node = page.locator("[data-node='500']");
  expect(await node.evaluate((element) => element === document.activeElement)).toBe(true);
  await expect.poll(() => node.innerText()).toContain("Step 500 of a long way");
  await page.keyboard.press("ArrowLeft");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-node"))).toBe("499");
  const names = await page.getByRole("button", { name: /^(?:Done|Ready|Blocked) \d+ .*Step \d+/ }).count();
  expect(names).toBe(500);
});

/** Nodes of which something is in sight, and whether the first task is one of them. */
const sight = (view: View) =>
  box(view).evaluate((graph) => {
    const frame = graph.getBoundingClientRect();
    const seen = [...graph.querySelectorAll(".bd-node")].filter((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return right > frame.left && left < frame.right && bottom > frame.top && top < frame.bottom;
    });
    return { some: seen.length > 0, first: seen.some((node) => node.getAttribute("data-node") === "1") };
  });
/** Waits until so many tasks are placed and the page has told where its graph stands. */
async function grown(view: View, count: number): Promise<void> {
  await view.send({ type: "tasks", tasks: large.slice(0, count) });
  await expect.poll(() => view.page.locator(".bd-node").count(), { timeout: 30_000 }).toBe(count);
  await view.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

test("while it grows the first task stays in sight, also after a reload, until the person has moved it", async () => {
  const view = await open(large.slice(0, 3), []);
  await view.resize(700, 500);
  for (const count of [20, 60, 120, 200]) {
    await grown(view, count);
    expect(await sight(view), `${count}`).toEqual({ some: true, first: true });
  }
  await view.page.waitForTimeout(200); // what scrolls is kept at most every 150 ms
  await view.reload();
  await view.send(...boardMessages({ members: eightMembers }, large.slice(0, 200)));
  await view.page.locator(".bd-node").first().waitFor({ timeout: 30_000 });
  await grown(view, 300);
  expect(await sight(view)).toEqual({ some: true, first: true });
  await view.page.locator("[data-node='150']").focus();
  const place = () => box(view).evaluate((graph) => [graph.scrollLeft, graph.scrollTop]);
  const before = await place();
  expect(await sight(view)).toEqual({ some: true, first: false });
  await grown(view, 301);
  expect(await place()).toEqual(before);
  expect(await sight(view)).toEqual({ some: true, first: false });
});

/** Runs in the page: scrolls to a place without a node. */
function goWhereNothingIs(graph: Element): void {
  const nodes = [...graph.querySelectorAll<HTMLElement>(".bd-node")];
  for (let y = 0; y < graph.scrollHeight - graph.clientHeight; y += 20)
    for (let x = 0; x < graph.scrollWidth - graph.clientWidth; x += 20) {
      const [right, bottom] = [x + graph.clientWidth, y + graph.clientHeight];
      const isIn = ({ offsetLeft: left, offsetTop: top }: HTMLElement) =>
        left < right && left + 128 > x && top < bottom && top + 58 > y;
      if (nodes.some(isIn)) continue;
      graph.scrollTo(x, y);
      return;
    }
}

test("where the person has moved it and nothing would be in sight, it goes to the first task", async () => {
  const view = await open(large.slice(0, 200), []);
  await view.resize(300, 300);
  await box(view).evaluate(goWhereNothingIs);
  await expect.poll(() => sight(view)).toEqual({ some: false, first: false });
  await grown(view, 201);
  expect(await sight(view)).toEqual({ some: true, first: true });
});

test("is placed once: again only when tasks come or wait for others, not when their states change", async () => {
  const view = await open();
  const times = () =>
    view.page.evaluate(() =>
      performance.getEntriesByName("muster.taskGraph").map(({ duration }) => Math.round(duration)),
    );
  expect(await times()).toHaveLength(1);
  const changed = large.map((task) => ({ ...task, status: "completed" as const, openBlockers: [] }));
  await view.send({ type: "tasks", tasks: changed });
  await expect.poll(() => view.page.locator(".bd-edge-live").count()).toBe(0);
  expect(await times()).toHaveLength(1);
  await view.send({ type: "tasks", tasks: changed.slice(0, 400) });
  await expect.poll(async () => (await times()).length).toBe(2);
  console.log(`placing 500, then 400 tasks: ${(await times()).join(", ")} ms`);
});

test("of more tasks than are placed, one that a text names is gone to in the list", async () => {
  const view = await openView({ surface: "board", width: 1600, height: 1000 });
  const rows = [...large, { ...large[499]!, id: "501", subject: "Step 501 of a long way", openBlockers: [] }];
  const text = "After #121 comes #480.";
  await view.send(...boardMessages({ members: eightMembers }, rows), {
    ...{ type: "conversation", member: "team-lead", reset: true },
    items: [{ seq: 0, item: { type: "text", at: 1, text } }],
  });
  const { page } = view;
  await page.locator(".bd-list").waitFor();
  for (const [id, alone] of [
    ["121", 0],
    ["480", 1],
  ] as const) {
    await page.locator(".bd-col a", { hasText: `#${id}` }).click();
    await expect.poll(() => focused(view)).toContain(`Step ${id} of a long way`);
    expect(await page.locator(".task-alone").count()).toBe(alone);
  }
});

test("axe finds nothing in it, in four themes", async () => {
  expect(await axeFaults(await open(large.slice(0, 150), []))).toEqual([]);
});
