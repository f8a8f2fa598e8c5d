import { expect, test } from "vitest";
import type { Intent } from "../../src/protocol/intents.ts";
import { boardMessages } from "./support/boardFixtures.ts";
import { stateMessage, teamMessages } from "./support/fixtures.ts";
import type { View, ViewOptions } from "./support/page.ts";
import { answerLast } from "./support/queue.ts";
import { commandRequest, planRequest } from "./support/requestFixtures.ts";
import { commentOn } from "./support/screens.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const openView = webviewSuite();
const plan = planRequest({ version: 2 });
const NOTHING = { type: "planDrafts" as const, plans: [] };

/** The board with the plan on it, as the host shows it after *Open Plan*. */
async function open(options: ViewOptions = {}): Promise<View> {
  const view = await openView({ surface: "board", width: 1100, height: 900, ...options });
  await view.send(
    NOTHING,
    { type: "reveal", what: { kind: "request", id: plan.id } },
    ...boardMessages({ attention: [plan] }),
  );
  await settled(view);
  return view;
}
/** A plan of more lines than the board has room for. */
async function openLong(width: number): Promise<View> {
  const long = planRequest({ plan: Array.from({ length: 120 }, (_, at) => `${at + 1}. Step ${at + 1}`).join("\n") });
  const view = await openView({ surface: "board", width, height: 600 });
  await view.send(
    NOTHING,
    { type: "reveal", what: { kind: "request", id: long.id } },
    ...boardMessages({ attention: [long] }),
  );
  await settled(view);
  return view;
}
const button = (view: View, name: string | RegExp) => view.page.getByRole("button", { name }).first();
const of = async <T extends Intent["type"]>(view: View, type: T) =>
  (await view.posted()).filter((intent): intent is Extract<Intent, { type: T }> => intent.type === type);
const box = async (view: View, selector: string) => {
  const found = await view.page.locator(selector).boundingBox();
  if (!found) throw new Error(`no ${selector}`);
  return found;
};

test("stands in the place of the board with all its lines, the facts at the right, above them where it is narrow", async () => {
  const view = await open();
  expect(await view.page.locator(".bd").count()).toBe(0);
  const lines = await view.page
    .locator(".plan-line")
    .evaluateAll((all) => all.map((row) => row.getAttribute("data-line")));
  expect(lines.map(Number)).toEqual([3, 5, 7, 8, 9, 10, 11, 13, 15, 16, 18, 20, 22, 24]);
  expect((await box(view, ".pp-facts")).x).toBeGreaterThan((await box(view, ".pp-lines .plan")).x + 400);
  await view.resize(500, 900);
  const [facts, text, choice] = [
    await box(view, ".pp-facts"),
    await box(view, ".pp-lines"),
    await box(view, ".pp-choice"),
  ];
  expect(facts.y + facts.height).toBeLessThanOrEqual(text.y + 1);
  expect(choice.y + choice.height).toBeLessThanOrEqual(900);
  await view.page.getByRole("button", { name: "Back to the Board" }).click();
  expect(await view.page.locator(".bd").count()).toBe(1);
  await expect.poll(() => view.page.evaluate(() => document.activeElement?.classList.contains("bd-needs"))).toBe(true);
});

