import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import type { Host } from "../support/host.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import {
  activeEditor,
  badge,
  openContainer,
  paletteOffers,
  runCommand,
  screenshot,
  terminalNames,
  type Workbench,
  webviewFrame,
} from "../support/workbench.ts";

describe("the packaged extension in a fresh profile", () => {
  let host: Host;
  let workbench: Workbench;

  useWindow(SMALL_WORKSPACE, (opened) => {
    ({ host, workbench } = opened);
  });

  it("offers its commands once it is there", async () => {
    const offers = await eventually("the commands of an active extension", async () => {
      const found = await paletteOffers(workbench, "Agent Teams:");
      const wanted = ["Agent Teams: Set API Key…", "Agent Teams: Run the Demo Team"];
      return wanted.every((name) => found.includes(name)) && found;
    });
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

  it("shows the same again where VS Code loads the document anew and never hid the view", async () => {
    const before = await webviewFrame(workbench, "Team");
    await before.evaluate(() => document.body.setAttribute("data-before", ""));
    await runCommand(workbench, "Developer: Reload Webviews");
    await eventually("the view in a new document", async () => {
      const button = (await webviewFrame(workbench, "Team")).locator("body:not([data-before]) button");
      return (await button.allInnerTexts()).includes("Run the Demo Team");
    });
  });

  it("has raised no toast, opened nothing, moved no focus, and written nothing", async () => {
    expect(workbench.watch.toasts()).toEqual([]);
    expect(workbench.watch.unaskedFocus()).toEqual([]);
    expect(await terminalNames(workbench)).toEqual([]);
    expect(await activeEditor(workbench)).toBe("");
    expect(await badge(workbench, "Agent Teams")).toBe("");
    expect(existsSync(host.stateRoot)).toBe(false);
  });

  it("runs its doctor from the palette: what it found is a text, and it changes nothing", async () => {
    await runCommand(workbench, "Agent Teams: Run Doctor");
    await eventually("the text", async () => (await activeEditor(workbench)) === "doctor.txt");
    const lines = workbench.page.locator(".editor-instance .view-lines").first();
    await eventually("what it found", async () => /0 files checked in/.test(await lines.innerText().then(plain)));
    expect(existsSync(host.stateRoot)).toBe(false);
  });

  it("says that no team runs elsewhere as what it is, no error", async () => {
    await runCommand(workbench, "Agent Teams: Attach to a Running Team…");
    const notice = workbench.page.locator(".notification-toast", { hasText: "No team runs elsewhere in" });
    await notice.locator(".codicon-info").waitFor();
    expect(await notice.locator(".codicon-error").count()).toBe(0);
  });

  it("says in the pick that there is no team to open", async () => {
    await runCommand(workbench, "Agent Teams: Open Team…");
    const row = workbench.page.locator(".quick-input-list .monaco-list-row");
    await row.filter({ hasText: `There is no team in ${host.stateRoot}` }).waitFor();
    expect(await row.count()).toBe(1);
    await workbench.watch.asPerson(() => row.click());
    expect(existsSync(host.stateRoot)).toBe(false);
  });
});

/** Monaco draws blanks as no-break spaces. */
const plain = (text: string) => text.replaceAll("\u00a0", " ");
