import { expect, test } from "vitest";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import { stateMessage, teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { alikeRequests, commandRequest, editRequest, planRequest } from "./support/requestFixtures.ts";
import { focused, settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

async function openQueue(attention: AttentionItem[]): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention }));
  await settled(view);
  return view;
}
const button = (view: View, name: string) => view.page.getByRole("button", { name, exact: true });
const titles = (view: View) => view.page.locator(".req-title").allTextContents();
const decided = async (view: View) =>
  (await view.actions()).flatMap((intent) => (intent.type === "decide" ? [[intent.request, intent.decision]] : []));

test("requests that one rule would cover are one row, which shows what each will do and allows all of them", async () => {
  const said = ["I test payments.", null, "I test the web."];
  const three = alikeRequests(3).map((item, index) => ({ ...item, said: said[index] ?? null }));
  const view = await openQueue([...three, planRequest()]);
  const words = await view.page.locator(".req-open .req-said").allTextContents();
  expect(words.map((text) => text.trim())).toEqual(["I test payments.", "I test the web."]);
  expect(await titles(view)).toEqual(["Run npm test ×3", "Plan: check ledger invariants under retry"]);
  const shown = await view.page.locator(".req-open .cmd").allTextContents();
  expect(shown.map((text) => /npm test -w \S+/.exec(text)?.[0])).toEqual([
    "npm test -w services/payments",
    "npm test -w services/ledger",
    "npm test -w web",
  ]);
  expect(await view.page.locator(".req-rule").textContent()).toContain("Bash(npm test:*)");
  await expect.poll(() => button(view, "Allow All 3").getAttribute("aria-disabled")).toBe("false");
  await button(view, "Allow All 3").click();
  const once = { kind: "allow", scope: "once" };
  expect(await decided(view)).toEqual([
    ["alike-1", once],
    ["alike-2", once],
    ["alike-3", once],
  ]);
  expect(await focused(view)).toBe("title plan-1");
  await expect.poll(() => view.page.getByRole("status").textContent()).toBe("Allowed once: Run npm test ×3. 1 left.");
});

test("many titles are not all in the heading, nor said: the open row shows each", async () => {
  const files = Array.from({ length: 20 }, (_, index) => `some-component-${index}.tsx`);
  const many = files.map((file, index) => {
    const title = `Edit ${file}${index === 2 ? ` ${"long ".repeat(40)}` : ""}`;
    const preview = { type: "edit" as const, path: file, lines: [], added: 1, removed: 1, omitted: 0 };
    return editRequest({ id: `many-${index}`, title, preview, rules: ["Edit(/src/**)"], createdAt: index });
  });
  const titleIn = async (language: string) => {
    const view = await open({ width: 300, language });
    await view.send(...teamMessages({ attention: many }));
    await settled(view);
    return { view, title: await view.page.locator(".req-title").textContent() };
  };
  const { view, title } = await titleIn("en");
  const third = "Edit some-component-2.tsx long long long long long long lon…";
  const short = `Edit some-component-0.tsx, Edit some-component-1.tsx, ${third} and 17 more ×20`;
  expect(title).toBe(short);
  expect((await view.page.locator(".req-head").boundingBox())?.height).toBeLessThan(180);
  for (const file of files) expect(await view.page.locator(".req-alike").getByText(file).count()).toBe(1);
  await button(view, "Allow All 20").click();
  await expect
    .poll(() => view.page.getByRole("status").textContent())
    .toBe(`Allowed once: ${short}. Nothing waits for you.`);
  expect((await titleIn("zh-cn")).title).toContain(" 等另外 17 项 ×20");
});

test("other rules, a warning, or no rule at all keep a request by itself", async () => {
  const [one, two] = alikeRequests(2);
  if (!one || !two) throw new Error("no fixtures");
  const rows = async (...others: Partial<typeof two>[]) =>
    titles(await openQueue([one, ...others.map((over, index) => ({ ...two, id: `o-${index}`, ...over }))]));
  expect(await rows({ rules: ["Bash(npm test)"] })).toHaveLength(2);
  expect(await rows({ warnings: ["Contains 1 invisible character."] })).toHaveLength(2);
  expect(await rows({ rules: [] }, { rules: [] })).toHaveLength(3);
  expect(await rows({})).toEqual(["Run npm test ×2"]);
});

test("one by one gives each its own row and choices", async () => {
  const view = await openQueue(alikeRequests(3));
  await button(view, "One by One").click();
  expect(await titles(view)).toEqual(["Run npm test", "Run npm test", "Run npm test"]);
  await button(view, "Allow Once").click();
  expect((await decided(view)).map(([request]) => request)).toEqual(["alike-1"]);
});

test("what comes while a row is open does not join it, so nothing unseen is allowed", async () => {
  const [one, two, three, four] = alikeRequests(4);
  if (!one || !two || !three || !four) throw new Error("no fixtures");
  const view = await openQueue([one, two]);
  await view.send(stateMessage({ attention: [one, two, three] }));
  expect(await titles(view)).toEqual(["Run npm test ×2", "Run npm test"]);
  await view.send(stateMessage({ attention: [one, two, three, four] }));
  expect(await titles(view)).toEqual(["Run npm test ×2", "Run npm test ×2"]);
  await button(view, "Allow All 2").click();
  expect((await decided(view)).map(([request]) => request)).toEqual(["alike-1", "alike-2"]);
});

test("one that is open alone stays alone", async () => {
  const [one, two, three] = alikeRequests(3);
  if (!one || !two || !three) throw new Error("no fixtures");
  const view = await openQueue([one]);
  await view.send(stateMessage({ attention: [one, two, three] }));
  expect(await titles(view)).toEqual(["Run npm test", "Run npm test ×2"]);
  expect(await button(view, "Allow Once").isVisible()).toBe(true);
});

test("all are held until every command has been on the screen", async () => {
  const [one, two] = alikeRequests(2);
  if (!one || !two) throw new Error("no fixtures");
  const parts = Array.from({ length: 60 }, (_, index) => ({ text: `echo ${index};`, covered: false }));
  const text = parts.map((part) => part.text).join(" ");
  const long = commandRequest({ ...two, preview: { type: "command", cwd: "~/code/shop", text, parts } });
  const view = await openQueue([one, long]);
  expect(await button(view, "Allow All 2").getAttribute("aria-disabled")).toBe("true");
  await button(view, "Allow All 2").evaluate((element) => (element as HTMLElement).click());
  expect(await decided(view)).toEqual([]);
  for (let at = 0; at < 61; at += 5) await view.page.locator(".cmd-part").nth(at).scrollIntoViewIfNeeded();
  await view.page.locator(".cmd-part").last().scrollIntoViewIfNeeded();
  await expect.poll(() => button(view, "Allow All 2").getAttribute("aria-disabled")).toBe("false");
});
