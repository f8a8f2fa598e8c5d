import { expect, test } from "vitest";
import { teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

async function openTeam(): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  return view;
}
const field = (view: View) => view.page.getByRole("textbox", { name: "Message to team-lead" });
const asked = async (view: View) =>
  (await view.actions()).flatMap((intent) => (intent.type === "findFiles" ? [intent.typed] : []));

test.each(["请看", "你好，", "（", "“", "ソースは"])(
  "files are looked for right behind %s, where no blank is usual, and the text goes on behind the reference",
  async (before) => {
    const view = await openTeam();
    await field(view).focus();
    await view.page.keyboard.insertText(`${before}@src`);
    await expect.poll(() => asked(view)).toEqual(["src"]);
    await view.send({ type: "files", typed: "src", files: ["src/a.ts"], selection: null });
    await view.page.keyboard.press("Enter");
    expect(await field(view).inputValue()).toBe(`${before}@src/a.ts `);
  },
);

test.each(["me", "josé", "x.y", "node_modules/"])("behind %s an @ is no reference", async (before) => {
  const view = await openTeam();
  await field(view).focus();
  await view.page.keyboard.insertText(`${before}@src`);
  await view.page.waitForTimeout(300);
  expect(await asked(view)).toEqual([]);
});

test.each([
  ["   indented code", "   indented code"],
  [" \n\n\tfirst\n  second \n\n", "\tfirst\n  second"],
])("%j is sent with its indents, and without empty lines around it", async (typed, sent) => {
  const view = await openTeam();
  await field(view).fill(typed);
  await field(view).press("Enter");
  expect(await view.actions()).toMatchObject([{ type: "send", text: sent }]);
  await field(view).fill(" \n ");
  await field(view).press("Enter");
  expect(await view.actions()).toHaveLength(1);
});
