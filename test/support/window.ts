import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startBrowser } from "./browser.ts";
import { keepEvidence } from "./evidence.ts";
import { type Host, type HostOptions, startHost } from "./host.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

/** A window with its own host, profile and browser. */
export interface OpenedWindow {
  host: Host;
  workbench: Workbench;
}

/** A workspace with one file. */
export const SMALL_WORKSPACE: HostOptions = { files: { "notes.txt": "a note\n" } };

/**
 * Opens a window before the first test of a `describe` and closes it after the last one; evidence of a failed test is
 * kept. `opened` hands it over.
 */
export function useWindow(
  options: HostOptions | (() => HostOptions | Promise<HostOptions>),
  opened: (window: OpenedWindow) => void | Promise<void>,
  size: { height?: number } = {},
): void {
  let host: Host | undefined;
  let browser: Browser | undefined;
  let workbench: Workbench | undefined;

  beforeAll(async () => {
    host = await startHost(typeof options === "function" ? await options() : options);
    browser = await startBrowser();
    workbench = await openWorkbench(browser, host, size);
    await opened({ host, workbench });
  });

  keepEvidence(() => workbench);

  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });
}
