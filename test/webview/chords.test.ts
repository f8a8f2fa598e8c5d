import { expect, test } from "vitest";
import { teamMessages } from "./support/fixtures.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

test("the second key of a chord of VS Code's selects nothing and types nothing; a key alone does as ever", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  const { keyboard } = view.page;
  const selected = () => view.page.evaluate(() => getSelection()?.toString() ?? "");
  const chord = async (first: string, second: string) => {
    await keyboard.press(first);
    await keyboard.press(second);
  };
  await view.page.locator(".mem-row").first().focus();
  // what holds chords back comes after the first picture
  await expect
    .poll(async () => {
      await view.page.evaluate(() => getSelection()?.removeAllRanges());
      await chord("Control+K", "Control+A");
      return selected();
    })
    .toBe("");
  await keyboard.press("Control+A");
  expect(await selected()).toContain("team-lead");

  const field = view.page.getByRole("textbox", { name: "Message to team-lead" });
  await field.fill("draft");
  await field.focus();
  await keyboard.press("End");
  await chord("Control+K", "Control+A");
  await keyboard.type("s");
  await chord("Control+K", "w");
  expect(await field.inputValue()).toBe("drafts");
  await keyboard.press("Control+A");
  await keyboard.type("k");
  expect(await field.inputValue()).toBe("k");
});
