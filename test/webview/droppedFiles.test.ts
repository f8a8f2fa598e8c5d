import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const PNG = readFileSync(path.join(projectRoot, "media/icon.png")).toString("base64");
const NO_IMAGE = "notes.txt is no image that can be sent: PNG, JPEG, GIF and WebP can.";

async function openTeam(): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  return view;
}
const field = (view: View) => view.page.getByRole("textbox", { name: "Message to team-lead" });
const chips = (view: View) => view.page.locator(".cmp-image-name");
const problem = (view: View) => view.page.locator(".cmp-error");

interface Given {
  text?: string;
  /** Names of files: those that end in `.png` are images. */
  files?: string[];
}

/** Gives the field something as a browser does; tells which of the events the view took for itself. */
async function give(view: View, types: ("dragover" | "drop" | "paste")[], given: Given): Promise<boolean[]> {
  return field(view).evaluate(
    (element, [types, { text, files = [] }, png]) => {
      const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      if (text !== undefined) data.setData("text/plain", text);
      for (const name of files)
        data.items.add(
          name.endsWith(".png")
            ? new File([bytes], name, { type: "image/png" })
            : new File(["Some notes."], name, { type: "text/plain" }),
        );
      const how = { bubbles: true, cancelable: true };
      return types.map((type) => {
        const event =
          type === "paste"
            ? new ClipboardEvent(type, { ...how, clipboardData: data })
            : new DragEvent(type, { ...how, dataTransfer: data });
        element.dispatchEvent(event);
        return event.defaultPrevented;
      });
    },
    [types, given, PNG] as const,
  );
}

test("of files that are dropped the images are taken, and of another it is said that it is none", async () => {
  const view = await openTeam();
  expect(await give(view, ["dragover", "drop"], { files: ["notes.txt", "shot.png"] })).toEqual([true, true]);
  await expect.poll(() => chips(view).allTextContents()).toEqual(["shot.png"]);
  expect(await problem(view).textContent()).toBe(NO_IMAGE);
});

test("a text that is dropped comes where the pointer is, into what was typed", async () => {
  const view = await openTeam();
  await field(view).fill("Look here first");
  const box = await field(view).boundingBox();
  if (!box) throw new Error("no field");
  const devtools = await view.page.context().newCDPSession(view.page);
  try {
    const drag = {
      ...{ x: box.x + box.width - 20, y: box.y + box.height / 2 },
      data: { items: [{ mimeType: "text/plain", data: ", then src/b.ts" }], dragOperationsMask: 1 },
    };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await devtools.send("Input.dispatchDragEvent", { type, ...drag });
  } finally {
    await devtools.detach();
  }
  await expect.poll(() => field(view).inputValue()).toBe("Look here first, then src/b.ts");
  await field(view).press("Enter");
  expect(await view.actions()).toMatchObject([{ type: "send", text: "Look here first, then src/b.ts" }]);
  expect(await problem(view).count()).toBe(0);
});

test("a pasted file that is no image is told of, where there is no text to paste in its place", async () => {
  const view = await openTeam();
  expect(await give(view, ["paste"], { text: "notes.txt", files: ["notes.txt"] })).toEqual([false]);
  expect(await problem(view).count()).toBe(0);
  expect(await give(view, ["paste"], { files: ["notes.txt"] })).toEqual([true]);
  await expect.poll(() => problem(view).textContent()).toBe(NO_IMAGE);
});

test("a text that is pasted with a picture of itself stays a text; with no more than the file's name, it is the image", async () => {
  const view = await openTeam();
  expect(await give(view, ["paste"], { text: "Sum\t12\n", files: ["image.png"] })).toEqual([false]);
  expect(await chips(view).count()).toBe(0);
  expect(await give(view, ["paste"], { text: "/home/me/shot.png\n", files: ["shot.png"] })).toEqual([true]);
  await expect.poll(() => chips(view).allTextContents()).toEqual(["shot.png"]);
});
