import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { keepEvidence } from "../support/evidence.ts";
import { type Host, startHost } from "../support/host.ts";
import {
  activeEditor,
  badge,
  openContainer,
  openWorkbench,
  paletteOffers,
  screenshot,
  terminalNames,
  type Workbench,
  webviewFrame,
} from "../support/workbench.ts";

describe("the packaged extension in a fresh profile", () => {
  let host: Host;
  let browser: Browser;
  let workbench: Workbench;

  beforeAll(async () => {
    host = await startHost({ files: { "notes.txt": "a note\n" } });
    browser = await startBrowser();
    workbench = await openWorkbench(browser, host);
  });

  keepEvidence(() => workbench);

  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  it("offers its commands once it is there", async () => {
    const offers = await eventually("the commands of an active extension", async () => {
      const found = await paletteOffers(workbench, "Agent Teams:");
      return found.includes("Agent Teams: Set API Key") && found;
    });
    expect(offers).toContain("Agent Teams: Run the Demo Team");
    expect(offers.filter((offer) => offer.includes("%"))).toEqual([]);
  });

  it("shows its two views when its icon is clicked", async () => {
    await openContainer(workbench, "Agent Teams");
    const headers = workbench.page.locator(".sidebar .pane-header .title");
    await eventually("the views", async () => (await headers.allInnerTexts()).join() === "Team,Members");
    const panel = await webviewFrame(workbench, "Team");
    await panel.getByRole("button", { name: "Run the Demo Team" }).waitFor();
    await screenshot(workbench, "smoke-no-team");
  });

  it("has raised no toast, opened nothing, moved no focus, and written nothing", async () => {
    expect(workbench.watch.toasts()).toEqual([]);
    expect(workbench.watch.unaskedFocus()).toEqual([]);
    expect(await terminalNames(workbench)).toEqual([]);
    expect(await activeEditor(workbench)).toBe("");
    expect(await badge(workbench, "Agent Teams")).toBe("");
    expect(existsSync(host.stateRoot)).toBe(false);
  });
});
