import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { stateMessage, teamMessages } from "./support/fixtures.ts";
import { members } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { answerRequest } from "./support/requestFixtures.ts";
import { focused, settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

async function openTeam(): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  return view;
}
const field = (view: View, name = "team-lead") => view.page.getByRole("textbox", { name: `Message to ${name}` });
const offers = (view: View) => view.page.locator(".cmp-mention");
/** The host's answer to what is typed behind @. */
const found = (view: View, typed: string, files: string[], selection: string | null = null) =>
  view.send({ type: "files", typed, files, selection });
const asked = async (view: View) =>
  (await view.actions()).flatMap((intent) => (intent.type === "findFiles" ? [intent.typed] : []));
const PNG = readFileSync(path.join(projectRoot, "media/icon.png")).toString("base64");

/** Pastes an image as a browser does. `size`: pixels of its sides; without it the icon of the extension. */
async function paste(view: View, name: string, type: string, size?: number): Promise<void> {
  await field(view).evaluate(
    async (element, [data, name, type, size]) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      let blob = new Blob([bytes], { type });
      if (size) {
        const canvas = new OffscreenCanvas(size, size);
        canvas.getContext("2d")?.fillRect(0, 0, size, size / 2);
        blob = await canvas.convertToBlob({ type: "image/png" });
      }
      const clipboard = new DataTransfer();
      clipboard.items.add(new File([blob], name, { type }));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));
    },
    [PNG, name, type, size] as const,
  );
}
const chips = (view: View) => view.page.locator(".cmp-image-name");

describe("a reference to a file", () => {
  test("is looked for while it is typed, chosen by key, and put in; the focus stays in the text", async () => {
    const view = await openTeam();
    const { page } = view;
    await field(view).focus();
    await page.keyboard.type("Look at @ret");
    await expect.poll(() => asked(view)).toContain("ret");
    await found(view, "ret", ["src/client/retry.ts", "docs/my return.md"]);
    expect(await offers(view).allInnerTexts()).toEqual([
      expect.stringMatching(/^retry\.ts\s+src\/client$/),
      expect.stringMatching(/^my return\.md\s+docs$/),
    ]);
    await expect.poll(() => page.getByRole("status").textContent()).toContain("2 to refer to");
    await page.keyboard.press("ArrowDown");
    const active = await field(view).getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await page.keyboard.press("f"); // in the same moment: the caret is where it belongs
    await page.keyboard.press("Backspace");
    expect(await field(view).inputValue()).toBe('Look at @"docs/my return.md" ');
    expect(await offers(view).count()).toBe(0);
    expect(await focused(view)).toBe("Message to team-lead");
    await page.keyboard.type("first.");
    await page.keyboard.press("Enter");
    await expect
      .poll(async () => (await view.actions()).at(-1))
      .toMatchObject({ type: "send", text: 'Look at @"docs/my return.md" first.' });
  });

  test("begins by its button, is chosen by mouse, and Esc leaves the text as it is", async () => {
    const view = await openTeam();
    await field(view).fill("See");
    await view.page.getByRole("button", { name: "Refer to a File (@)" }).click();
    await expect.poll(() => field(view).inputValue()).toBe("See @");
    await expect.poll(() => asked(view)).toEqual([""]);
    await found(view, "", ["README.md"]);
    await view.page.keyboard.press("Escape");
    expect(await offers(view).count()).toBe(0);
    expect(await field(view).inputValue()).toBe("See @");
    await view.page.keyboard.type("re");
    await expect.poll(async () => (await asked(view)).at(-1)).toBe("re");
    await found(view, "re", ["README.md"]);
    expect(await offers(view).count()).toBe(0); // closed for this one
    await view.page.keyboard.press("Backspace");
    await view.page.keyboard.press("Backspace");
    await view.page.keyboard.press("Backspace");
    await view.page.keyboard.type("@R");
    await expect.poll(async () => (await asked(view)).at(-1)).toBe("R");
    await found(view, "R", ["README.md"]);
    await offers(view).first().click();
    expect(await field(view).inputValue()).toBe("See @README.md ");
  });

  test("an answer to what is not typed any more is not shown, and an address is no reference", async () => {
    const view = await openTeam();
    await field(view).focus();
    await view.page.keyboard.type("me@example.com ");
    expect(await asked(view)).toEqual([]);
    await view.page.keyboard.type("@ab");
    await expect.poll(async () => (await asked(view)).at(-1)).toBe("ab"); // slow typing asks for less before
    await found(view, "a", ["a.ts"]);
    expect(await offers(view).count()).toBe(0);
  });
});

