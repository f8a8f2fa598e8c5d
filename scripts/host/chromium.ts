import { findProgram } from "../programs.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Path of a browser that Playwright can drive: `$CHROMIUM`, or what is on PATH; undefined when there is none. */
export function findChromium(): string | undefined {
  return findHeadlessShell() ?? NAMES.map((name) => findProgram(name)).find(Boolean);
}

/** Chromium without what windows need, which takes a seventh less of the processor; `$CHROMIUM` stands for it. */
export function findHeadlessShell(): string | undefined {
  return process.env["CHROMIUM"] || findProgram("chromium-headless-shell");
}
