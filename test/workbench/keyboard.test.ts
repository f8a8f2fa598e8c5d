import type { Frame } from "playwright-core";
import { describe, expect, it } from "vitest";
import { demoPlace } from "../support/demoPlace.ts";
import { eventually } from "../support/eventually.ts";
import type { Host } from "../support/host.ts";
import { runSuite } from "../support/sampleFolder.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import { quickInput, screenshot, terminalNames, terminalText, type Workbench } from "../support/workbench.ts";

/** The whole demo without a mouse: keys only, from the palette to the finished team. Each test is the next thing. */
describe("the demo team by keyboard alone", { timeout: 120_000 }, () => {
  let host: Host;
  let workbench: Workbench;
  let view: TeamView;
  const demo = demoPlace(() => host);

  useWindow(
    SMALL_WORKSPACE,
    (opened) => {
      ({ host, workbench } = opened);
      view = teamView(workbench);
    },
    { height: 1000 },
  );

  it("starts from the palette", async () => {
    await command("Agent Teams: Run the Demo Team");
    await (await view.frame()).getByText("The models of this demo are scripted.").waitFor();
  });

  it("sends a plan back: the chord, one key, the words, one key", async () => {
    const frame = await waiting("Plan:");
    const first = await planId(frame);
    await oldest(frame);
    await press("Control+Backspace");
    await eventually("the field", async () => (await focused(frame)).startsWith("textarea"));
    await type("Say which tests prove it.");
    await press("Control+Enter");
    await eventually("the next plan", async () => ![null, first].includes(await planId(frame)), 40_000);
  });

  it("opens a teammate's terminal and writes into it", async () => {
    await command("Agent Teams: Open Teammate Terminal");
    await workbench.page.getByPlaceholder("Which member?").waitFor();
    await press("ArrowDown"); // nora, then theo
    await press("Enter");
    await eventually("the terminal", async () => (await terminalText(workbench)).includes("npm test"));
    expect(await terminalNames(workbench)).toEqual(["theo"]);
    await type("Mind the tabs.");
    await press("Enter");
    await eventually("the words in theo's inbox", () => demo.ownFile("inboxes/theo.json").includes("Mind the tabs."));
  });

  it("walks through members and tabs with the arrow keys", async () => {
    const frame = await waiting("Plan:");
    await oldest(frame);
    await eventually("the composer, or a tab, by Tab", async () => {
      await press("Tab");
      return (await focused(frame)).includes("mem-row");
    });
    await press("End");
    expect(await focused(frame)).toContain("mem-row");
    await press("Enter");
    await eventually("the tabs by Tab", async () => {
      await press("Tab");
      return (await focused(frame)).startsWith("button tab ");
    });
    await press("ArrowRight");
    await frame.locator(".task").first().waitFor();
    await screenshot(workbench, "keyboard-tasks-dark");
  });

  it("decides everything else with the chord and one key, to the end", async () => {
    const frame = await view.frame();
    await eventually(
      "the end of the team",
      async () => {
        if ((await frame.locator(".fin").count()) > 0) return true;
        if ((await frame.locator(".req").count()) > 0) {
          await oldest(frame);
          await press("Control+Enter");
        }
        return false;
      },
      90_000,
    );
    expect(await view.text()).toMatch(/Tasks\s+3 of 3/);
    await screenshot(workbench, "keyboard-finished-dark");
    expect((await runSuite(demo.project)).exit).toBe(0);
  });

  it("has raised no toast, moved no focus by itself, and opened no terminal but the one that was asked for", async () => {
    expect(workbench.watch.toasts()).toEqual([]);
    expect(workbench.watch.unaskedFocus()).toEqual([]);
    expect(await terminalNames(workbench)).toEqual(["theo"]);
  });

  const press = (key: string) => workbench.watch.asPerson(() => workbench.page.keyboard.press(key));
  const type = (text: string) => workbench.watch.asPerson(() => workbench.page.keyboard.type(text));

  /** Runs a command of the palette; the row with its title must be the one that Enter takes. */
  async function command(title: string): Promise<void> {
    const { page, watch } = workbench;
    await watch.asPerson(() =>
      eventually(`the command "${title}" in the palette`, async () => {
        await page.keyboard.press("F1");
        await eventually("the palette", () => quickInput(page).isVisible());
        await page.keyboard.press("Control+A");
        await page.keyboard.type(`>${title}`);
        const first = page.locator(".quick-input-list .monaco-list-row.focused");
        // a list that is open does not learn of commands that come later: then it is opened again
        const found = await eventually(
          "its row",
          async () => {
            const label = await first.getAttribute("aria-label", { timeout: 500 }).catch(() => null);
            return label?.startsWith(title);
          },
          2_000,
        ).then(
          () => true,
          () => false,
        );
        await page.keyboard.press(found ? "Enter" : "Escape");
        return found;
      }),
    );
  }

  /** Waits until a request with this title is there, and gives the view's frame. */
  async function waiting(title: string): Promise<Frame> {
    const frame = await view.frame();
    await frame.locator(".req", { hasText: title }).first().waitFor({ timeout: 40_000 });
    return frame;
  }

  /** The oldest request by the chord: its title has the focus, it is open, and its keys work: of what is cut, they show the rest. */
  async function oldest(frame: Frame): Promise<void> {
    await press("Control+K");
    await press("Control+A");
    await eventually("the title of the oldest request", async () => (await focused(frame)).includes("req-head"));
    await eventually("its keys", async () => {
      const primary = frame.locator(".req-open [data-choice=primary]");
      if ((await primary.count()) === 0 || (await primary.getAttribute("aria-disabled")) === "false") return true;
      const isCut = (await frame.locator(".req-open [data-choice=rest]").count()) > 0;
      return isCut && (await frame.locator(".req-inert").count()) === 0;
    });
  }

  /** Which plan waits; null while none does. */
  async function planId(frame: Frame): Promise<string | null> {
    const plan = frame.locator(".req", { hasText: "Plan:" });
    return (await plan.count()) === 0 ? null : plan.first().getAttribute("data-request");
  }

  /** Tag, class and id of what has the focus in the view. */
  function focused(frame: Frame): Promise<string> {
    return frame.evaluate(() => {
      const { activeElement: element } = document;
      return element ? `${element.tagName.toLowerCase()} ${element.className} ${element.id}` : "";
    });
  }
});
