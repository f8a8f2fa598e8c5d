import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../../scripts/host/chromium.ts";

/** Starts a headless browser with a profile of its own, which finds no host but this one. @throws Error when no Chromium is on PATH. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("chromium is not on PATH: install it, or name it in $CHROMIUM.");
  const args = ["--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync"];
  const still = ["--disable-background-networking", "--disable-component-update"];
  const closed = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1";
  return chromium.launch({ executablePath, headless: true, args: [...args, ...still, closed, "--no-sandbox"] });
}
