import { describe, expect, test } from "vitest";
import { axeFaults } from "./support/axe.ts";
import { teamMessages } from "./support/fixtures.ts";
import { liveRegions, ONE_LIVE_REGION } from "./support/liveRegions.ts";
import { eightMembers, members } from "./support/memberFixtures.ts";
import { SCREENS, type Screen, show } from "./support/screens.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

/** The same with eight members in every state where it has the six of the design's pictures. */
function withEight(screen: Screen): Screen {
  const messages = screen.messages.map((message) =>
    message.type === "state" && message.state.screen === "team" && message.state.members === members
      ? { ...message, state: { ...message.state, members: eightMembers } }
      : message,
  );
  return { ...screen, messages };
}

describe("axe finds nothing in four themes, and one region speaks", () => {
  test.each(SCREENS.map((screen) => [screen.name, screen] as const))("%s", async (_name, screen) => {
    const view = await open({ width: 300, height: 900 });
    await show(view, withEight(screen));
    expect(await axeFaults(view)).toEqual([]);
    expect(await liveRegions(view)).toEqual(ONE_LIVE_REGION);
  });
});

test("there is one polite status region, and streaming text is not live", async () => {
  const view = await open();
  await view.send(...teamMessages(), { type: "streaming", member: "team-lead", text: "I write" });
  expect(await liveRegions(view)).toEqual(ONE_LIVE_REGION);
});

test("what was there at the start is not announced; what comes, fails and ends is", async () => {
  const view = await open();
  const [first] = teamMessages();
  if (first?.type !== "state" || first.state.screen !== "team") throw new Error("no team state");
  const { state } = first;
  await view.send({ type: "state", state: { ...state, attention: [] } });
  const status = view.page.getByRole("status");
  expect(await status.textContent()).toBe("");
  const members = state.members.map((row) => (row.name === "docs" ? { ...row, state: "failed" as const } : row));
  await view.send({ type: "state", state: { ...state, members } });
  await expect
    .poll(() => status.textContent())
    .toBe(
      "backend asks: Run psql. backend asks: Edit retry.ts. ledger-and-idempotency-reviewer sent: Plan: check ledger invariants under retry. docs failed.",
    );
});

test("a pause is announced, and its end", async () => {
  const view = await open();
  const [first] = teamMessages();
  if (first?.type !== "state" || first.state.screen !== "team") throw new Error("no team state");
  const { state } = first;
  await view.send({ type: "state", state });
  await view.send({ type: "state", state: { ...state, paused: { by: "person", since: 0 } } });
  const status = view.page.getByRole("status");
  await expect.poll(() => status.textContent()).toBe("Paused: nobody works now.");
  await view.send({ type: "state", state });
  await expect.poll(() => status.textContent()).toContain("The team goes on");
});

test("sections are headings, requests a list of groups, messages articles with author and time", async () => {
  const view = await open();
  await view.send(...teamMessages());
  const { page } = view;
  const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
  expect(headings).toEqual(["Needs you3", "Members486k tokens · $3.42 of $5", "Conversation"]);
  expect(await page.getByRole("group", { name: /Run psql/ }).count()).toBe(1);
  expect(await page.getByRole("article", { name: /^you, .*\d\d:\d\d$/ }).count()).toBe(1);
});
