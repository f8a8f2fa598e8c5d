import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Frame, Locator, Page } from "playwright-core";
import { projectRoot } from "../../scripts/project.ts";
import { eventually, PATIENCE_MS } from "./eventually.ts";
import type { Host } from "./host.ts";
import { type Watch, watchPage } from "./watch.ts";

/** A window of the served VS Code, as a person has it before them. */
export interface Workbench {
  page: Page;
  host: Host;
  /** Toasts, and what had the focus when; see watch.ts. */
  watch: Watch;
  close(): Promise<void>;
}

export type Theme = "Dark Modern" | "Light Modern" | "Dark High Contrast" | "Light High Contrast";

/** Theme → the class of a window that shows it. */
const THEME_CLASSES: Record<Theme, string> = {
  "Dark Modern": "vscode-theme-defaults-themes-dark_modern-json",
  "Light Modern": "vscode-theme-defaults-themes-light_modern-json",
  "Dark High Contrast": "vscode-theme-defaults-themes-hc_black-json",
  "Light High Contrast": "vscode-theme-defaults-themes-hc_light-json",
};

/**
 * Opens a window on the workspace (or another folder) and waits until the workbench and its extensions are there;
 * `profile`: with what an earlier window of that browser profile kept.
 */
export async function openWorkbench(
  browser: Browser,
  host: Host,
  options: { folder?: string; width?: number; height?: number; profile?: BrowserContext } = {},
): Promise<Workbench> {
  const { width = 1280, height = 800, profile } = options;
  const context = profile ?? (await browser.newContext({ viewport: { width, height } }));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const watch = await watchPage(page);
  await watch.asPerson(async () => {
    await page.goto(host.url(options.folder));
    await workbenchReady(page);
  });
  return { page, host, watch, close: () => context.close() };
}

async function workbenchReady(page: Page): Promise<void> {
  // The theme is an extension's: once its class is there, the server has told which extensions there are.
  await page.locator('.monaco-workbench[class*="vscode-theme-"]').waitFor({ timeout: 60_000 });
  await page.locator(".statusbar-item#status\\.host").waitFor({ timeout: 60_000 });
}

/** Reloads the window by *Developer: Reload Window*, which lets everything be kept first, and waits until it is back. */
export async function reload(workbench: Workbench): Promise<void> {
  const { page, watch } = workbench;
  await watch.asPerson(async () => {
    const loaded = page.waitForEvent("load", { timeout: 60_000 });
    await runCommand(workbench, "Developer: Reload Window");
    await loaded;
    await workbenchReady(page);
  });
}

/** Loads the page anew, as a person does whose window has broken, and waits until it is back. */
export async function reopen({ page, host, watch }: Workbench, folder?: string): Promise<void> {
  await watch.asPerson(async () => {
    await page.goto(host.url(folder));
    await workbenchReady(page);
  });
}

/** Ends the window's page as a crash does: it tells nobody, and its extension host waits for it. */
export async function crash({ page }: Workbench): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const devTools = await page.context().newCDPSession(page);
  devTools.send("Page.crash").catch(() => {}); // nobody is left to answer
  await crashed;
}

/** Runs a command by its full title from the command palette: `Agent Teams: Run the Demo Team`. */
export async function runCommand(workbench: Workbench, title: string): Promise<void> {
  const { page, watch } = workbench;
  await watch.asPerson(async () => {
    let patience = 400;
    await eventually(`the command "${title}" in the palette`, async () => {
      patience = Math.min(2 * patience, 3_200);
      await openQuickInput(page, "F1", `>${title}`);
      // A list that is open does not learn of commands that come later, so a row that is not there is looked for again.
      const row = quickPickRow(page, title);
      if ((await appears(row, patience)) && (await isPicked(workbench, row))) return true;
      await page.keyboard.press("Escape");
      return false;
    });
    if (title.endsWith("…")) await page.locator(QUESTION).or(page.locator(ANSWER)).first().waitFor();
  });
}

/**
 * What a command with an ellipsis asks, in a quick input (which has a title, unlike the palette) or a dialog, or tells. It
 * takes the focus, on a busy machine late: it came from the person all the same.
 */
const QUESTION = ".quick-input-title:visible:not(:empty)";
const ANSWER = ".monaco-dialog-box, .notification-toast";

/** Opens a file of the workspace by its name, as *Go to File…* does. */
export async function openFile(workbench: Workbench, name: string): Promise<void> {
  const { page, watch } = workbench;
  await watch.asPerson(async () => {
    await eventually(`${name} among the files`, async () => {
      await openQuickInput(page, "Control+P", name);
      return isPicked(workbench, quickPickRow(page, name));
    });
    await eventually(`${name} in the editor`, async () => (await frontTab(page)) === name);
  });
}