describe("the selection in the editor", () => {
  test("is offered first, and a command of the window puts it into the draft", async () => {
    const view = await openTeam();
    await field(view).focus();
    await view.page.keyboard.type("Why @");
    await expect.poll(() => asked(view)).toEqual([""]);
    await found(view, "", ["src/a.ts"], "@src/b.ts:3-9");
    expect(await offers(view).first().innerText()).toMatch(/^Selection\s+src\/b\.ts:3-9$/);
    await view.page.keyboard.press("Enter");
    await expect.poll(async () => (await view.actions()).at(-1)).toEqual({ type: "command", command: "sendSelection" });
    await view.send({ type: "reveal", what: { kind: "composer", insert: "@src/b.ts:3-9 " } });
    expect(await field(view).inputValue()).toBe("Why @src/b.ts:3-9 ");
    expect(await focused(view)).toBe("Message to team-lead");
  });

  test("that was sent before the team is on show is there when it comes", async () => {
    const view = await open();
    await view.send({ type: "reveal", what: { kind: "composer", insert: "@src/b.ts:3-9 " } });
    await view.send(...teamMessages({ attention: [] }));
    expect(await field(view).inputValue()).toBe("@src/b.ts:3-9 ");
  });
});

describe("images", () => {
  test("are pasted, named, left out again, and sent with the message or alone", async () => {
    const view = await openTeam();
    await paste(view, "shot.png", "image/png");
    await paste(view, "other.png", "image/png");
    await expect.poll(() => chips(view).allTextContents()).toEqual(["shot.png", "other.png"]);
    await view.page.getByRole("button", { name: "Leave Out other.png" }).click();
    await field(view).fill("What is wrong here?");
    await field(view).press("Enter");
    expect(await view.actions()).toMatchObject([
      { type: "send", to: "team-lead", text: "What is wrong here?", images: [PNG] },
    ]);
    expect(await chips(view).count()).toBe(0);
    await paste(view, "shot.png", "image/png");
    await expect.poll(() => chips(view).count()).toBe(1);
    await field(view).press("Enter");
    await expect
      .poll(async () => (await view.actions()).at(-1))
      .toMatchObject({ type: "send", text: "", images: [PNG] });
  });

  test("keep the order in which they came, and go with a message that is sent while they are read", async () => {
    const view = await openTeam();
    await paste(view, "large.png", "image/png", 3_000);
    await paste(view, "small.png", "image/png");
    await field(view).fill("Which one?");
    await field(view).press("Enter");
    await expect.poll(async () => (await view.actions()).length).toBe(1);
    const [sent] = await view.actions();
    expect(sent).toMatchObject({ type: "send", text: "Which one?", images: [expect.any(String), PNG] });
    expect(await chips(view).count()).toBe(0);
    expect(await field(view).inputValue()).toBe("");
  });

  test("that cannot be read, or are read when another team is on show, send nothing by themselves", async () => {
    const view = await openTeam();
    await field(view).evaluate(() => {
      const read = globalThis.createImageBitmap;
      const pressed = new Promise((resolve) => document.addEventListener("read-images", resolve, { once: true }));
      globalThis.createImageBitmap = async (image: ImageBitmapSource) => {
        await pressed;
        return read(image);
      };
    });
    await paste(view, "shot.png", "image/png");
    await field(view).fill("for this team");
    await field(view).press("Enter");
    await view.send(stateMessage({ team: "other", title: "other", attention: [] }));
    await field(view).fill("not for anybody yet");
    await field(view).evaluate(() => document.dispatchEvent(new Event("read-images")));
    await view.send(...teamMessages({ attention: [] }));
    await expect.poll(() => chips(view).allTextContents()).toEqual(["shot.png"]);
    expect(await field(view).inputValue()).toBe("for this team");
    await field(view).evaluate((element) => {
      const clipboard = new DataTransfer();
      clipboard.items.add(new File(["no image"], "notes.png", { type: "image/png" }));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    });
    await view.page.locator(".cmp-error").waitFor();
    expect(await view.actions()).toEqual([]);
    expect(await field(view).inputValue()).toBe("for this team");
  });

  test("that are large are made smaller; what is none is refused in words; five is the most", async () => {
    const view = await openTeam();
    await paste(view, "large.png", "image/png", 3_000);
    await expect.poll(() => chips(view).count()).toBe(1);
    await field(view).press("Enter");
    const [sent] = await view.actions();
    const png = Buffer.from((sent?.type === "send" && sent.images?.[0]) || "", "base64");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_568, 1_568]);
    await field(view).evaluate((element) => {
      const clipboard = new DataTransfer();
      clipboard.items.add(new File(["no image"], "notes.png", { type: "image/png" }));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));
    });
    await expect
      .poll(() => view.page.locator(".cmp-error").textContent())
      .toBe("notes.png is no image that can be sent: PNG, JPEG, GIF and WebP can.");
    for (let at = 0; at < 6; at += 1) await paste(view, `${at}.png`, "image/png");
    await expect.poll(() => view.page.locator(".cmp-error").textContent()).toContain("A message takes 5 images.");
    expect(await chips(view).count()).toBe(5);
    await view.page.getByRole("combobox", { name: "Recipient" }).selectOption("docs");
    expect(await view.page.locator(".cmp-error").count()).toBe(0); // it is not about this draft
    await view.page.getByRole("combobox", { name: "Recipient" }).selectOption("team-lead");
    await field(view).fill("Five are enough.");
    expect(await view.page.locator(".cmp-error").count()).toBe(0);
  });

  test("stay with the member's draft over a reload, and come back when the message was not taken", async () => {
    const view = await openTeam();
    await paste(view, "shot.png", "image/png");
    await expect.poll(() => chips(view).count()).toBe(1);
    await field(view).fill("Look");
    await view.reload();
    await view.send(...teamMessages({ attention: [] }));
    expect(await chips(view).allTextContents()).toEqual(["shot.png"]);
    await view.page.getByRole("combobox", { name: "Recipient" }).selectOption("docs");
    expect(await chips(view).count()).toBe(0);
    await view.page.getByRole("combobox", { name: "Recipient" }).selectOption("team-lead");
    await field(view).press("Enter");
    const sent = (await view.actions()).at(-1);
    const intent = sent && "intent" in sent ? sent.intent : "";
    const error = "team-lead runs another program and cannot be shown images: send the text alone.";
    await view.send({ type: "done", intent, error });
    expect(await view.page.locator(".cmp-error").textContent()).toBe(error);
    expect(await chips(view).allTextContents()).toEqual(["shot.png"]);
    expect(await field(view).inputValue()).toBe("Look");
  });
});

