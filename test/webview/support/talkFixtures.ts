import type { ActivityEvent, ActivityKind, ActivityRow } from "../../../src/protocol/activity.ts";
import type { ConversationItem, MemberRef } from "../../../src/protocol/panel.ts";
import type { HostMessage } from "../../../src/protocol/panelMessages.ts";
import { conversationMessage, teamMessages } from "./fixtures.ts";
import { ago, backend, docs, frontend, lead, person, pink, researcher, reviewer } from "./memberFixtures.ts";
import type { View } from "./page.ts";
import type { Screen } from "./screens.ts";

const CODE = `The retry lives in \`services/payments/src/client/retry.ts:42\`; #7 owns it, see also src/budget.ts:7.

\`\`\`ts
// Tries again until the budget is spent.
export async function send(req: Request, budgetMs = 8_000): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const res = await post(req, { idempotencyKey: "k-1", retry: true });
    if (res.ok || !isRetryable(res)) return res;
  }
}
\`\`\`

\`\`\`diff
- const wait = 200;
+ const wait = backoff(attempt);
\`\`\`

\`\`\`python
def total(xs: list[int]) -> int:  # 合计
    return sum(x for x in xs if x is not None)
\`\`\``;

const tool = (over: Partial<Extract<ConversationItem, { type: "tool" }>>): ConversationItem => ({
  ...{ type: "tool", at: ago(2), name: "Bash", argument: "npm test", state: "ok", ms: 6100, detail: "" },
  ...over,
});

/** Code in three languages, a diff, a long output and an image, each once. */
const talk: ConversationItem[] = [
  { type: "text", at: ago(5), text: CODE },
  tool({
    ...{
      name: "Edit",
      argument: "services/payments/src/client/retry.ts",
      ms: 20,
      detail: "Changed retry.ts at line 41.",
    },
    diff: {
      path: "services/payments/src/client/retry.ts",
      added: 2,
      removed: 1,
      omitted: 0,
      lines: [
        { kind: "context", line: 41, text: "  const started = clock.now();" },
        { kind: "removed", line: 42, text: "  for (let i = 0; i < 3; i++) {" },
        { kind: "added", line: 42, text: "  for (let attempt = 0; ; attempt += 1) {" },
        {
          kind: "added",
          line: 43,
          text: '    const wait = backoff(attempt, { base: 200, cap: 5_000, jitter: "full" });',
        },
      ],
    },
  }),
  { type: "text", at: ago(3.1), text: "Four retries should do; `retry.test.ts` will tell.", aside: true },
  { type: "text", at: ago(3), text: "The budget holds. I run the tests." },
  tool({
    detail: Array.from({ length: 40 }, (_, n) => `✔ retry keeps the budget in case ${n + 1} of the table`).join("\n"),
    cut: 2_400,
  }),
  { type: "text", at: ago(2), text: "A picture of the page:" },
  tool({ name: "Read", argument: "page.png", ms: 12, images: [{ mediaType: "image/png", bytes: 48_213 }] }),
];

const quiet = { attention: [], unread: 0 };
const talkMessages = (): HostMessage[] => [...teamMessages(quiet), conversationMessage("team-lead", talk)];

const openTool = (name: string) => async (view: View) => view.page.getByRole("button", { name }).click();

/** What the host answers when it is asked for the text. */
const foundMessage = (text: string, matches: { seq: number; count: number }[]): HostMessage => ({
  type: "found",
  member: "team-lead",
  text,
  matches,
  total: matches.reduce((sum, { count }) => sum + count, 0),
});

const happened = (
  minutes: number,
  who: MemberRef | null,
  kind: ActivityKind,
  event: ActivityEvent,
  ...to: MemberRef[]
): Omit<ActivityRow, "id"> => ({ at: ago(minutes), kind, who, to, event });

/** What happened in the team of the pictures of the design. */
const activityRows: ActivityRow[] = [
  happened(1, person, "decision", {
    ...{ what: "decided", how: "reject", by: "person", title: "check ledger invariants", reason: "2 comments" },
  }),
  happened(2, person, "decision", { what: "decided", how: "once", by: "person", title: "Run psql", reason: null }),
  happened(2, person, "decision", {
    ...{ what: "decided", how: "session", by: "person", title: "Edit retry.ts", reason: null },
  }),
  happened(3, docs, "state", { what: "joined", backend: "terminal" }),
  happened(3, reviewer, "decision", { what: "asked", request: "plan", title: "check ledger invariants", task: "6" }),
  happened(4, backend, "decision", { what: "asked", request: "command", title: "Run psql", task: "7" }),
  happened(4, backend, "decision", { what: "asked", request: "edit", title: "Edit retry.ts", task: "7" }),
  happened(4, frontend, "state", { what: "failed", reason: "the model is overloaded. It tries again at 14:21" }),
  happened(
    5,
    person,
    "message",
    { what: "wrote", text: "Keep the total retry time under 8 s; the gateway cuts at 10." },
    backend,
  ),
  happened(5, pink, "state", { what: "left", how: "stopped", reason: null }),
  happened(6, null, "decision", { what: "decided", how: "once", by: "rule", title: "Run npm test", reason: null }),
  happened(7, researcher, "state", { what: "refusesStop", reason: "#11 还没有人做，我可以接手。" }),
  happened(
    8,
    reviewer,
    "message",
    { what: "wrote", text: "Then a refund that reuses the key of its charge would collide." },
    backend,
  ),
  happened(10, lead, "task", { what: "gave", task: "7", subject: "Retry with backoff in PaymentClient" }, backend),
  happened(10, lead, "task", { what: "gave", task: "6", subject: "Check ledger invariants under retry" }, reviewer),
  happened(11, backend, "task", {
    what: "finished",
    task: "5",
    subject: "Migration: charges.idempotency_key, unique per account",
  }),
  happened(11, null, "task", { what: "created", task: "14", subject: "Changelog and upgrade notes" }),
  happened(12, researcher, "state", { what: "idle" }),
].map((row, index) => ({ ...row, id: `r${String(1000 - index)}` }));

const activityMessage = (rows: ActivityRow[] = activityRows, earlier = 0, reset = true): HostMessage => ({
  type: "activity",
  reset,
  rows,
  earlier,
});

/** States of the conversation, the inboxes and the activity that are looked at in four themes and at several widths. */
export const TALK_SCREENS: readonly Screen[] = [
  {
    name: "code",
    messages: talkMessages(),
    act: async (view) => {
      await openTool("Edit services")(view);
      await openTool("Bash npm test")(view);
      await openTool("Read page.png")(view);
      await view.page.waitForFunction(() => CSS.highlights.has("code-keyword"));
    },
  },
  {
    name: "activity",
    messages: [...teamMessages(quiet), activityMessage(activityRows, 20)],
    act: async ({ page }) => page.getByRole("tab", { name: "Activity" }).click(),
  },
  {
    name: "find",
    messages: talkMessages(),
    act: async (view) => {
      await view.page.keyboard.press("Control+f");
      await view.page.keyboard.type("budget");
      await view.send(
        foundMessage("budget", [
          { seq: 0, count: 3 },
          { seq: 2, count: 1 },
          { seq: 3, count: 40 },
        ]),
      );
      await view.page.keyboard.press("Shift+Enter");
    },
  },
];
