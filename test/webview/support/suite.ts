import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { startBrowser } from "../../support/browser.ts";
import { openStage, type Stage, type View, type ViewOptions } from "./page.ts";

/**
 * One browser and one page for a file of tests. A view that a test opens must have raised no error, stopped at no content
 * security policy and asked for nothing from elsewhere.
 */
export function webviewSuite(): (options?: ViewOptions) => Promise<View> {
  let browser: Browser;
  let stage: Stage;
  let views: View[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
    stage = await openStage(browser, inject("builtWebview"));
  });
  afterEach(() => {
    const opened = views;
    views = [];
    expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
    expect(opened.flatMap(({ foreign }) => foreign)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (options) => {
    const view = await stage.open(options);
    views.push(view);
    return view;
  };
}

/** What has the focus: its test-relevant identity. */
export async function focused(view: View): Promise<string> {
  return view.page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return "nothing";
    const request = element.closest("[data-request]")?.getAttribute("data-request");
    if (element.classList.contains("req-head")) return `title ${request}`;
    if (element.getAttribute("role") === "tab") return `tab ${element.getAttribute("data-tab")}`;
    return element.getAttribute("aria-label") ?? element.textContent?.trim() ?? element.tagName;
  });
}

/** Waits until buttons of a request that has just come may be pressed. */
export async function settled(view: View): Promise<void> {
  await view.page.locator(".req-inert").waitFor({ state: "detached" });
}

/** The first item of the conversation that is seen below the tabs: its place there, and how far below them it begins. */
export async function firstSeenItem(view: View): Promise<[seq: number, offset: number]> {
  return view.page.evaluate(() => {
    const below = document.querySelector(".tabs")?.getBoundingClientRect().bottom ?? 0;
    const items = [...document.querySelectorAll<HTMLElement>(".conv > [data-seq]")];
    const item = items.find((one) => one.getBoundingClientRect().bottom > below);
    return [Number(item?.dataset["seq"]), Math.round((item?.getBoundingClientRect().top ?? 0) - below)];
  });
}