describe("a message that was not taken", () => {
  const sentIntents = async (view: View) =>
    (await view.actions()).flatMap((intent) => (intent.type === "send" ? [intent.intent] : []));
  const problem = (view: View) => view.page.locator(".cmp-error");

  test("comes back whatever was sent after it, into the draft that it was, with its sentence there alone", async () => {
    const view = await openTeam();
    for (const text of ["first", "second"]) {
      await field(view).fill(text);
      await field(view).press("Enter");
    }
    await view.page.getByRole("combobox", { name: "Recipient" }).selectOption("docs");
    await field(view, "docs").fill("for docs");
    const [first = "", second = ""] = await sentIntents(view);
    await view.send({ type: "done", intent: first, error: "The disk is full." });
    await view.send({ type: "done", intent: second, error: null });
    expect(await field(view, "docs").inputValue()).toBe("for docs");
    expect(await problem(view).count()).toBe(0);
    await expect.poll(() => view.page.getByRole("status").textContent()).toContain("The disk is full.");
    await view.page.getByRole("combobox", { name: "Recipient" }).selectOption("team-lead");
    expect(await field(view).inputValue()).toBe("first");
    expect(await problem(view).textContent()).toBe("The disk is full.");
  });

  test("has its sentence until the person changes the draft, in whichever way", async () => {
    const view = await openTeam();
    const recipient = view.page.getByRole("combobox", { name: "Recipient" });
    const refused = async (text: string) => {
      await field(view).fill(text);
      await field(view).press("Enter");
      await view.send({ type: "done", intent: (await sentIntents(view)).at(-1) ?? "", error: "The disk is full." });
      expect(await field(view).inputValue()).toBe(text);
      expect(await problem(view).textContent()).toBe("The disk is full.");
    };
    const changes: [string, () => Promise<unknown>][] = [
      ["typed", () => field(view).pressSequentially("!")],
      ["emptied", () => field(view).fill("")],
      ["a reference", () => view.page.getByRole("button", { name: "Refer to a File (@)" }).click()],
      ["put in", () => view.send({ type: "reveal", what: { kind: "composer", insert: "@src/b.ts:3-9 " } })],
      ["↓", () => field(view).press("ArrowDown")],
      ["an image", () => paste(view, "shot.png", "image/png")],
    ];
    for (const [how, change] of changes) {
      await refused(`before: ${how}`);
      await recipient.selectOption("docs");
      await field(view, "docs").fill(`for docs, ${how}`);
      await recipient.selectOption("team-lead");
      expect(await problem(view).textContent(), how).toBe("The disk is full.");
      await change();
      await expect.poll(() => problem(view).count(), { message: how }).toBe(0);
    }
  });

  test("is there to be sent again also where a button sent it", async () => {
    const view = await open();
    const failed = answerRequest({
      failure: "other",
      title: "team-lead could not go on",
      text: "The key was rejected.",
    });
    await view.send(...teamMessages({ attention: [failed] }));
    await settled(view);
    await view.page.getByRole("button", { name: "Try Again" }).click();
    const [intent = ""] = await sentIntents(view);
    await view.send({ type: "done", intent, error: "The disk is full." });
    expect(await field(view).inputValue()).toBe("Try again.");
    expect(await problem(view).textContent()).toBe("The disk is full.");
  });

  test("comes back also when both were refused at once, and too many images are not sent at all", async () => {
    const view = await openTeam();
    for (const text of ["first", "second"]) {
      for (let at = 0; at < 3; at += 1) await paste(view, `${text} ${at}.png`, "image/png");
      await expect.poll(() => chips(view).count()).toBe(3);
      await field(view).fill(text);
      await field(view).press("Enter");
    }
    const [first = "", second = ""] = await sentIntents(view);
    await view.send({ type: "done", intent: first, error: "No." }, { type: "done", intent: second, error: "No." });
    expect((await field(view).inputValue()).split("\n").sort()).toEqual(["first", "second"]);
    expect(await chips(view).count()).toBe(6);
    await field(view).press("Enter");
    expect(await sentIntents(view)).toHaveLength(2);
    expect(await problem(view).textContent()).toBe("A message takes 5 images: leave some out.");
    await view.page.getByRole("button", { name: "Leave Out second 0.png" }).click();
    expect(await problem(view).count()).toBe(0);
  });
});