/** Titles with `typed` in them that the command palette offers, best first. */
export async function paletteOffers({ page, watch }: Workbench, typed: string): Promise<string[]> {
  return watch.asPerson(async () => {
    await openQuickInput(page, "F1", `>${typed}`);
    let before = "";
    const names = await eventually("a list that has settled", async () => {
      await page.waitForTimeout(300);
      const rows = await page.locator(".quick-input-list .monaco-list-row .label-name").allInnerTexts();
      const same = rows.join("\n") === before;
      before = rows.join("\n");
      return same && rows.map(plainSpaces);
    });
    await page.keyboard.press("Escape");
    return names.filter((name) => name.includes(typed));
  });
}

/** Opens Muster's walkthrough, and gives its steps. */
export async function openWalkthrough(workbench: Workbench): Promise<Locator> {
  const { page, watch } = workbench;
  await runCommand(workbench, "Welcome: Open Walkthrough...");
  await watch.asPerson(async () => {
    await quickInput(page).fill("Agent Teams");
    await quickPickRow(page, "Get Started with Agent Teams").waitFor();
    await page.keyboard.press("Enter"); // what a mouse hovers there has a tip above it
  });
  const steps = page.locator(".gettingStartedContainer .getting-started-step");
  await steps.first().waitFor();
  return steps;
}

/** Answers the input box whose title begins so. */
export async function answerInput({ page, watch }: Workbench, title: string, text: string): Promise<void> {
  await watch.asPerson(async () => {
    await page.locator(".quick-input-title", { hasText: new RegExp(`^${title}`) }).waitFor();
    await quickInput(page).fill(text);
    await page.keyboard.press("Enter");
  });
}

/**
 * Presses a key that opens a quick input, and types. A webview that is just loading swallows keys, and what just opened (a
 * terminal) may take the focus away, which closes the input: then again.
 */
async function openQuickInput(page: Page, key: string, text: string): Promise<void> {
  await eventually(`a quick input after ${key}`, async () => {
    await page.keyboard.press(key);
    if (!(await appears(quickInput(page), 1500))) return false;
    return isDone(quickInput(page).fill(text, { timeout: 3000 }));
  });
}

/** Whether it is on show within `timeout` milliseconds. */
async function appears(locator: Locator, timeout: number): Promise<boolean> {
  return isDone(locator.waitFor({ timeout }));
}

/**
 * Whether a click picks a row of a quick pick, which may close before. On a busy machine one that did may come to its end
 * too late all the same: what is run must not be run again for that.
 */
async function isPicked({ watch }: Workbench, row: Locator): Promise<boolean> {
  const before = watch.picks();
  return (await isDone(row.click({ timeout: 5000 }))) || watch.picks() > before;
}

/** Whether an action came to its end: what just opened may take the focus away, which closes what was to be acted on. */
export async function isDone(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  );
}

/** The row of the open quick pick that has exactly this label; a row's name is its label, details and keys. */
export function quickPickRow(page: Page, label: string): Locator {
  const quoted = JSON.stringify(label);
  const prefix = JSON.stringify(`${label}, `);
  return page.locator(`.quick-input-list .monaco-list-row:is([aria-label=${quoted}], [aria-label^=${prefix}])`).first();
}

/** The field of the open quick pick or input box. */
export function quickInput(page: Page): Locator {
  return page.locator(".quick-input-widget input.input");
}

/** Shows a view container by the name of its icon in the activity bar. */
export async function openContainer({ page, watch }: Workbench, name: string): Promise<void> {
  await watch.asPerson(() => containerIcon(page, name).click());
}

/** Text of the badge on a view container's icon; empty when it has none. */
export async function badge({ page }: Workbench, container: string): Promise<string> {
  const content = containerIcon(page, container).locator(".badge-content");
  return (await content.count()) === 0 ? "" : content.innerText();
}

function containerIcon(page: Page, name: string): Locator {
  return page.locator(".activitybar .action-item", { has: page.locator(`a[aria-label^="${name}"]`) }).first();
}

/** A row of a native tree view, by a text that it holds. */
export function treeRow(page: Page, text: string): Locator {
  return page.locator(".pane-body .monaco-list-row", { hasText: text }).first();
}

/**
 * The frame with the document of a webview, by the document's title. Webviews are frames in frames, and a hidden or
 * reloaded one gets new ones: ask again after such a change.
 */
