import type {
  ConversationItem,
  FinishedSummary,
  MemberRef,
  PanelState,
  TaskRow,
  Thread,
  ThreadMessage,
} from "../../../src/protocol/panel.ts";
import type { HostMessage } from "../../../src/protocol/panelMessages.ts";

import { ago, backend, docs, frontend, lead, members, person, researcher, reviewer } from "./memberFixtures.ts";
import { threeRequests } from "./requestFixtures.ts";

export type TeamState = Extract<PanelState, { screen: "team" }>;

function teamState(over: Partial<TeamState> = {}): TeamState {
  return {
    screen: "team",
    team: "checkout-retry",
    title: "checkout-retry",
    goal: "Make checkout survive payment provider timeouts.",
    readOnly: null,
    canContinue: false,
    scripted: false,
    folder: null,
    attention: threeRequests(),
    members,
    tasks: { open: 9, total: 14 },
    unread: 3,
    tokens: 486_000,
    cost: 3.42,
    budget: 5,
    finished: null,
    ...over,
  };
}

export const stateMessage = (over: Partial<TeamState> = {}): HostMessage => ({ type: "state", state: teamState(over) });

export const emptyMessage = (
  reason: "no_folder" | "untrusted" | "no_key" | "no_team",
  folder: string | null = "shop",
): HostMessage => ({ type: "state", state: { screen: "empty", reason, folder, model: "sonnet" } });

const task = (
  id: number,
  subject: string,
  status: TaskRow["status"],
  owner: MemberRef | null = null,
  openBlockers: number[] = [],
  done: number[] = [],
): TaskRow => ({
  id: String(id),
  subject,
  description: `What must be true when **#${id}** is done.`,
  status,
  owner,
  openBlockers: openBlockers.map(String),
  blockedBy: [...done, ...openBlockers].map(String),
  since: status === "in_progress" ? ago(4) : null,
});

export const tasks: TaskRow[] = [
  task(1, "Read the checkout and payment code", "completed", researcher),
  task(2, "List provider timeouts of the last 30 days", "completed", researcher),
  task(3, "Agree the retry policy", "completed", lead, [], [1, 2]),
  task(4, "Add idempotency keys to POST /charges", "completed", backend, [], [3]),
  task(5, "Migration: charges.idempotency_key, unique per account", "completed", backend, [], [3]),
  task(6, "Check ledger invariants under retry", "in_progress", reviewer, [], [4, 5]),
  task(7, "Retry with backoff in PaymentClient", "in_progress", backend, [], [3, 4, 5]),
  task(8, "Show “still processing” on the checkout page", "in_progress", frontend, [], [3]),
  task(9, "Contract tests against the provider sandbox", "pending", null, [7]),
  task(10, "Load test: 50 requests a second, 20 % of them time out", "pending", null, [6, 7]),
  task(11, "整理支付错误码对照表", "pending", null, [], [2]),
  task(12, "Write the runbook for stuck charges", "pending", docs, [], [3]),
  task(13, "Feature flag and staged rollout", "pending", null, [8, 9, 10]),
  task(14, "Changelog and upgrade notes", "pending", null, [12, 13]),
];

const message = (
  from: MemberRef,
  to: MemberRef,
  minutes: number,
  text: string,
  over: Partial<ThreadMessage> = {},
): ThreadMessage => ({
  id: `${from.name}>${to.name} ${minutes} ${text}`,
  from: from.name,
  to: to.name,
  at: ago(minutes),
  kind: "message",
  text,
  summary: null,
  json: null,
  delivery: "read",
  ...over,
});
const protocol = (
  from: MemberRef,
  to: MemberRef,
  minutes: number,
  kind: ThreadMessage["kind"],
  text: string,
  body: Record<string, unknown> = {},
) => message(from, to, minutes, text, { kind, json: JSON.stringify({ type: kind, ...body }, null, 2) });

const thread = (a: MemberRef, b: MemberRef, unread: number, messages: ThreadMessage[], omitted = 0): Thread => ({
  id: `${a.name}|${b.name}`,
  a,
  b,
  unread,
  messages,
  omitted,
});

