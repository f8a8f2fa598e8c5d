import type { HostMessage } from "../../../src/protocol/panelMessages.ts";
import { COMPOSER_SCREENS } from "./composerFixtures.ts";
import { FAILURE_SCREENS } from "./failureScreens.ts";
import { conversationMessage, emptyMessage, finished, stateMessage, streamingText, teamMessages } from "./fixtures.ts";
import { ago, backend, eightMembers, lead } from "./memberFixtures.ts";
import type { View } from "./page.ts";
import {
  alikeRequests,
  answerRequest,
  budgetRequest,
  commandRequest,
  curlRequest,
  editRequest,
  longInputRequest,
  manyRequests,
  planRequest,
  sharedEditRequest,
} from "./requestFixtures.ts";
import { TALK_SCREENS } from "./talkFixtures.ts";
import { TASK_SCREENS } from "./taskFixtures.ts";

/** One state of the view that can be looked at and measured. */
export interface Screen {
  name: string;
  messages: HostMessage[];
  /** What a person does to get there. */
  act?: (view: View) => Promise<void>;
  kept?: unknown;
}

const click = (role: "button" | "tab", name: string | RegExp) => async (view: View) =>
  view.page
    .getByRole(role, { name, exact: typeof name === "string" })
    .first()
    .click();
const tab = (name: string) => click("tab", new RegExp(`^${name}`));
const title = (name: RegExp) => async (view: View) => view.page.locator(".req-head", { hasText: name }).click();
/** One act after the other. */
export const inTurn =
  (...acts: ((view: View) => Promise<void>)[]) =>
  async (view: View) => {
    for (const act of acts) await act(view);
  };
/** Buttons of a request that has just come do nothing for half a second. */
const settled = async (view: View) => {
  await view.page.locator(".req-inert").waitFor({ state: "detached" });
};

/** Writes a comment to a line of the plan that is open. */
export const commentOn = (line: number, text: string) => async (view: View) => {
  await click("button", `Add a comment to line ${line}`)(view);
  await view.page.getByRole("textbox", { name: `Comment to line ${line}` }).fill(text);
  await click("button", "Add Comment")(view);
};

const quiet = { attention: [], unread: 0 };
const live = teamMessages({ ...quiet, members: [{ ...eightMembers[0]!, ...lead }] });

