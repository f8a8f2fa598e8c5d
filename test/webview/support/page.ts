import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as esbuild from "esbuild";
import type { Browser, Page } from "playwright-core";
import { bundles } from "../../../scripts/build/bundles.ts";
import { messageParts } from "../../../src/extension/panel/messageParts.ts";
import { panelHtml, type WebviewName } from "../../../src/extension/panel/panelHtml.ts";
import type { Intent } from "../../../src/protocol/intents.ts";
import { intentSchema } from "../../../src/protocol/intents.ts";
import type { HostMessage, MessagePart } from "../../../src/protocol/panelMessages.ts";
import { startPageServer } from "./pageServer.ts";

export const THEMES = ["dark", "light", "hc-dark", "hc-light"] as const;
export type Theme = (typeof THEMES)[number];

export interface ViewOptions {
  theme?: Theme;
  width?: number;
  height?: number;
  /** What `getState` gives at the start. */
  kept?: unknown;
  /** Which of the two views it is. */
  surface?: WebviewName;
  reducedMotion?: boolean;
  /** VS Code's display language. */
  language?: string;
}

/** The built webview in a page, with a stub of VS Code's API. */
export interface View {
  readonly page: Page;
  /** Sends a message as the extension host would, and waits until it is drawn. */
  send(...messages: (HostMessage | MessagePart)[]): Promise<void>;
  /** What the webview has posted once it is drawn; each is checked against the schema of intents. */
  posted(): Promise<Intent[]>;
  /** Intents other than those by which the view says what it shows. */
  actions(): Promise<Intent[]>;
  /** What the webview has kept with `setState`. */
  kept(): Promise<unknown>;
  /** Errors of the page: uncaught ones, and everything that its content security policy has stopped. */
  readonly faults: string[];
  /** Requests that left the page for another origin. */
  readonly foreign: string[];
  setTheme(theme: Theme): Promise<void>;
  /** Gives the view another size in pixels, and waits until it is drawn in it. */
  resize(width: number, height: number): Promise<void>;
  reload(): Promise<void>;
}

/** Builds the webview as `npm run build` does, into a folder of its own. */
export async function buildWebview(): Promise<{ folder: string; dispose(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "muster-webview-"));
  await esbuild.build({ ...bundles(false).webview, outdir: folder, metafile: false });
  return { folder, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A file of the built webview. */
function readBuilt(folder: string, name: string): Buffer | undefined {
  try {
    return readFileSync(path.join(folder, path.normalize(`/${name}`)));
  } catch {
    return undefined;
  }
}

const ROOT = path.resolve(import.meta.dirname, "../../..");
const ICONS = path.join(ROOT, "node_modules/@vscode/codicons/dist");
/** Files of the page that are not built: the themes that VS Code would set, and the icons. */
const FILES: Record<string, Buffer> = {
  "/themes.css": readFileSync(path.join(import.meta.dirname, "themes.css")),
  "/codicon.css": readFileSync(path.join(ICONS, "codicon.css")),
  "/codicon.ttf": readFileSync(path.join(ICONS, "codicon.ttf")),
};

/** A page that can show the webview again and again: a new page for every test would cost more than the tests. */
export interface Stage {
  /** Where the page is: `{origin}/`, and an empty one at `{origin}/nothing`. */
  readonly origin: string;
  /** Shows the webview anew, with nothing kept but what is given. A view that was opened before is gone. */
  open(options?: ViewOptions): Promise<View>;
  close(): Promise<void>;
}

/**
 * Opens a page in which the webview runs under the content security policy that the extension gives it. `folder`: the
 * built webview's; `keeps`: the browser may keep its files from one showing to the next, as tests want it; what is
 * measured begins without.
 */
export async function openStage(browser: Browser, folder: string, { keeps = true } = {}): Promise<Stage> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  let faults: string[] = [];
  let foreign: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  let html = "";
  const read = (file: string) => FILES[file] ?? readBuilt(folder, file);
  const { origin, close } = await startPageServer({ html: () => html, read, keeps });
  context.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) foreign.push(request.url());
  });
  await page.addInitScript(stubApi);
  return {
    origin,
    async open({
      theme = "dark",
      width = 420,
      height = 980,
      kept = null,
      reducedMotion = false,
      language = "en",
      surface = "team",
    } = {}) {
      await page.goto(`${origin}/nothing`);
      await page.evaluate((state) => {
        sessionStorage.clear();
        sessionStorage.setItem("kept", state);
      }, JSON.stringify(kept));
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ reducedMotion: reducedMotion ? "reduce" : "no-preference" });
      html = pageHtml(origin, theme, language, surface);
      faults = [];
      foreign = [];
      return showView(page, origin, { faults, foreign });
    },
    async close() {
      await context.close();
      await close();
    },
  };
}

