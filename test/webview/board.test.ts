import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { axeFaults } from "./support/axe.ts";
import { BOARD_SCREENS, type BoardScreen, boardMessages, chain } from "./support/boardFixtures.ts";
import { tasks } from "./support/fixtures.ts";
import { backend, lead } from "./support/memberFixtures.ts";
import type { View, ViewOptions } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const openView = webviewSuite();
const WIDTHS = [1100, 700, 420, 300];
const folder = path.resolve(import.meta.dirname, "../../artifacts/webview");
mkdirSync(folder, { recursive: true });

/** A board at the width of an editor. */
async function open(screen: Partial<BoardScreen> = {}, options: ViewOptions = {}): Promise<View> {
  const view = await openView({ surface: "board", width: 1100, height: 900, ...options });
  await view.send(...(screen.messages ?? boardMessages()));
  await screen.act?.(view);
  return view;
}

/** Tasks each of which waits for so many that stand right before it. */
const dense = (length: number, blockers: number) =>
  chain(length).map((task, at) => ({
    ...task,
    blockedBy: Array.from({ length: Math.min(at, blockers) }, (_, back) => String(at - back)),
  }));

const nodes = ({ page }: View) => page.locator(".bd-node");
/** How many lines of a kind are drawn: those of a kind are one path, and their heads another. */
const lines = async ({ page }: View, kind: string): Promise<number> => {
  const [paths = "", heads = ""] = await Promise.all(
    [".bd-edge", ".bd-arrow"].map((part) =>
      page
        .locator(`.bd-edges ${kind} ${part}`)
        .evaluateAll((all) => all.map((path) => path.getAttribute("d") ?? "").join("")),
    ),
  );
  const count = paths.split("M").length - 1;
  expect(heads.split("M").length - 1).toBe(count);
  return count;
};
const columns = async ({ page }: View) => page.locator(".bd-col-head h2").allInnerTexts();