export const threads: Thread[] = [
  thread(docs, lead, 0, [
    protocol(lead, docs, 3, "task_assignment", "gave #12 Write the runbook for stuck charges", {
      taskId: "12",
    }),
    message(lead, docs, 2, "Leave the pager numbers out.", { delivery: "dead" }),
  ]),
  thread(backend, reviewer, 1, [
    message(
      backend,
      reviewer,
      9,
      "The key is unique per account, not global. Migration 0042 has the index; look at `charges_idem_idx` before you plan.",
    ),
    message(
      reviewer,
      backend,
      8,
      "Then a refund that reuses the key of its charge would collide. Do refunds get their own?",
      {
        delivery: "delivered",
      },
    ),
    message(
      reviewer,
      backend,
      3,
      "I planned for per-account keys. Please do not merge 0042 before the property test is in.",
      {
        delivery: "queued",
      },
    ),
  ]),
  thread(backend, lead, 0, [protocol(backend, lead, 3, "idle_notification", "is idle: #9 after #7")]),
  thread(backend, person, 1, [
    message(person, backend, 5, "Keep the total retry time under 8 s; the gateway cuts at 10."),
    message(backend, person, 4, "Understood: budget 8 s, base 200 ms, cap 5 s, full jitter. I put it in `retry.ts`."),
  ]),
  thread(reviewer, lead, 1, [
    protocol(lead, reviewer, 10, "task_assignment", "gave #6 Check ledger invariants under retry"),
    protocol(reviewer, lead, 4, "plan_approval_request", "sent a plan: check ledger invariants"),
  ]),
  thread(lead, researcher, 0, [
    protocol(lead, researcher, 20, "task_assignment", "gave #1 Read the checkout and payment code", {
      taskId: "1",
      subject: "Read the checkout and payment code",
    }),
    message(researcher, lead, 17, "过去 30 天共有 1,204 次超时，其中 87% 发生在 POST /charges；没有任何请求带幂等键。"),
    protocol(researcher, lead, 15, "idle_notification", "is idle"),
    protocol(researcher, lead, 13, "idle_notification", "is idle"),
    protocol(researcher, lead, 12, "idle_notification", "finished #1 and is idle: no task is ready for it"),
    protocol(lead, researcher, 7, "shutdown_request", "asks to stop: No more research is planned."),
    protocol(researcher, lead, 7, "shutdown_rejected", "does not stop: #11 还没有人做，我可以接手。"),
  ]),
];

export const conversation: ConversationItem[] = [
  {
    type: "input",
    at: ago(20),
    origin: "person",
    from: person,
    text: "Make checkout survive payment provider timeouts. Keep the public API as it is.",
    summary: null,
  },
  { type: "text", at: ago(19.9), text: "I read the code first, then I split the work." },
  {
    type: "tool",
    at: ago(19.8),
    name: "Read",
    argument: "services/payments/src/client/retry.ts",
    state: "ok",
    ms: 12,
    detail: "41 lines",
  },
  {
    type: "tool",
    at: ago(19.7),
    name: "Grep",
    argument: "send(",
    state: "ok",
    ms: 140,
    detail: "retry.ts:42\nclient.ts:17",
  },
  { type: "tool", at: ago(19.6), name: "Bash", argument: "npm test", state: "failed", ms: 6100, detail: "1 failing" },
  {
    type: "tool",
    at: ago(19.5),
    name: "TaskCreate",
    argument: "#6 Check ledger invariants",
    state: "ok",
    ms: 20,
    detail: "",
  },
  {
    type: "input",
    at: ago(4),
    origin: "mail",
    from: frontend,
    text: "The page is done, I am waiting for the 202 to be deployed in the test environment.",
    summary: "page done",
  },
  {
    type: "tool",
    at: ago(3.9),
    name: "TaskUpdate",
    argument: "#8 in progress",
    state: "ok",
    ms: 20,
    detail: '{"id":"8"}',
  },
  {
    type: "text",
    at: ago(3),
    text: "The rollout in #13 has two parts that can go wrong for different reasons, so I split it:\n\n- a flag per account, off by default, read on each charge\n- a staged rollout: 1 %, 10 %, 100 %, each step held for an hour",
  },
  {
    type: "tool",
    at: ago(2),
    name: "Bash",
    argument: "git log --oneline -3 -- services/gateway",
    state: "ok",
    ms: 310,
    detail:
      "8c1d2e7 gateway: cut upstream at 10 s\n41aa09b gateway: log provider request id\nf0e77d1 gateway: pool size 64",
  },
];

export const streamingText =
  "The gateway already logs the provider’s request id, so the staged rollout can be watched without new metrics. I will ask docs to put the query into the runbook and";

export const conversationMessage = (member = "team-lead", items: ConversationItem[] = conversation): HostMessage => ({
  type: "conversation",
  member,
  reset: true,
  items: items.map((item, seq) => ({ seq, item })),
});

export const finished: FinishedSummary = {
  result: "completed",
  text: "Charges carry an idempotency key and are retried with backoff inside a budget of 8 s. The page shows “still processing”. The flag `checkout_retry` is off.",
  tasks: { completed: 14, total: 14 },
  durationMs: 72 * 60_000,
  tokens: 2_100_000,
  decisions: 15,
  byMember: [lead, backend, frontend, researcher, reviewer, docs].map((member, index) => ({
    member,
    tasks: [2, 4, 2, 3, 2, 1][index] ?? 0,
    cost: 1.25 * (index + 1),
    tokens: [310_000, 702_000, 198_000, 204_000, 561_000, 125_000][index] ?? 0,
  })),
  files: ["services/payments/src/client/retry.ts", "services/payments/src/client/budget.ts", "docs/runbook.md"],
};

/** All that the host sends when a team is shown. */
export const teamMessages = (over: Partial<TeamState> = {}): HostMessage[] => [
  stateMessage(over),
  { type: "tasks", tasks },
  { type: "threads", threads },
  conversationMessage(),
];
