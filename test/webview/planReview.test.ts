import { expect, test } from "vitest";
import { stateMessage, teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { planRequest } from "./support/requestFixtures.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

async function openPlan(over: Parameters<typeof planRequest>[0] = {}): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [planRequest(over)] }));
  await settled(view);
  return view;
}
const button = (view: View, name: string | RegExp) => view.page.getByRole("button", { name }).first();
const decisions = async (view: View) =>
  (await view.actions()).flatMap((intent) => (intent.type === "decide" ? [intent.decision] : []));

async function comment(view: View, line: number, text: string): Promise<void> {
  await button(view, `Add a comment to line ${line}`).click();
  await view.page.getByRole("textbox", { name: `Comment to line ${line}` }).fill(text);
  await button(view, "Add Comment").click();
}

test("each block and each step is a line with the number that it has in the plan's file", async () => {
  const view = await openPlan();
  await button(view, /more lines$/).click();
  const lines = await view.page
    .locator(".plan-line")
    .evaluateAll((rows) => rows.map((row) => [row.getAttribute("data-line"), row.querySelector(".md")?.textContent]));
  expect(lines.map(([line]) => Number(line))).toEqual([3, 5, 7, 8, 9, 10, 11, 13, 15, 16, 18, 20, 22, 24]);
  expect(lines[3]?.[1]).toMatch(/^\s*Add a property test/);
  const starts = await view.page
    .locator(".plan ol[start]")
    .evaluateAll((all) => all.map((ol) => (ol as HTMLOListElement).start));
  expect(starts).toEqual([2, 3, 4, 5]);
});

test("comments are sent back with the lines that they are about, and the primary button says how many", async () => {
  const view = await openPlan();
  await comment(view, 8, "Use 10,000 sequences.\nPrint the seed.");
  expect(await button(view, "Send Back with 1 Comment").getAttribute("class")).toContain("btn-primary");
  await comment(view, 3, "Which of the three first?");
  expect(await button(view, "Approve without Comments").getAttribute("class")).toContain("btn-plain");
  await button(view, "Send Back with 2 Comments").click();
  expect(await decisions(view)).toEqual([
    {
      kind: "reject",
      feedback: [
        "Line 3:\n> A retried charge must never post twice. Three places can break that: the key lookup, the ledger writer and the nightly reconciliation.\nWhich of the three first?",
        "Line 8:\n> 2. Add a property test: 1,000 random sequences of charge, timeout, retry and refund; the sum per account stays equal to the sum of unique keys.\nUse 10,000 sequences.\nPrint the seed.",
      ].join("\n\n"),
    },
  ]);
});

test("by keyboard: Ctrl+Enter keeps a comment without deciding, Esc leaves the field, Ctrl+Enter then sends back", async () => {
  const view = await openPlan();
  await button(view, "Add a comment to line 8").focus();
  await view.page.keyboard.press("Enter");
  await view.page.keyboard.type("Print the seed.");
  await view.page.keyboard.press("Control+Enter");
  expect(await decisions(view)).toEqual([]);
  await expect
    .poll(() => view.page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Edit the comment to line 8");
  await view.page.keyboard.press("Enter");
  await view.page.keyboard.press("Escape");
  expect(await view.page.locator(".plan-said").textContent()).toBe("Print the seed.");
  await view.page.keyboard.press("Control+Enter");
  expect(await decisions(view)).toMatchObject([{ kind: "reject" }]);
});

test("a comment can be taken back: by Cancel as it was, by its bin altogether", async () => {
  const view = await openPlan();
  await comment(view, 8, "Print the seed.");
  await button(view, "Edit the comment to line 8").click();
  await view.page.getByRole("textbox", { name: "Comment to line 8" }).fill("Nothing");
  await button(view, "Cancel").click();
  expect(await view.page.locator(".plan-said").textContent()).toBe("Print the seed.");
  await button(view, "Delete the comment to line 8").click();
  expect(await view.page.locator(".plan-said").count()).toBe(0);
  expect(await button(view, /^Approve$/).isVisible()).toBe(true);
});

test("approving without them leaves comments out, with the mode that was chosen", async () => {
  const view = await openPlan({ afterMode: "acceptEdits" });
  await comment(view, 8, "Print the seed.");
  await button(view, /more lines$/).click();
  await button(view, "Approve without Comments").click();
  expect(await decisions(view)).toEqual([{ kind: "approve", mode: "acceptEdits" }]);
});

test("the mode chosen for after it outlives a field that was cancelled and a reload, and goes with its plan", async () => {
  const view = await openPlan();
  const mode = view.page.getByRole("combobox", { name: "After approval" });
  const preselected = await mode.textContent();
  await mode.click();
  await view.page.getByRole("option", { name: "Accept edits" }).click();
  await button(view, "Send Back…").click();
  await button(view, "Cancel").click();
  expect(await mode.textContent()).toContain("Accept edits");
  await view.reload();
  await view.send(...teamMessages({ attention: [planRequest()] }));
  await settled(view);
  expect(await mode.textContent()).toContain("Accept edits");
  await button(view, /more lines$/).click();
  await button(view, /^Approve$/).click();
  expect(await decisions(view)).toEqual([{ kind: "approve", mode: "acceptEdits" }]);
  const [decided] = await view.actions();
  if (decided?.type !== "decide") throw new Error("no decision was posted");
  await view.send({ type: "done", intent: decided.intent, error: null });
  await view.send(stateMessage({ attention: [] }), stateMessage({ attention: [planRequest()] }));
  await settled(view);
  expect(await mode.textContent()).toBe(preselected);
});

test("comments outlive what else happens, and a plan that goes and comes back; they go with its decision", async () => {
  const view = await openPlan();
  const said = view.page.locator(".plan-said");
  await view.send({ type: "planDrafts", plans: [] });
  await comment(view, 8, "Print the seed.");
  await view.send(stateMessage({ attention: [planRequest({ said: "I wait." })] }));
  expect(await said.count()).toBe(1);
  await view.send(stateMessage({ attention: [] }), stateMessage({ attention: [planRequest()] }));
  await settled(view);
  expect(await said.allTextContents()).toEqual(["Print the seed."]);
  const told = (await view.actions()).flatMap((intent) => (intent.type === "draftToPlan" ? [intent.text] : []));
  expect(told).toEqual(["Print the seed."]);
  await button(view, "Send Back with 1 Comment").click();
  const decided = (await view.actions()).at(-1);
  if (decided?.type !== "decide") throw new Error("no decision was posted");
  await view.send(stateMessage({ attention: [] }), { type: "done", intent: decided.intent, error: null });
  await view.send(stateMessage({ attention: [planRequest()] }));
  await settled(view);
  expect(await said.count()).toBe(0);
});

test("a second version can be compared with the first", async () => {
  const view = await openPlan({ version: 2 });
  await button(view, "Compare with the Version Before").click();
  expect(await view.actions()).toEqual([{ type: "comparePlan", request: "plan-1" }]);
});