test("says who, which task, what that holds back, which files and commands, and which version", async () => {
  const view = await open();
  const facts = await view.page
    .locator(".pp-fact")
    .evaluateAll((all) => all.map((row) => [...row.children].map((part) => (part as HTMLElement).innerText.trim())));
  const byName = new Map(facts.map(([name = "", text = ""]) => [name, text]));
  expect(byName.get("Member")).toBe("ledger-and-idempotency-reviewer");
  expect(byName.get("Task")).toBe("#6 Check ledger invariants under retry");
  expect(byName.get("Holds back")).toMatch(/^#\d+ /);
  expect(byName.get("Files")?.split("\n")).toContain("ledger/post.ts");
  expect(byName.get("Commands")).toContain("npm -w services/ledger test");
  expect(byName.get("Sent")).toMatch(/\b\d\d:\d\d, version 2\n/);
  await button(view, "Compare with the Version Before").click();
  await button(view, "Open as Document").click();
  expect((await of(view, "comparePlan")).map(({ request }) => request)).toEqual(["plan-1"]);
  expect((await of(view, "openPlan")).map(({ request }) => request)).toEqual(["plan-1"]);
});

test("comments are sent back with it, once, and the page goes; keys decide as in the view Team", async () => {
  const view = await open();
  await commentOn(8, "Print the seed.")(view);
  await button(view, "Add a comment to line 3").focus();
  await view.page.keyboard.press("Control+Enter");
  await view.page.keyboard.press("Control+Enter");
  expect(await view.page.locator(".pp").count()).toBe(0);
  const decided = await of(view, "decide");
  expect(decided).toMatchObject([{ request: "plan-1", decision: { kind: "reject" } }]);
  expect(decided[0]?.decision).toMatchObject({ feedback: expect.stringContaining("Print the seed.") });
  const intent = decided[0]?.intent ?? "";
  await view.send({ type: "done", intent, error: "This request does not wait any more." });
  expect(await view.page.locator(".pp .error-line").innerText()).toContain("does not wait any more");
});

test("is approved only once its end has been on the screen; its key reads on until then", async () => {
  for (const width of [1100, 500]) {
    const view = await openLong(width);
    const approve = button(view, "Approve");
    const last = view.page.locator(".plan-line").last();
    expect(await approve.getAttribute("aria-disabled")).toBe("true");
    await approve.click({ force: true });
    expect(await of(view, "decide")).toEqual([]);
    for (let pages = 0; (await approve.getAttribute("aria-disabled")) === "true" && pages < 40; pages += 1) {
      await view.page.keyboard.press("Control+Enter");
      await view.send();
    }
    const [line, choice] = [await last.boundingBox(), await box(view, ".pp-choice")];
    expect(line!.y + line!.height).toBeLessThanOrEqual(width === 500 ? choice.y : 600);
    await view.page.keyboard.press("Control+Enter");
    expect(await of(view, "decide")).toMatchObject([{ decision: { kind: "approve" } }]);
  }
});

test("may be approved at once where it was read, or opened as a document", async () => {
  const view = await openLong(1100);
  const held = () => button(view, "Approve").getAttribute("aria-disabled");
  await button(view, "Open as Document").click();
  await answerLast(view, "The document could not be opened.");
  expect(await held()).toBe("true");
  expect(await view.page.locator(".pp .error-line").innerText()).toBe("The document could not be opened.");
  await button(view, "Open as Document").click();
  await answerLast(view, null);
  await expect.poll(held).toBe("false");
});

test("goes when it was decided in the other view, and comes again by nothing but the person", async () => {
  const view = await open();
  await view.send(stateMessage({ attention: [] }));
  expect(await view.page.locator(".pp").count()).toBe(0);
  await view.send(stateMessage({ attention: [planRequest({ id: "plan-2" }), commandRequest()] }));
  expect(await view.page.locator(".pp").count()).toBe(0);
  await button(view, "2 requests wait").click();
  expect(await of(view, "showInTeam")).toEqual([{ type: "showInTeam", what: { kind: "request", id: "plan-2" } }]);
  await view.send({ type: "reveal", what: { kind: "request", id: "plan-2" } });
  expect(await view.page.locator(".pp").getAttribute("data-request")).toBe("plan-2");
});

test("is opened by Review below the conversation of the member that sent it", async () => {
  const view = await openView({ surface: "board", width: 1100, height: 900 });
  await view.send(NOTHING, ...boardMessages({ attention: [plan] }));
  await button(view, "Conversations").click();
  await view.page.getByRole("menuitem", { name: /^ledger-and/ }).click();
  await view.page.getByRole("button", { name: "Review", exact: true }).last().click();
  expect(await view.page.locator(".pp").getAttribute("data-request")).toBe("plan-1");
  expect(await of(view, "showInTeam")).toEqual([]);
});

test("outlives a reload, with what was typed", async () => {
  const view = await open();
  await commentOn(8, "Print the seed.")(view);
  await view.reload();
  await view.send(NOTHING, ...boardMessages({ attention: [plan] }));
  expect(await view.page.locator(".plan-said").innerText()).toBe("Print the seed.");
  expect(await of(view, "draftToPlan")).toEqual([
    { type: "draftToPlan", request: "plan-1", line: 8, text: "Print the seed." },
  ]);
});

test("what is typed is told to the host, letter by letter; what the other view says stands here, and is not told again", async () => {
  const view = await open();
  await commentOn(8, "No")(view);
  const told = await of(view, "draftToPlan");
  expect(told.at(-1)).toEqual({ type: "draftToPlan", request: "plan-1", line: 8, text: "No" });
  await view.send({
    type: "planDrafts",
    plans: [
      {
        request: "plan-1",
        drafts: [
          { line: 3, text: "From the side bar" },
          { line: null, text: "All of it" },
        ],
      },
    ],
  });
  expect(await view.page.locator(".plan-said").allInnerTexts()).toEqual(["From the side bar"]);
  expect(await of(view, "draftToPlan")).toEqual(told);
  await button(view, "Delete the comment to line 3").click();
  expect((await of(view, "draftToPlan")).at(-1)).toEqual({ type: "draftToPlan", request: "plan-1", line: 3, text: "" });
  await button(view, "Send Back…").click();
  expect(await view.page.locator(".pp textarea").inputValue()).toBe("All of it");
});

test("a view that comes later has what the host keeps, also where the team is new to it", async () => {
  const drafts = { type: "planDrafts" as const, plans: [{ request: "plan-1", drafts: [{ line: 8, text: "Kept" }] }] };
  for (const surface of ["board", "team"] as const) {
    const view = await openView({ surface });
    const messages = surface === "board" ? boardMessages : teamMessages;
    await view.send(drafts, ...messages({ attention: [plan] }));
    if (surface === "board") await view.send({ type: "reveal", what: { kind: "request", id: "plan-1" } });
    expect(await view.page.locator(".plan-said").allInnerTexts()).toEqual(["Kept"]);
    expect(await of(view, "draftToPlan")).toEqual([]);
  }
});