test("the words for a member that left stay in the field, and wait for another recipient", async () => {
  const view = await openTeam();
  const { page } = view;
  const recipient = page.getByRole("combobox", { name: "Recipient" });
  const sentence = "backend has left: choose who gets this.";
  await field(view).fill("for the lead");
  await recipient.selectOption("backend");
  await field(view, "backend").focus();
  await page.keyboard.type("Take the ");
  const others = members.filter(({ name }) => name !== "backend");
  await view.send(stateMessage({ attention: [], members: others }));
  await page.keyboard.type("old keys out.");
  expect(await field(view, "backend").inputValue()).toBe("Take the old keys out.");
  expect(await page.locator(".cmp-error").textContent()).toBe(sentence);
  await expect.poll(() => page.getByRole("status").textContent()).toContain(sentence);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Send (Enter)" }).click();
  const sent = async () => (await view.actions()).filter(({ type }) => type === "send");
  expect(await sent()).toEqual([]);
  await view.reload();
  await view.send(stateMessage({ attention: [], members: others }));
  expect(await field(view, "backend").inputValue()).toBe("Take the old keys out.");
  await recipient.selectOption("docs");
  expect(await page.locator(".cmp-error").count()).toBe(0);
  expect(await field(view, "docs").inputValue()).toBe("Take the old keys out.");
  await field(view, "docs").press("Enter");
  await expect.poll(sent).toMatchObject([{ to: "docs", text: "Take the old keys out." }]);
  await recipient.selectOption("team-lead");
  expect(await field(view).inputValue()).toBe("for the lead");
});

test("in a text of several lines the arrows move the caret before they go through what was sent", async () => {
  const view = await openTeam();
  for (const text of ["one", "two\nlines"]) {
    await field(view).fill(text);
    await field(view).press("Enter");
  }
  const values: string[] = [];
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) {
    await field(view).press(key);
    values.push(await field(view).inputValue());
  }
  expect(values).toEqual(["two\nlines", "two\nlines", "one"]);
});

test("↑ goes back through what was sent, ↓ forth to the empty field", async () => {
  const view = await openTeam();
  for (const text of ["one", "two"]) {
    await field(view).fill(text);
    await field(view).press("Enter");
  }
  const after = async (key: string) => {
    await field(view).press(key);
    return field(view).inputValue();
  };
  expect(await after("ArrowUp")).toBe("two");
  expect(await after("ArrowUp")).toBe("one");
  expect(await after("ArrowUp")).toBe("one");
  expect(await after("ArrowDown")).toBe("two");
  expect(await after("ArrowDown")).toBe("");
});