export async function webviewFrame({ page }: Workbench, title: string): Promise<Frame> {
  return eventually(`a webview "${title}"`, async () => {
    for (const frame of page.frames()) {
      if (frame.parentFrame() === null) continue;
      const found = await frame.title().catch(() => ""); // the frame went away
      if (found === title) return frame;
    }
    return undefined;
  });
}

/** Names of the open terminals, in the order of their tabs or, of a single one, its title. */
export async function terminalNames({ page }: Workbench): Promise<string[]> {
  const tabs = page.locator(".terminal-tabs-entry, .single-terminal-tab");
  return (await tabs.allInnerTexts()).map((name) => plainSpaces(name).trim());
}

/** Text of the terminal on show. Long lines wrap: match short words. */
export async function terminalText({ page }: Workbench): Promise<string> {
  return plainSpaces(await visibleTerminal(page).locator(".xterm-rows").innerText());
}

/** Clicks into the terminal on show and types; `where`: at this text, as a click chooses among tmux panes. */
export async function typeInTerminal({ page, watch }: Workbench, text: string, where?: string): Promise<void> {
  await watch.asPerson(async () => {
    const rows = visibleTerminal(page).locator(".xterm-rows");
    const place = where === undefined ? undefined : await rows.evaluate(placeOfText, where);
    if (place === null) throw new Error(`${where} is not in the terminal`);
    await (place ? page.mouse.click(place.x, place.y) : visibleTerminal(page).click());
    await page.keyboard.type(text);
  });
}

/**
 * Follows a link of the terminal on show: Ctrl and a click on the first place where `text` stands, until `led` says that
 * it has led there. A terminal looks for links under the mouse in its own time, and shows in no way that it has found one.
 */
export async function followTerminalLink(
  { page, watch }: Workbench,
  text: string,
  led: () => Promise<boolean>,
): Promise<void> {
  await watch.asPerson(() =>
    eventually(`where ${text} leads`, async () => {
      const place = await visibleTerminal(page).locator(".xterm-rows").evaluate(placeOfText, text);
      if (!place) return false;
      await page.mouse.move(place.x, place.y);
      await page.keyboard.down("Control");
      await page.mouse.click(place.x, place.y);
      await page.keyboard.up("Control");
      await page.waitForTimeout(300);
      return led();
    }),
  );
}

/** In the page: the middle of a text in one row of a terminal. */
function placeOfText(rows: Element, text: string): { x: number; y: number } | null {
  for (const row of rows.children) {
    const start = (row.textContent ?? "").replaceAll("\u00a0", " ").indexOf(text);
    if (start < 0) continue;
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    for (let at = 0, node = walker.nextNode(); node; at += node.textContent?.length ?? 0, node = walker.nextNode()) {
      if (start >= at + (node.textContent?.length ?? 0)) continue;
      const range = document.createRange();
      range.setStart(node, start - at);
      range.setEnd(node, Math.min(start - at + text.length, node.textContent?.length ?? 0));
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
  }
  return null;
}

/** Every terminal keeps its DOM when it is hidden, so the visible one has to be picked. */
function visibleTerminal(page: Page): Locator {
  return page.locator(".terminal-wrapper .xterm:visible").last();
}

/** Name of the file or panel in front in the editor area; empty without one. */
export async function activeEditor({ page }: Workbench): Promise<string> {
  return frontTab(page);
}

async function frontTab(page: Page): Promise<string> {
  const tab = page.locator(".editor-group-container.active .tab.active .monaco-icon-label-container");
  return (await tab.count()) === 0 ? "" : plainSpaces((await tab.first().textContent()) ?? "");
}

/** Chooses a colour theme, as a person does, and waits until the window has it. */
export async function setTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const { page, watch } = workbench;
  await watch.asPerson(() =>
    eventually(`the theme ${theme}`, async () => {
      await runCommand(workbench, "Preferences: Color Theme");
      if (!(await isDone(quickInput(page).fill(theme, { timeout: 3000 })))) return false;
      return isDone(quickPickRow(page, theme).click({ timeout: 3000 }));
    }),
  );
  await page.locator(`.monaco-workbench.${THEME_CLASSES[theme]}`).waitFor();
}

/** Writes `artifacts/screenshots/NAME.png` and returns its path. */
export async function screenshot({ page }: Workbench, name: string): Promise<string> {
  const folder = path.join(projectRoot, "artifacts/screenshots");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  return file;
}

/** VS Code writes spaces of code and terminals as U+00A0. */
function plainSpaces(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
