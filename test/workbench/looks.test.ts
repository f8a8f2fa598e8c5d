import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import {
  badge,
  runCommand,
  screenshot,
  setTheme,
  type Theme,
  type Workbench,
  webviewFrame,
} from "../support/workbench.ts";

const THEMES: readonly { theme: Theme; name: string }[] = [
  { theme: "Dark Modern", name: "dark" },
  { theme: "Light Modern", name: "light" },
  { theme: "Dark High Contrast", name: "hc-dark" },
  { theme: "Light High Contrast", name: "hc-light" },
];
/** Widths of the side bar, in pixels: narrow, and as it is pulled wide. */
const WIDTHS = [300, 420] as const;
/** Widths of an editor: of a whole window, and of one beside others. */
const EDITOR_WIDTHS = [1100, 500] as const;

/** The demo while two things wait, in every theme and width; the pictures of the README are taken here. */
describe("the panel in a real window", { timeout: 120_000 }, () => {
  let workbench: Workbench;
  let view: TeamView;

  useWindow(
    SMALL_WORKSPACE,
    async (opened) => {
      ({ workbench } = opened);
      view = teamView(workbench);
      await runCommand(workbench, "Agent Teams: Run the Demo Team");
      await eventually("two things that wait", async () => (await badge(workbench, "Agent Teams")) === "2", 60_000);
      await view.request("Run npm test");
    },
    { height: 1000 },
  );

  it.each(THEMES)("shows everything in $theme, at both widths", async ({ theme, name }) => {
    await setTheme(workbench, theme);
    for (const width of WIDTHS) {
      await pullTo(width);
      const frame = await view.frame();
      expect(Math.abs((await frame.evaluate(() => innerWidth)) - width)).toBeLessThan(16);
      expect(await frame.evaluate(() => document.scrollingElement?.scrollWidth ?? 0)).toBeLessThanOrEqual(width);
      const tabs = frame.getByRole("tab");
      for (const tab of await tabs.all()) expect(await tab.evaluate(isWhole), await tab.innerText()).toBe(true);
      await workbench.page.waitForTimeout(500); // every part has the new colours
      await screenshot(workbench, `look-${name}-${width}`);
    }
  });

  it("opens a plan on the Team Board; what is typed to it there stands in the side bar too", async () => {
    await workbench.watch.asPerson(async () => {
      await view.press(await view.request("Plan:"), "Open Plan");
      await (await board()).locator(".pp .plan-line").first().waitFor();
      await (await board())
        .getByRole("button", { name: /^Add a comment to line/ })
        .first()
        .click();
      await (await board()).locator(".plan-field textarea").fill("Which test proves it?");
      await (await board()).getByRole("button", { name: "Add Comment", exact: true }).click();
    });
    await (await view.request("Plan:")).locator(".plan-said", { hasText: "Which test proves it?" }).waitFor();
    await runCommand(workbench, "View: Toggle Primary Side Bar Visibility");
  });

  it.each(THEMES)("shows the plan in $theme, as wide as an editor may be", async ({ theme, name }) => {
    await setTheme(workbench, theme);
    await pictures(`plan-${name}`);
  });

  it.each(THEMES)("shows the Team Board in $theme, as wide as an editor may be", async ({ theme, name }) => {
    const back = (await board()).getByRole("button", { name: "Back to the Board" });
    if ((await back.count()) > 0) await workbench.watch.asPerson(() => back.click());
    await (await board()).locator(".bd-node").first().waitFor();
    await setTheme(workbench, theme);
    await pictures(`board-${name}`);
  });

  const board = () => webviewFrame(workbench, "Team Board");

  /** Makes the window as wide as gives the board each width, and takes a picture where nothing leaves the board. */
  async function pictures(name: string): Promise<void> {
    const { page } = workbench;
    const inside = async () => (await board()).evaluate(() => innerWidth);
    for (const width of EDITOR_WIDTHS) {
      await eventually("the width", async () => {
        const { width: now = 0, height = 0 } = page.viewportSize() ?? {};
        const off = width - (await inside());
        if (off !== 0) await page.setViewportSize({ width: now + off, height });
        return off === 0;
      });
      await page.mouse.move(20, 700); // over nothing that speaks
      expect(await (await board()).evaluate(leaving)).toEqual([]);
      await page.waitForTimeout(500); // every part has the new colours
      await screenshot(workbench, `look-${name}-${width}`);
    }
  }

  /** Buttons and headings of the board that are not wholly in it, but for those of the graph, which scrolls. */
  const leaving = (): string[] =>
    [...document.querySelectorAll("#root :is(button, h1, h2, .meta)")]
      .filter((part) => !part.closest(".bd-plane"))
      .filter((part) => {
        const { left, right, width } = part.getBoundingClientRect();
        return width > 1 && (left < -0.5 || right > innerWidth + 0.5);
      })
      .map((part) => part.textContent ?? "");

  /** Whether no letter of it is cut off. */
  const isWhole = (element: Element): boolean =>
    [element, ...element.querySelectorAll("*")].every((part) => part.scrollWidth <= part.clientWidth + 1);

  /** Pulls the edge of the side bar until it has this width. */
  async function pullTo(width: number): Promise<void> {
    const { page, watch } = workbench;
    const bar = page.locator(".part.sidebar");
    await watch.asPerson(async () => {
      const box = await bar.boundingBox();
      if (!box) throw new Error("The side bar is not there.");
      const edge = box.x + box.width;
      await page.mouse.move(edge, box.y + 300);
      await page.mouse.down();
      await page.mouse.move(edge - (box.width - width) / 2, box.y + 300);
      await page.mouse.move(box.x + width, box.y + 300);
      await page.mouse.up();
      await page.mouse.move(box.x + width + 300, box.y + 300);
    });
    await eventually("the width", async () => Math.abs(((await bar.boundingBox())?.width ?? 0) - width) < 12);
  }
});