describe("every state of the board, at four widths and in four themes", () => {
  test.each(BOARD_SCREENS.map((screen) => [screen.name, screen] as const))(
    "%s: axe finds nothing",
    async (_n, screen) => {
      const view = await open(screen);
      const faults: string[] = [];
      for (const width of WIDTHS) {
        await view.resize(width, 900);
        faults.push(...(await axeFaults(view)).map((fault) => `${width} ${fault}`));
      }
      expect(faults).toEqual([]);
    },
  );

  test.each(BOARD_SCREENS.map((screen) => [screen.name, screen] as const))(
    "%s: nothing leaves it",
    async (_n, screen) => {
      const view = await open(screen);
      const faults: string[] = [];
      for (const width of WIDTHS) {
        await view.resize(width, 900);
        faults.push(...(await view.page.evaluate(outside)).map((fault) => `${width}: ${fault}`));
      }
      expect(faults).toEqual([]);
    },
  );

  test("pictures", async () => {
    for (const name of ["board", "board-task", "board-list", "plan-page"]) {
      const view = await open(BOARD_SCREENS.find((screen) => screen.name === name));
      for (const theme of ["dark", "light", "hc-dark", "hc-light"] as const) {
        await view.setTheme(theme);
        for (const width of ["board", "plan-page"].includes(name) ? [1100, 500] : [1100]) {
          await view.resize(width, 900);
          const picture = await view.page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}.png`) });
          expect(picture.length).toBeGreaterThan(5000);
        }
      }
      await view.resize(1100, 900);
    }
  });
});

/** Runs in the page: what leaves the view, but for the graph, which scrolls. */
function outside(): string[] {
  const faults: string[] = [];
  for (const element of document.querySelectorAll("#root *")) {
    if (element.closest(".vh, .bd-graph > *, vscode-single-select > *")) continue;
    const box = element.getBoundingClientRect();
    const clipped = element.parentElement && getComputedStyle(element.parentElement).overflowX === "hidden";
    if (box.width === 0 || box.height === 0 || clipped) continue;
    if (box.right > innerWidth + 0.5 || box.left < -0.5)
      faults.push(`${element.tagName.toLowerCase()}.${element.getAttribute("class")} leaves the view`);
  }
  if (document.documentElement.scrollHeight > innerHeight) faults.push("the page scrolls");
  return [...new Set(faults)];
}

describe("the graph", () => {
  test("has each task once, in order of numbers, behind those that it waits for", async () => {
    const view = await open();
    await nodes(view).first().waitFor();
    const ids = await nodes(view).evaluateAll((all) => all.map((node) => node.getAttribute("data-node")));
    expect(ids).toEqual(tasks.map(({ id }) => id));
    const lefts = new Map(
      await nodes(view).evaluateAll((all) =>
        all.map((node) => [node.getAttribute("data-node") ?? "", (node as HTMLElement).offsetLeft] as const),
      ),
    );
    const left = (id: string) => lefts.get(id) ?? Number.NaN;
    for (const { id, blockedBy } of tasks)
      for (const blocker of blockedBy) expect(left(blocker)).toBeLessThan(left(id));
    expect(await lines(view, ".bd-edge-live")).toBe(tasks.flatMap(({ openBlockers }) => openBlockers).length);
    expect(await lines(view, "g")).toBe(tasks.flatMap(({ blockedBy }) => blockedBy).length);
    await view.page.locator("[data-node='7']").click();
    const own = tasks.flatMap(({ id, blockedBy }) => blockedBy.filter((before) => [id, before].includes("7")));
    expect(await lines(view, ".bd-edge-own")).toBe(own.length);
  });

  test("by keyboard: one Tab stop, arrows go from task to task, Enter opens one, Esc closes it", async () => {
    const view = await open();
    const { page } = view;
    await nodes(view).first().waitFor();
    expect(await page.locator(".bd-node[tabindex='0']").count()).toBe(1);
    await nodes(view).first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.locator(".bd-task .task-title").textContent()).toBe(tasks[2]?.subject);
    await page.locator(".bd-task-close").focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("task-row");
    await page.keyboard.press("Escape");
    expect(await page.locator(".bd-task").count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-node"))).toBe("3");
    await page.keyboard.press("ArrowLeft");
    const left = tasks.filter(({ id }) => id !== "2");
    await view.send(...boardMessages({}, left));
    await expect.poll(() => nodes(view).count()).toBe(left.length);
    expect(await page.locator(".bd-node[tabindex='0']").count()).toBe(1);
  });

  test("an open task leads to those that it waits for, and a number in a text to its task", async () => {
    const view = await open();
    const { page } = view;
    await page.locator("[data-node='9']").click();
    await page
      .locator(".bd-task")
      .getByRole("button", { name: /^In progress #7/ })
      .click();
    expect(await page.locator(".bd-task").getAttribute("aria-label")).toBe("#7");
    expect(await page.locator(".bd-node[aria-pressed=true]").getAttribute("data-node")).toBe("7");
    await page.locator(".bd-col a", { hasText: "#13" }).first().click();
    expect(await page.locator(".bd-task").getAttribute("aria-label")).toBe("#13");
  });

  test("is dragged and zoomed, and both outlive a reload, with the open task and the list", async () => {
    const view = await open({ messages: boardMessages({}, chain(40)) });
    const { page } = view;
    await nodes(view).first().waitFor();
    const place = () =>
      page.locator(".bd-graph").evaluate((box) => ({ left: box.scrollLeft, wide: box.scrollWidth > box.clientWidth }));
    expect(await place()).toEqual({ left: 0, wide: true });
    const box = await page.locator(".bd-graph").boundingBox();
    if (!box) throw new Error("no graph");
    const [x, y] = [box.x + 600, box.y + 70];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 300, y, { steps: 5 });
    await page.mouse.up();
    expect((await place()).left).toBe(300);
    await page.getByRole("button", { name: "Zoom Out" }).click();
    const after = (await place()).left;
    await page.locator(".bd-node").nth(3).click();
    await page.waitForTimeout(200); // what scrolls is kept at most every 150 ms
    await view.reload();
    await view.send(...boardMessages({}, chain(40)));
    await nodes(view).first().waitFor();
    expect((await place()).left).toBe(after);
    expect(await page.locator(".bd-plane").evaluate((plane) => plane.style.transform)).toBe("scale(0.8)");
    expect(await page.locator(".bd-task").getAttribute("aria-label")).toBe("#4");
    await page.getByRole("button", { name: "Show the Whole Graph" }).click();
    expect((await place()).wide).toBe(false);
    await page.getByRole("button", { name: "List" }).click();
    await view.reload();
    await view.send(...boardMessages({}, chain(40)));
    expect(await page.locator(".bd-graph").count()).toBe(0);
    expect(await page.locator(".bd-list .task").count()).toBe(20);
  });

  test("gives way to the list above 500 tasks, or 1,500 links between them", async () => {
    const view = await open({ messages: boardMessages({}, chain(500)) });
    await nodes(view).first().waitFor({ timeout: 20_000 });
    expect(await nodes(view).count()).toBe(500);
    await view.send({ type: "tasks", tasks: chain(501) });
    expect(await nodes(view).count()).toBe(0);
    const why = "Above 500 tasks, or 1500 links between them, there is only the list.";
    expect(await view.page.locator(".bd-note").innerText()).toBe(why);
    expect(await view.page.getByRole("button", { name: "Graph" }).count()).toBe(0);
    await view.send({ type: "tasks", tasks: dense(192, 8) }); // 28 + 184 × 8 = 1,500
    await expect.poll(() => nodes(view).count(), { timeout: 30_000 }).toBe(192);
    await view.send({ type: "tasks", tasks: dense(193, 8) });
    expect(await nodes(view).count()).toBe(0);
    expect(await view.page.locator(".bd-note").innerText()).toBe(why);
    expect(await view.page.getByRole("button", { name: "Graph" }).count()).toBe(0);
  });
});

test("the newest texts between members stand without the marks of Markdown", async () => {
  const mail = {
    people: [lead, backend],
    pairs: [{ from: backend.name, to: lead.name, count: 1 }],
    latest: [{ id: "m1", from: backend.name, to: lead.name, at: 0, text: "## Done\n`saving(line)` in **src/a_b.js**" }],
  };
  const view = await open({ messages: [...boardMessages(), { type: "mail", mail }] });
  await expect
    .poll(() => view.page.locator(".bd-latest-text").allTextContents())
    .toEqual(["Done saving(line) in src/a_b.js"]);
});

describe("conversations side by side", () => {
  test("as many as fit beside the matrix, which goes first, then they go one by one", async () => {
    const view = await open();
    const seen: [number, number, number][] = [];
    for (const width of [1500, 1100, 860, 700, 420, 300]) {
      await view.resize(width, 900);
      await expect.poll(async () => (await view.page.locator(".bd-cols").boundingBox())?.width).toBe(width);
      await view.send();
      seen.push([width, (await columns(view)).length, await view.page.locator(".bd-mail").count()]);
    }
    expect(seen).toEqual([
      [1500, 4, 1],
      [1100, 2, 1],
      [860, 2, 1],
      [700, 1, 1],
      [420, 1, 0],
      [300, 1, 0],
    ]);
  });

  test("tells the host whose, and keeps what the person chooses over a reload", async () => {
    const view = await open();
    const { page } = view;
    const told = async () => (await view.posted()).findLast(({ type }) => type === "showColumns");
    await expect.poll(told).toEqual({ type: "showColumns", members: ["team-lead", "backend"] });
    await page.getByRole("button", { name: "Close team-lead" }).click();
    await expect.poll(told).toEqual({ type: "showColumns", members: ["backend"] });
    await page.getByRole("button", { name: "Close backend" }).click();
    await expect.poll(told).toEqual({ type: "showColumns", members: [] });
    await page.getByRole("button", { name: "Conversations" }).click();
    await page.getByRole("menuitem", { name: "backend" }).click();
    await expect.poll(told).toEqual({ type: "showColumns", members: ["backend"] });
    await page.getByRole("button", { name: "Conversations" }).click();
    await page.getByRole("menuitem", { name: "研究员" }).click();
    expect(await columns(view)).toEqual(["backend", "研究员"]);
    await view.reload();
    await view.send(...boardMessages());
    expect(await columns(view)).toEqual(["backend", "研究员"]);
    await expect.poll(told).toEqual({ type: "showColumns", members: ["backend", "yan-jiu-yuan"] });
  });

  test("a choice is made among the columns of now, not of when the menu was opened", async () => {
    const view = await open({}, { width: 1500 });
    const { page } = view;
    const before = await columns(view);
    await page.getByRole("button", { name: "Conversations" }).click();
    await view.resize(1100, 900);
    const after = await columns(view);
    expect(after.length).toBeLessThan(before.length);
    await page.getByRole("menuitem", { name: "team-lead" }).click();
    expect(await columns(view)).toEqual(after.filter((name) => name !== "team-lead"));
  });

  test("each is live and stays at its end, unless the person scrolls up", async () => {
    const view = await open();
    const body = view.page.locator(".bd-col-body").nth(1);
    const fromEnd = () => body.evaluate((box) => Math.abs(Math.round(box.scrollTop)));
    const say = (text: string) => view.send({ type: "streaming", member: "backend", text });
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}\n\n`).join("");
    await say(long);
    expect(await fromEnd()).toBe(0);
    expect(await body.innerText()).toContain("line 39");
    await body.hover();
    await view.page.mouse.wheel(0, -200);
    await expect.poll(fromEnd).toBeGreaterThan(100);
    await say(`${long}the newest`);
    expect(await fromEnd()).toBeGreaterThan(100);
  });

  test("a request is decided in the view Team, and a message is written there", async () => {
    const view = await open();
    const { page } = view;
    await page.getByRole("button", { name: "3 requests wait" }).click();
    await page.getByRole("button", { name: "Review", exact: true }).click();
    await page.locator(".bd-col").nth(1).getByRole("button", { name: "Message" }).click();
    const asked = (await view.actions()).filter(({ type }) => type === "showInTeam");
    expect(asked).toEqual([
      { type: "showInTeam", what: { kind: "request", id: "perm-1" } },
      { type: "showInTeam", what: { kind: "request", id: "perm-1" } },
      { type: "showInTeam", what: { kind: "composer", member: "backend" } },
    ]);
  });
});

describe("who wrote to whom", () => {
  test("is a table: the person first, then the members in their order, numbers and not only tints", async () => {
    const view = await open();
    const rows = await view.page
      .locator(".bd-matrix tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));
    expect(rows[0]).toEqual(["you", "·", "1", "1", "", "", "", ""]);
    expect(rows[1]).toEqual(["team-lead", "", "·", "2", "1", "12", "", ""]);
    expect(rows.map(([name]) => name)).toEqual([
      ...["you", "team-lead", "backend", "frontend", "研究员"],
      ...["ledger-and-idempotency-reviewer", "docs"],
    ]);
  });

  test("is a list of pairs, the most first, where a table has no room", async () => {
    const view = await open(BOARD_SCREENS.find(({ name }) => name === "board-chooser"));
    expect(await view.page.locator(".bd-matrix").count()).toBe(0);
    expect(await view.page.locator(".bd-pairs .meta").allInnerTexts()).toEqual(
      Array.from({ length: 11 }, (_, index) => String(11 - index)),
    );
  });

  test("says how many pairs that list leaves out", async () => {
    const view = await open(BOARD_SCREENS.find(({ name }) => name === "board-chooser"));
    const who = ["team-lead", ...Array.from({ length: 11 }, (_, index) => `b${index}`)];
    const people = who.map((name) => ({ name, displayName: name, color: null, role: "teammate" as const }));
    const pairs = who.flatMap((from) => who.flatMap((to) => (from === to ? [] : { from, to, count: 1 })));
    const lastRow = view.page.locator(".bd-pairs > li").last();
    await view.send({ type: "mail", mail: { people, pairs: pairs.slice(0, 20), latest: [] } });
    expect(await lastRow.innerText()).not.toContain("more");
    await view.send({ type: "mail", mail: { people, pairs, latest: [] } });
    expect(await lastRow.innerText()).toBe("and 112 more");
  });
});
