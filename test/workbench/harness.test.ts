import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { packFolder } from "../../scripts/package.ts";
import { eventually } from "../support/eventually.ts";
import type { Host } from "../support/host.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import {
  activeEditor,
  badge,
  openContainer,
  openFile,
  paletteOffers,
  reload,
  runCommand,
  screenshot,
  setTheme,
  terminalNames,
  terminalText,
  treeRow,
  typeInTerminal,
  type Workbench,
  webviewFrame,
} from "../support/workbench.ts";

/** A small extension of known behaviour shows that each helper of the harness sees what is there. */
describe("the harness of a real VS Code", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "muster-probe-"));
  let host: Host;
  let workbench: Workbench;

  const prepare = () => {
    cpSync(path.join(import.meta.dirname, "../fixtures/probe-extension"), folder, { recursive: true });
    const vsix = path.join(folder, "probe.vsix");
    expect(packFolder(folder, vsix)).toBe(true);
    return { vsix, ...SMALL_WORKSPACE };
  };

  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  useWindow(prepare, (opened) => {
    ({ host, workbench } = opened);
  });

  it("offers the commands of the extension in the palette", async () => {
    expect(await paletteOffers(workbench, "Probe: Set")).toEqual(["Probe: Set the Badge"]);
  });

  it("reads the badge of a container, without opening it", async () => {
    expect(await badge(workbench, "Probe Bar")).toBe("");
    await runCommand(workbench, "Probe: Set the Badge");
    await eventually("the badge", async () => (await badge(workbench, "Probe Bar")) === "3");
  });

  it("clicks and reads in a webview, whose extension has the state root of the test", async () => {
    await openContainer(workbench, "Probe Bar");
    const frame = await webviewFrame(workbench, "Probe Page");
    await workbench.watch.asPerson(() => frame.getByRole("button", { name: "Ask" }).click());
    await eventually("the answer", async () => (await frame.locator("output").innerText()) === host.stateRoot);
    await treeRow(workbench.page, "one").waitFor();
  });

  it("reads a terminal and types into it", async () => {
    expect(await terminalNames(workbench)).toEqual([]);
    await runCommand(workbench, "Probe: Open a Terminal");
    await eventually("the greeting", async () => (await terminalText(workbench)).includes("probe terminal"));
    await typeInTerminal(workbench, "ab");
    await eventually("the echo", async () => (await terminalText(workbench)).includes("<a><b>"));
    expect(await terminalNames(workbench)).toEqual(["probe"]);
  });

  it("opens a file of the workspace", async () => {
    await openFile(workbench, "notes.txt");
    expect(await activeEditor(workbench)).toBe("notes.txt");
  });

  it("tells a focus that nobody moved from one that a person moved", async () => {
    expect(workbench.watch.unaskedFocus()).toEqual([]);
    await runCommand(workbench, "Probe: Move the Focus Later");
    await eventually("a stolen focus", () => workbench.watch.unaskedFocus().length > 0);
  });

  it("remembers toasts, and has seen none before", async () => {
    expect(workbench.watch.toasts()).toEqual([]);
    await runCommand(workbench, "Probe: Show a Toast");
    await eventually("the toast", () => workbench.watch.toasts().length > 0);
    expect(workbench.watch.toasts()).toEqual([expect.stringContaining("probe says hello")]);
  });

  it("changes the theme", async () => {
    await setTheme(workbench, "Light High Contrast");
    await screenshot(workbench, "harness-light-high-contrast");
    await setTheme(workbench, "Dark Modern");
  });

  it("comes back from a reload", async () => {
    await reload(workbench);
    await webviewFrame(workbench, "Probe Page");
    await screenshot(workbench, "harness-reloaded");
  });
});