/** The states that are looked at in four themes and at several widths. */
export const SCREENS: readonly Screen[] = [
  ...TALK_SCREENS,
  ...TASK_SCREENS,
  ...COMPOSER_SCREENS,
  ...FAILURE_SCREENS,
  { name: "team", messages: teamMessages(), act: tab("Tasks") },
  { name: "queue", messages: teamMessages(), act: inTurn(tab("Tasks"), title(/Run psql/)) },
  { name: "edit", messages: teamMessages(), act: inTurn(tab("Tasks"), title(/Edit retry/)) },
  { name: "edit-shared", messages: teamMessages({ attention: [sharedEditRequest(), planRequest()] }) },
  { name: "plan", messages: teamMessages(), act: inTurn(tab("Tasks"), title(/Plan:/)) },
  {
    name: "plan-comments",
    messages: teamMessages({ attention: [planRequest({ version: 2 })] }),
    act: inTurn(
      tab("Tasks"),
      commentOn(8, "Use 10,000 sequences and print the seed, so that a failure can be run again."),
      commentOn(10, "不要用生产数据的副本，用 services/ledger/fixtures/week-47。"),
      click("button", "Add a comment to line 7"),
    ),
  },
  {
    name: "plan-back",
    messages: teamMessages({ attention: [planRequest({ version: 2, said: "I changed step 4." })] }),
    act: inTurn(settled, click("button", "Send Back…")),
  },
  { name: "curl", messages: teamMessages({ attention: [curlRequest()] }) },
  {
    name: "menu",
    messages: teamMessages({ attention: [curlRequest()] }),
    act: inTurn(settled, click("button", /^More ways/)),
  },
  {
    name: "deny",
    messages: teamMessages({ attention: [curlRequest()] }),
    act: inTurn(settled, click("button", "Deny…"), async ({ page }) => page.keyboard.type("不要把数据发到外部地址。")),
  },
  {
    name: "edit-command",
    messages: teamMessages({ attention: [curlRequest()] }),
    act: inTurn(settled, click("button", "Edit…")),
  },
  { name: "alike", messages: teamMessages({ attention: [...alikeRequests(3), planRequest()] }) },
  {
    name: "lead-failed",
    messages: teamMessages({
      attention: [
        answerRequest({
          failure: "key",
          title: "team-lead could not go on",
          text: "The API rejected the key (401): set another one.",
        }),
      ],
    }),
  },
  {
    name: "told",
    messages: teamMessages({
      attention: [commandRequest({ told: { by: lead, at: ago(6), seq: 0 } }), planRequest()],
    }),
  },
  {
    name: "withdrawn",
    messages: [
      ...teamMessages({ attention: [commandRequest({ from: backend }), editRequest(), planRequest()] }),
      stateMessage({ attention: [planRequest()], withdrawn: [{ id: "perm-1", why: "interrupted" }] }),
    ],
  },
  { name: "long-input", messages: teamMessages({ attention: [longInputRequest()] }) },
  { name: "answer", messages: teamMessages({ attention: [answerRequest(), editRequest()] }) },
  { name: "eight", messages: teamMessages({ ...quiet, members: eightMembers, cost: 4.4 }) },
  {
    name: "member-budget",
    messages: teamMessages({
      ...quiet,
      members: eightMembers.map((row, index) => (index === 0 ? { ...row, cost: 0.84, budget: 1 } : row)),
    }),
  },
  {
    name: "budget",
    messages: teamMessages({
      attention: [
        budgetRequest(),
        budgetRequest({ id: "budget-backend-1", from: backend, member: "backend", limit: 1 }),
      ],
      paused: { by: "budget", since: 0 },
      members: eightMembers.map((row) => (row.state === "working" ? { ...row, paused: true } : row)),
      cost: 5.04,
    }),
  },
  {
    name: "api-wait",
    messages: teamMessages({
      ...quiet,
      members: eightMembers.map((row) =>
        row.state === "working" ? { ...row, waitsForApi: true, detail: "until 14:10:05: The API is overloaded." } : row,
      ),
    }),
  },
  {
    name: "paused",
    messages: teamMessages({
      ...quiet,
      paused: { by: "person", since: 0 },
      members: eightMembers.map((row) => (row.state === "working" ? { ...row, paused: true } : row)),
    }),
  },
  {
    name: "shared-files",
    messages: teamMessages({
      ...quiet,
      members: eightMembers,
      shared: [
        "src/payments/retryWithExponentialBackoffAndJitter.ts",
        "README.md",
        "docs/设计/接口说明.md",
        "a.ts",
      ].map((file, index) => ({ file, members: eightMembers.slice(1, 3 + index) })),
    }),
  },
  { name: "twenty", messages: teamMessages({ attention: manyRequests(20), members: eightMembers }) },
  {
    name: "conversation",
    messages: [
      ...teamMessages({ ...quiet, scripted: true }),
      { type: "streaming", member: "team-lead", text: streamingText },
    ],
    act: async ({ page }) => page.getByRole("button", { name: "Bash git log" }).click(),
  },
  {
    name: "conversation-queued",
    messages: [
      ...teamMessages({ ...quiet, paused: { by: "person", since: 0 } }),
      { type: "queued", member: "team-lead", messages: [{ id: "w1", at: ago(1), text: "先看一下测试，再继续。" }] },
    ],
  },
  {
    name: "conversation-live",
    messages: [...live, { type: "streaming", member: "team-lead", text: streamingText }],
  },
  {
    name: "conversation-waits",
    messages: [...teamMessages({ attention: [planRequest()] }), conversationMessage("ledger-and-idempotency-reviewer")],
    act: async ({ page }) => page.locator(".mem-row", { hasText: "ledger-and" }).click(),
  },
  {
    name: "inboxes",
    messages: teamMessages(quiet),
    act: inTurn(tab("Inboxes"), async ({ page }) => page.locator(".thr-head", { hasText: "ledger" }).first().click()),
  },
  {
    name: "protocol",
    messages: teamMessages(quiet),
    act: inTurn(tab("Inboxes"), async ({ page }) => {
      await page.locator(".thr-head", { hasText: "研究员" }).click();
      await page.locator(".proto-json-btn").first().click();
    }),
  },
  {
    name: "task-open",
    messages: teamMessages(quiet),
    act: inTurn(tab("Tasks"), async ({ page }) => {
      await page.getByRole("button", { name: /Load test/ }).click();
      await page.getByRole("button", { name: /^Done/ }).click();
    }),
  },
  {
    name: "member-menu",
    messages: teamMessages(quiet),
    act: async ({ page }) => page.locator(".mem-row", { hasText: "backend" }).click({ button: "right" }),
  },
  {
    name: "read-only",
    messages: [
      ...teamMessages({
        ...quiet,
        readOnly: "Another program made this team. It can be read here.",
        members: eightMembers.map((row, index) => ({
          ...{ ...row, detail: "", since: null, tokens: 0, backend: null, mode: null, waiting: 0 },
          state: index === 1 ? "stopping" : "unknown",
        })),
        ...{ tokens: 0, cost: null, budget: null },
      }),
      conversationMessage("team-lead", []),
    ],
  },
  {
    name: "left-alone",
    messages: teamMessages({
      ...quiet,
      readOnly: "Nobody runs this team: its window was closed. It can be read here, or continued.",
      canContinue: true,
    }),
  },
  { name: "no-team", messages: [emptyMessage("no_team")] },
  { name: "no-key", messages: [emptyMessage("no_key")] },
  { name: "untrusted", messages: [emptyMessage("untrusted")] },
  { name: "no-folder", messages: [emptyMessage("no_folder", null)] },
  {
    name: "finished",
    messages: teamMessages({ ...quiet, members: [], finished, tokens: 2_100_000, cost: 14.8, budget: 20 }),
  },
  {
    name: "finished-scrolled",
    messages: teamMessages({ ...quiet, members: [], finished }),
    act: async (view) => view.page.locator(".scroller").evaluate((box) => box.scrollTo(0, box.scrollHeight)),
  },
  {
    name: "failed",
    messages: teamMessages({
      ...quiet,
      members: [],
      cost: null,
      finished: { ...finished, result: "failed", text: "", tasks: { completed: 3, total: 14 }, decisions: 1 },
    }),
  },
];

/** Shows a screen in a view that is open. */
export async function show(view: View, screen: Screen): Promise<void> {
  await view.send(...screen.messages);
  await screen.act?.(view);
  await settled(view);
}
