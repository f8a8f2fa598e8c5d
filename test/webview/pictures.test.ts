import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Theme } from "./support/page.ts";
import { SCREENS, show } from "./support/screens.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const folder = path.resolve(import.meta.dirname, "../../artifacts/webview");
mkdirSync(folder, { recursive: true });

const PICTURES = [
  "team",
  "queue",
  "plan",
  "plan-comments",
  "alike",
  "edit",
  "edit-shared",
  "inboxes",
  "conversation",
  "activity",
  "no-team",
  "finished",
  "paused",
  "budget",
  "rule-fault",
  "decision-failed",
  "start-failed",
];
const themes: readonly Theme[] = ["dark", "light", "hc-dark"];

test.each(PICTURES)("pictures of %s", async (name) => {
  const screen = SCREENS.find((one) => one.name === name);
  if (!screen) throw new Error(`no screen ${name}`);
  const view = await open({ width: 420, height: 980 });
  await show(view, screen);
  for (const theme of themes) {
    await view.setTheme(theme);
    for (const width of [300, 420]) {
      await view.resize(width, 980);
      const picture = await view.page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}.png`) });
      expect(picture.length).toBeGreaterThan(5000);
    }
  }
});
