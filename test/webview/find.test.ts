import { describe, expect, test } from "vitest";
import { finished, teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { focused, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const FIELD = "Find in the conversation";
const BUTTON = "Find in the conversation (Ctrl+F)";
const field = ({ page }: View) => page.getByRole("textbox", { name: FIELD });
const button = ({ page }: View) => page.getByRole("button", { name: BUTTON });
/** What is chosen of the text in the field that has the focus. */
const chosen = ({ page }: View) => page.evaluate(() => String(getSelection()));

describe("the field that finds in the conversation", () => {
  test.each([
    ["of a team that runs", teamMessages()],
    ["of a team that is only read", teamMessages({ readOnly: "Another program made this team. It can be read here." })],
    ["of a finished team", teamMessages({ attention: [], members: [], finished })],
  ])("%s is opened by a button that names its key, and leads back to it", async (_what, messages) => {
    const view = await open({ width: 300 });
    await view.send(...messages);
    expect(await button(view).getAttribute("title")).toBe(BUTTON);
    await button(view).click();
    expect(await focused(view)).toBe(FIELD);
    await view.page.keyboard.press("Escape");
    expect(await field(view).count()).toBe(0);
    expect(await focused(view)).toBe(BUTTON);
  });

  test("is opened by the command from every tab, and what was typed is chosen when it is asked for again", async () => {
    const view = await open();
    await view.send(...teamMessages());
    await view.page.getByRole("tab", { name: /^Tasks/ }).click();
    await view.send({ type: "reveal", what: { kind: "find" } });
    await field(view).waitFor();
    expect(await focused(view)).toBe(FIELD);
    await view.page.keyboard.type("retry");
    expect((await view.posted()).at(-1)).toEqual({ type: "find", text: "retry" });
    for (const again of [
      () => view.send({ type: "reveal", what: { kind: "find" } }),
      () => view.page.keyboard.press("Control+f"),
    ]) {
      await view.page.getByRole("tab", { name: /^Conversation/ }).focus();
      await again();
      expect(await focused(view)).toBe(FIELD);
      expect(await chosen(view)).toBe("retry");
    }
  });
});