async function showView(page: Page, origin: string, found: Pick<View, "faults" | "foreign">): Promise<View> {
  const ready = async () => {
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => (window as unknown as StubWindow).posted.length > 0);
  };
  await ready();
  const posted = async () => {
    await page.evaluate(deliver, []);
    return (await page.evaluate(() => (window as unknown as StubWindow).posted)).map((one) => intentSchema.parse(one));
  };
  const quiet = new Set<string>(["ready", "showTab", "selectMember", "listDeletedTasks", "openTask"]);
  return {
    page,
    ...found,
    posted,
    actions: async () => (await posted()).filter(({ type }) => !quiet.has(type)),
    kept: () => page.evaluate(() => JSON.parse(sessionStorage.getItem("kept") ?? "null")),
    send: (...messages) =>
      page.evaluate(
        deliver,
        messages.flatMap((one) => (one.type === "part" ? [one] : messageParts(one))),
      ),
    resize: async (width, height) => {
      await page.setViewportSize({ width, height });
      await page.waitForFunction((size) => innerWidth === size.width && innerHeight === size.height, { width, height });
      await page.evaluate(deliver, []); // the page is told of its size in a frame, and draws itself anew in the next
    },
    setTheme: (next) => page.evaluate(setTheme, [next, BODY_CLASSES[next]] as const),
    reload: ready,
  };
}

interface StubWindow {
  posted: unknown[];
}

/** VS Code's API in the page: what is posted is gathered, what is kept outlives a reload. */
function stubApi(): void {
  const posted: unknown[] = [];
  (window as unknown as StubWindow).posted = posted;
  let taken = false;
  Object.assign(window, {
    acquireVsCodeApi: () => {
      if (taken) throw new Error("acquireVsCodeApi was called twice");
      taken = true;
      return {
        postMessage: (message: unknown) => posted.push(structuredClone(message)),
        getState: () => JSON.parse(sessionStorage.getItem("kept") ?? "null") ?? undefined,
        setState: (state: unknown) => sessionStorage.setItem("kept", JSON.stringify(state)),
      };
    },
  });
}

/** Hands messages over and waits for two frames, and for what is done after a frame. */
async function deliver(messages: unknown[]): Promise<void> {
  for (const message of messages) window.postMessage(message, "*");
  await new Promise((done) => setTimeout(done, 0));
  for (let frame = 0; frame < 2; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  await new Promise((done) => setTimeout(done, 0));
}

const BODY_CLASSES: Record<Theme, string> = {
  dark: "vscode-dark",
  light: "vscode-light",
  "hc-dark": "vscode-high-contrast",
  "hc-light": "vscode-high-contrast vscode-high-contrast-light",
};

/** Runs in the page: another theme, as VS Code sets it. */
function setTheme([theme, classes]: readonly [Theme, string]): void {
  document.documentElement.className = `theme-${theme}`;
  document.body.className = classes;
}

/** The document that the extension gives the webview, with what VS Code adds to it: a theme. */
function pageHtml(origin: string, theme: Theme, language: string, view: WebviewName): string {
  const html = panelHtml({
    ...{ view, source: origin, nonce: "test", language },
    ...{ script: "/main.js", styles: "/styles.css", icons: "/codicon.css" },
  });
  return html
    .replace("<html ", `<html class="theme-${theme}" `)
    .replace("<body>", `<body class="${BODY_CLASSES[theme]}">`)
    .replace('<link rel="stylesheet"', '<link rel="stylesheet" href="/themes.css"><link rel="stylesheet"');
}
