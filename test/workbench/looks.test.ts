import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import { badge, runCommand, screenshot, setTheme, type Theme, type Workbench } from "../support/workbench.ts";

const THEMES: readonly { theme: Theme; name: string }[] = [
  { theme: "Dark Modern", name: "dark" },
  { theme: "Light Modern", name: "light" },
  { theme: "Dark High Contrast", name: "hc-dark" },
  { theme: "Light High Contrast", name: "hc-light" },
];
/** Widths of the side bar, in pixels: narrow, and as it is pulled wide. */
const WIDTHS = [300, 420] as const;

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
