import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { stateMessage, teamMessages } from "./support/fixtures.ts";
import { members } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const PNG = readFileSync(path.join(projectRoot, "media/icon.png")).toString("base64");
const NO_IMAGE = Buffer.from("no image at all").toString("base64");
const LEFT = "backend has left: choose who gets this.";

const field = (view: View, name: string) => view.page.getByRole("textbox", { name: `Message to ${name}` });
const recipient = (view: View) => view.page.getByRole("combobox", { name: "Recipient" });
const chips = (view: View) => view.page.locator(".cmp-image-name").allTextContents();
const left = (view: View) => view.page.locator(".cmp-error", { hasText: LEFT });
const backendLeaves = (view: View) =>
  view.send(stateMessage({ attention: [], members: members.filter(({ name }) => name !== "backend") }));

/** Writes to backend; an image is pasted and read only once `read` is called. */
async function openReading(image = PNG): Promise<{ view: View; read: () => Promise<void> }> {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  await recipient(view).selectOption("backend");
  await field(view, "backend").evaluate((element, data) => {
    const read = globalThis.createImageBitmap;
    const wanted = new Promise((resolve) => document.addEventListener("read-images", resolve, { once: true }));
    globalThis.createImageBitmap = async (image: ImageBitmapSource) => {
      await wanted;
      return read(image);
    };
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const clipboard = new DataTransfer();
    clipboard.items.add(new File([bytes], "shot.png", { type: "image/png" }));
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));
  }, image);
  return { view, read: () => view.page.evaluate(() => void document.dispatchEvent(new Event("read-images"))) };
}

test("an image that is read after its recipient left waits in the field for another one", async () => {
  const { view, read } = await openReading();
  await backendLeaves(view);
  await left(view).waitFor();
  await read();
  await expect.poll(() => chips(view)).toEqual(["shot.png"]);
  expect(await field(view, "backend").count()).toBe(1);
  await recipient(view).selectOption("docs");
  expect(await chips(view)).toEqual(["shot.png"]);
});

test("an image that is read after another recipient was chosen is in that one's draft, and goes with its message", async () => {
  const { view, read } = await openReading();
  await field(view, "backend").fill("Like this?");
  await backendLeaves(view);
  await left(view).waitFor();
  await recipient(view).selectOption("docs");
  await field(view, "docs").press("Enter");
  await read();
  const sent = async () => (await view.actions()).filter(({ type }) => type === "send");
  await expect.poll(sent).toMatchObject([{ to: "docs", text: "Like this?", images: [PNG] }]);
  expect(await chips(view)).toEqual([]);
});

test("an image stays with a member that is still there when another one is chosen", async () => {
  const { view, read } = await openReading();
  await recipient(view).selectOption("docs");
  await read();
  await expect.poll(() => view.page.getByRole("status").textContent()).toContain("shot.png");
  expect(await chips(view)).toEqual([]);
  await recipient(view).selectOption("backend");
  expect(await chips(view)).toEqual(["shot.png"]);
});

test("an image that cannot be read holds up no message to another member", async () => {
  const { view, read } = await openReading(NO_IMAGE);
  await recipient(view).selectOption("docs");
  await field(view, "docs").fill("Only words");
  await field(view, "docs").press("Enter");
  const sent = async () => (await view.actions()).filter(({ type }) => type === "send");
  await expect.poll(sent).toMatchObject([{ to: "docs", text: "Only words" }]);
  await read();
  await recipient(view).selectOption("backend");
  await expect.poll(() => view.page.locator(".cmp-error").textContent()).toContain("shot.png is no image");
});

test("an image that cannot be read leaves nothing to give once its recipient has left", async () => {
  const { view, read } = await openReading(NO_IMAGE);
  await backendLeaves(view);
  await left(view).waitFor();
  await read();
  await expect.poll(() => left(view).count()).toBe(0);
  expect(await field(view, "team-lead").count()).toBe(1);
  expect(await view.page.locator(".cmp-error").textContent()).toContain("shot.png is no image");
});
