import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../../scripts/project.ts";
import { teamMessages } from "./fixtures.ts";
import { lead } from "./memberFixtures.ts";
import type { Screen } from "./screens.ts";

const quiet = { attention: [], unread: 0 };
const icon = readFileSync(path.join(projectRoot, "media/icon.png")).toString("base64");

/** States of the composer: what can be referred to, and a draft with images that was not taken. */
export const COMPOSER_SCREENS: readonly Screen[] = [
  {
    name: "composer-mentions",
    messages: teamMessages(quiet),
    async act({ page, send }) {
      await page.getByRole("textbox", { name: `Message to ${lead.name}` }).focus();
      await page.keyboard.type("为什么 @");
      await page.waitForTimeout(0);
      await send({
        type: "files",
        typed: "",
        selection: "@services/payments/src/client/retry.ts:42-49",
        files: [
          "services/payments/src/client/retry.ts",
          "services/payments/src/client/a-name-that-is-much-longer-than-the-side-bar-is-wide.test.ts",
          "docs/说明.md",
          "README.md",
        ],
      });
    },
  },
  {
    name: "composer-images",
    messages: teamMessages(quiet),
    async act({ page, send }) {
      await page.getByRole("textbox", { name: `Message to ${lead.name}` }).fill("This is what the page shows.");
      for (const name of ["Screenshot 2026-11-28 of the checkout page, still processing.png", "截图.png"]) {
        await page.locator(".cmp textarea").evaluate(
          (element, [data, file]) => {
            const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
            const clipboard = new DataTransfer();
            clipboard.items.add(new File([bytes], file, { type: "image/png" }));
            const paste = { clipboardData: clipboard, bubbles: true, cancelable: true };
            element.dispatchEvent(new ClipboardEvent("paste", paste));
          },
          [icon, name] as const,
        );
        await page.locator(".cmp-image-name", { hasText: name }).waitFor();
      }
      await page.getByRole("button", { name: "Send (Enter)" }).click();
      const intent = await page.evaluate(() => {
        const { posted } = window as unknown as { posted: { intent?: string }[] };
        return posted.at(-1)?.intent ?? "";
      });
      const error = "team-lead runs another program and cannot be shown images: send the text alone.";
      await send({ type: "done", intent, error });
    },
  },
];
