import { expect, test } from "vitest";
import { axeFaults } from "./support/axe.ts";
import { teamMessages } from "./support/fixtures.ts";
import { backend, members } from "./support/memberFixtures.ts";
import { budgetRequest } from "./support/requestFixtures.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

test("a budget that is used up is raised to what is offered, or to what the person types", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [budgetRequest()], paused: { by: "budget", since: 0 }, cost: 5.04 }));
  const { page } = view;
  await page.locator(".req-inert").waitFor({ state: "detached" });
  await page.getByText("$5.04 of $5 are spent.").waitFor();
  await page.getByRole("button", { name: "Raise to $10" }).click();
  await page.getByRole("button", { name: "Other Amount…" }).click();
  expect(await view.actions()).toEqual([
    { type: "raiseBudget", member: null, to: 10 },
    { type: "raiseBudget", member: null, to: null },
  ]);
  expect(await page.getByRole("button", { name: "Resume", exact: true }).count()).toBe(0);
});

test("by keyboard alone the offer is taken with one chord, and a member's budget is its own", async () => {
  const view = await open();
  const item = budgetRequest({ from: backend, member: "backend", spent: 1.02, limit: 1, next: 2 });
  await view.send(...teamMessages({ attention: [item] }));
  await view.page.locator(".req-inert").waitFor({ state: "detached" });
  await view.page.locator(".req-head").focus();
  await view.page.keyboard.press("Control+Enter");
  expect(await view.actions()).toEqual([{ type: "raiseBudget", member: "backend", to: 2 }]);
});

test("whose budget is used up is said", async () => {
  const view = await open();
  const said = () => view.page.getByRole("status").textContent();
  await view.send(...teamMessages({ attention: [] }));
  await view.send(...teamMessages({ attention: [budgetRequest({ spent: 5.04, limit: 5 })] }));
  await expect.poll(said).toBe("The budget is used up: $5.04 of $5.");
  const own = budgetRequest({ id: "own", from: backend, member: "backend", spent: 1.2, limit: 1 });
  await view.send(...teamMessages({ attention: [own] }));
  await expect.poll(said).toBe("backend has used up its budget: $1.20 of $1.");
});

test("80 % of the budget is marked and said once", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [], cost: 3.9 }));
  await view.send(...teamMessages({ attention: [], cost: 4 }));
  await expect
    .poll(() => view.page.getByRole("status").textContent())
    .toBe("80 % of the budget is spent: $4.00 of $5.");
  expect(await view.page.locator(".mems-near").textContent()).toBe("$4.00 of $5");
});

test("80 % of a member's own budget is said once, and marked in its row and above its conversation", async () => {
  const view = await open({ width: 420 });
  const withCost = (cost: number) =>
    teamMessages({
      attention: [],
      cost: 1,
      members: members.map((row) => (row.name === "backend" ? { ...row, cost, budget: 1 } : row)),
    });
  await view.send(...withCost(0.79));
  expect(await view.page.locator(".mems-near").count()).toBe(0);
  await view.send(...withCost(0.81), ...withCost(0.84));
  const said = "backend has spent 80 % of its budget: $0.81 of $1.";
  await expect.poll(() => view.page.getByRole("status").textContent()).toBe(said);
  expect(await view.page.locator(".mems-near").textContent()).toBe("$0.84");
  await view.page.locator(".mem-row", { hasText: "backend" }).click();
  expect(await view.page.locator(".head .mems-near").textContent()).toBe("$0.84 of $1");
  expect(await view.page.locator(".mem-row", { hasText: "backend" }).getAttribute("title")).toContain("$0.84 of $1");
});

test("a paused team says so and is resumed with a button", async () => {
  const view = await open();
  await view.send(...teamMessages({ attention: [], paused: { by: "person", since: 0 } }));
  await view.page.locator(".mems-paused-text", { hasText: "Paused: nobody works now." }).waitFor();
  await view.page.getByRole("button", { name: "Resume", exact: true }).click();
  expect(await view.actions()).toEqual([{ type: "command", command: "resumeTeam" }]);
});

test("what no budget counts is said below the heading of the members", async () => {
  const view = await open({ width: 300 });
  const budgetNote = "What claude-next costs is not known: no budget counts it.";
  await view.send(...teamMessages({ attention: [], cost: null, budgetNote }));
  expect(await view.page.locator(".mems").innerText()).toContain(budgetNote);
  expect(await axeFaults(view)).toEqual([]);
});
