import { expect, test } from "vitest";
import type { ActivityRow } from "../../src/protocol/activity.ts";
import { teamMessages } from "./support/fixtures.ts";
import { ago, backend, docs, person } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const gone = { name: "tester", displayName: "测试员", color: "pink", role: "teammate" as const };
const row = (id: string, over: Partial<ActivityRow>): ActivityRow => ({
  ...{ id, at: ago(Number(id)), kind: "state", who: person, to: [], event: { what: "idle" } },
  ...over,
});
const rows: ActivityRow[] = [
  row("1", { to: [backend], event: { what: "mode", mode: "acceptEdits" } }),
  row("2", { to: [docs], event: { what: "mode", mode: "one-of-tomorrow" } }),
  row("3", { who: gone, event: { what: "left", how: "stopped", reason: null } }),
];

async function openActivity(view: View): Promise<void> {
  await view.send(...teamMessages({ attention: [] }), { type: "activity", rows, reset: true, earlier: 0 });
  await view.page.locator(".act").first().waitFor();
}
test("rows of an earlier day stand below its date, in both languages", async () => {
  for (const language of ["en", "zh-cn"]) {
    const view = await open({ kept, language });
    const at = (days: number) => new Date(new Date().setHours(12, 0, 0, 0) - days * 86_400_000).getTime();
    const old = [row("1", { at: at(1) }), row("2", { at: at(1) - 60_000 }), row("3", { at: at(2) })];
    const rows = [row("0", { at: Date.now() }), ...old];
    await view.send(...teamMessages({ attention: [] }), { type: "activity", rows, reset: true, earlier: 0 });
    await view.page.locator(".act").first().waitFor();
    const day = (days: number) => new Date(at(days)).toLocaleDateString(language, { month: "short", day: "numeric" });
    expect(await view.page.locator(".act-day").allTextContents()).toEqual([day(1), day(2)]);
    expect(await view.page.locator(".acts > li").nth(1).textContent()).toBe(day(1));
    expect(await view.page.locator(".act-time").nth(1).textContent()).toBe("12:00");
  }
});

const kept = { version: 1, tab: "activity", team: "checkout-retry" };

test("says a mode in the words of the panel, and one that it does not know as it is called", async () => {
  const view = await open({ kept });
  await openActivity(view);
  expect((await view.page.locator(".act-text").allInnerTexts()).slice(0, 2)).toEqual([
    expect.stringContaining("set the mode of backend: Accept edits"),
    expect.stringContaining("set the mode of docs: one-of-tomorrow"),
  ]);
});

test("is filtered by somebody who has left too, who stays the choice while nothing else is shown", async () => {
  const view = await open({ kept });
  await openActivity(view);
  const choice = view.page.getByRole("combobox", { name: "Whose activity" });
  await choice.click();
  await view.page.getByRole("tabpanel").getByRole("option", { name: "测试员" }).click();
  await expect
    .poll(async () => (await view.posted()).at(-1))
    .toEqual({ type: "filterActivity", member: "tester", kind: null });
  await view.send({ type: "activity", rows: [], reset: true, earlier: 0 });
  await view.page.getByText("Nothing here fits the filter.").waitFor();
  expect(await choice.innerText()).toContain("测试员");
});

test("shows after a reload that a member who has left is chosen", async () => {
  const view = await open({ kept: { ...kept, activity: { member: "tester", kind: null } } });
  await view.send(...teamMessages({ attention: [] }), { type: "activity", rows: [], reset: true, earlier: 0 });
  const choice = view.page.getByRole("combobox", { name: "Whose activity" });
  await expect.poll(() => choice.innerText()).toContain("tester");
});

test("a row whose time no date holds empties nothing", async () => {
  const view = await open({ kept });
  const odd = [row("8", { at: Number.MAX_VALUE }), row("9", { at: Number.NaN })];
  await view.send(...teamMessages({ attention: [] }), {
    type: "activity",
    rows: [...rows, ...odd],
    reset: true,
    earlier: 0,
  });
  await expect.poll(() => view.page.locator(".act").count()).toBe(5);
  expect(await view.page.locator(".act-time[datetime]").count()).toBe(3);
});
