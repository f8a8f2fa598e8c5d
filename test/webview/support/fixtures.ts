import type {
  AttentionItem,
  ConversationItem,
  DiffLine,
  FinishedSummary,
  MemberRef,
  MemberRow,
  PanelState,
  TaskRow,
  Thread,
  ThreadMessage,
} from "../../../src/protocol/panel.ts";
import type { HostMessage } from "../../../src/protocol/panelMessages.ts";
import type { CommandPart } from "../../../src/protocol/request.ts";

export type TeamState = Extract<PanelState, { screen: "team" }>;
type Of<K extends AttentionItem["kind"]> = Extract<AttentionItem, { kind: K }>;

/** `minutes` ago, in ms since the epoch. */
export const ago = (minutes: number) => Date.now() - minutes * 60_000 - 500;

const teammate = (name: string, color: string, displayName = name): MemberRef => ({
  name,
  displayName,
  color,
  role: "teammate",
});
export const lead: MemberRef = { name: "team-lead", displayName: "team-lead", color: null, role: "lead" };
export const person: MemberRef = { name: "user", displayName: "user", color: null, role: "person" };
export const backend = teammate("backend", "blue");
export const frontend = teammate("frontend", "green");
export const researcher = teammate("yan-jiu-yuan", "yellow", "研究员");
export const reviewer = teammate("ledger-and-idempotency-reviewer", "purple");
export const docs = teammate("docs", "orange");
export const pink = teammate("copywriter", "pink");
const cyan = teammate("infra", "cyan");

const row = (
  member: MemberRef,
  state: MemberRow["state"],
  detail: string,
  tokens: number,
  minutes: number,
  waiting = 0,
): MemberRow => ({
  ...member,
  state,
  detail,
  since: ago(minutes),
  tokens,
  cost: tokens / 140_000,
  backend: "in-process",
  mode: "default",
  waiting,
  unread: 0,
});

/** Six members, as the pictures of the design have them. */
export const members: MemberRow[] = [
  row(lead, "working", "Splitting #13 into two tasks", 96_000, 0.66),
  row(backend, "waiting", "2 requests", 148_000, 2, 2),
  row(frontend, "failed", "model overloaded, tries again at 14:21", 61_000, 1),
  row(researcher, "idle", "no task is ready for it", 72_000, 6),
  row(reviewer, "waiting", "plan", 94_000, 1, 1),
  row(docs, "starting", "in a terminal", 15_000, 0.13),
];

/** Eight members in every state. */
export const eightMembers: MemberRow[] = [
  ...members,
  row(pink, "suspect", "no sign of life for 20 s", 1_250_000, 75),
  row(cyan, "dead", "its process ended", 900, 3000),
];

/** What `backend` wants to run: six parts, the last of which no rule covers. */
const commandParts: CommandPart[] = [
  { text: "cd services/payments &&", covered: true },
  {
    text: 'npm run test:integration -- --grep "retry|backoff" --reporter=json --timeout 120000 > reports/retry.json 2>&1;',
    covered: true,
  },
  { text: `jq -r '.failures[] | "\\(.fullTitle)\\t\\(.err.message)"' reports/retry.json |`, covered: true },
  { text: "sort |", covered: true },
  { text: "tee reports/retry-failures.tsv;", covered: true },
  {
    text: `psql "$PAYMENTS_TEST_URL" -c "DELETE FROM charges WHERE created_at < now() - interval '1 hour'"`,
    covered: false,
  },
];

export const commandText = commandParts.map(({ text }) => text).join(" ");

const task7 = { id: "7", subject: "Retry with backoff in PaymentClient" };
const task6 = { id: "6", subject: "Check ledger invariants under retry" };

export function commandRequest(over: Partial<Of<"permission">> = {}): Of<"permission"> {
  return {
    kind: "permission",
    id: "perm-1",
    from: backend,
    createdAt: ago(2),
    task: task7,
    title: "Run psql",
    said: "Run the retry tests and clear the charges they left behind.",
    tool: "Bash",
    preview: { type: "command", cwd: "~/code/shop", text: commandText, parts: commandParts },
    reason: "No rule covers psql. Rules allow the other 5 parts.",
    warnings: [],
    rules: ['Bash(psql "$PAYMENTS_TEST_URL":*)'],
    ...over,
  };
}

const diffLines: DiffLine[] = [
  { kind: "context", line: 41, text: "  const started = clock.now();" },
  { kind: "removed", line: 42, text: "  for (let i = 0; i < 3; i++) {" },
  { kind: "removed", line: 43, text: "    const res = await send(req);" },
  { kind: "removed", line: 44, text: "    if (res.ok) return res;" },
  { kind: "added", line: 42, text: "  for (let attempt = 0; ; attempt++) {" },
  { kind: "added", line: 43, text: "    const res = await send(req, { idempotencyKey: key });" },
  { kind: "added", line: 44, text: "    if (res.ok || !isRetryable(res)) return res;" },
  { kind: "added", line: 45, text: '    const wait = backoff(attempt, { base: 200, cap: 5_000, jitter: "full" });' },
  { kind: "added", line: 46, text: "    if (clock.now() - started + wait > budgetMs) {" },
  { kind: "added", line: 47, text: "      throw new RetryBudgetExceeded(req.id, attempt);" },
  { kind: "added", line: 48, text: "    }" },
  { kind: "added", line: 49, text: "    await clock.sleep(wait);" },
  { kind: "context", line: 50, text: "  }" },
];

export function editRequest(over: Partial<Of<"permission">> = {}): Of<"permission"> {
  return commandRequest({
    id: "perm-2",
    title: "Edit retry.ts",
    said: null,
    tool: "Edit",
    preview: {
      type: "edit",
      path: "services/payments/src/client/retry.ts",
      lines: diffLines,
      added: 8,
      removed: 3,
      omitted: 0,
    },
    reason: "In this mode edits ask first.",
    rules: ["Edit(services/payments/src/**)"],
    ...over,
  });
}

const planText = `# Check ledger invariants under retry

A retried charge must never post twice. Three places can break that: the key lookup, the ledger writer and the nightly reconciliation.

## Steps

1. Read \`ledger/post.ts\` and \`ledger/reconcile.ts\`; list every write that is not keyed.
2. Add a property test: 1,000 random sequences of charge, timeout, retry and refund; the sum per account stays equal to the sum of unique keys.
3. Where a write is not keyed, pass \`idempotencyKey\` down and make the insert \`ON CONFLICT DO NOTHING\`.
4. Run reconciliation on a copy of yesterday’s snapshot, before and after; the two reports must be equal.
5. Report to backend and team-lead which writes changed.

## Files

- \`services/ledger/src/post.ts\`, \`reconcile.ts\` are edited
- \`services/ledger/test/retry.property.test.ts\` is new

## Not in this plan

Refunds across currencies. They need their own task.

## Commands it will run

\`\`\`sh
npm -w services/ledger test
node scripts/ledger-diff.mjs --before A --after B
\`\`\`
`;

export function planRequest(over: Partial<Of<"plan">> = {}): Of<"plan"> {
  return {
    kind: "plan",
    id: "plan-1",
    from: reviewer,
    createdAt: ago(1),
    task: task6,
    title: "Plan: check ledger invariants under retry",
    said: null,
    plan: planText,
    version: 1,
    afterMode: "default",
    modes: ["default", "acceptEdits"],
    ...over,
  };
}

/** A command with an invisible character, from a member with a long name. */
export function curlRequest(over: Partial<Of<"permission">> = {}): Of<"permission"> {
  const parts: CommandPart[] = [
    {
      text: "node scripts/ledger-diff.mjs --before snapshots/2026-11-27T13-40-00Z.ndjson.gz --after snapshots/2026-11-27T14-10-00Z.ndjson.gz --account acct_1PqXv9RkTestReconciliation0001 |",
      covered: true,
    },
    {
      text: 'curl -sS -X POST -H "Authorization: Bearer $REPORT_TOKEN" --data-binary @- https://reports.\u200bexample.com/ingest',
      covered: false,
    },
  ];
  return commandRequest({
    id: "perm-9",
    from: reviewer,
    createdAt: ago(0.2),
    task: task6,
    title: "Run curl",
    said: "对比重试前后的账本余额，确认没有重复入账。",
    preview: { type: "command", cwd: "~/code/shop", text: parts.map(({ text }) => text).join(" "), parts },
    warnings: ["Contains 1 invisible character, \u200b."],
    reason: "No rule covers curl. A rule allows the other part.",
    rules: ["Bash(curl:*)"],
    ...over,
  });
}

export function budgetRequest(over: Partial<Of<"budget">> = {}): Of<"budget"> {
  return {
    ...{ kind: "budget", id: "budget--5", from: lead, createdAt: ago(1), task: null, title: "Raise the budget" },
    ...{ said: null, member: null, spent: 5.04, limit: 5, next: 10 },
    ...over,
  };
}

export function answerRequest(over: Partial<Of<"answer">> = {}): Of<"answer"> {
  return {
    kind: "answer",
    id: "answer-1",
    from: lead,
    createdAt: ago(3),
    task: null,
    title: "Waiting for you",
    said: null,
    text: "The rollout needs a decision: a flag **per account**, or one for everybody? I wait with #13 until you say.",
    ...over,
  };
}

export const threeRequests = (): AttentionItem[] => [commandRequest(), editRequest(), planRequest()];

/** `n` commands, oldest first. */
export const manyRequests = (n: number): AttentionItem[] =>
  Array.from({ length: n }, (_, index) =>
    commandRequest({
      ...{ id: `perm-${index + 1}`, title: `Run psql ${index + 1}`, createdAt: ago(30 - index) },
      rules: [`Bash(psql ${index + 1}:*)`],
    }),
  );

/** Requests for tests of several parts, all of which one rule would cover. */
export const alikeRequests = (n: number): Of<"permission">[] =>
  ["services/payments", "services/ledger", "web", "docs"].slice(0, n).map((folder, index) => {
    const parts = [{ text: `npm test -w ${folder}`, covered: false }];
    return commandRequest({
      ...{ id: `alike-${index + 1}`, title: "Run npm test", createdAt: ago(9 - index), rules: ["Bash(npm test:*)"] },
      from: index % 2 === 0 ? backend : reviewer,
      preview: { type: "command", cwd: "~/code/shop", text: parts.map(({ text }) => text).join(" "), parts },
    });
  });

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
    protocol(lead, docs, 3, "task_assignment", "team-lead gave #12 Write the runbook for stuck charges", {
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
  thread(backend, lead, 0, [protocol(backend, lead, 3, "idle_notification", "backend waits for you: 2 requests")]),
  thread(backend, person, 1, [
    message(person, backend, 5, "Keep the total retry time under 8 s; the gateway cuts at 10."),
    message(backend, person, 4, "Understood: budget 8 s, base 200 ms, cap 5 s, full jitter. I put it in `retry.ts`."),
  ]),
  thread(reviewer, lead, 1, [
    protocol(lead, reviewer, 10, "task_assignment", "team-lead gave #6 Check ledger invariants under retry"),
    protocol(reviewer, lead, 4, "plan_approval_request", "ledger-and-idempotency-reviewer sent a plan for #6"),
  ]),
  thread(lead, researcher, 0, [
    protocol(lead, researcher, 20, "task_assignment", "team-lead gave #1 Read the checkout and payment code", {
      taskId: "1",
      subject: "Read the checkout and payment code",
    }),
    message(researcher, lead, 17, "过去 30 天共有 1,204 次超时，其中 87% 发生在 POST /charges；没有任何请求带幂等键。"),
    protocol(researcher, lead, 15, "idle_notification", "研究员 is idle"),
    protocol(researcher, lead, 13, "idle_notification", "研究员 is idle"),
    protocol(researcher, lead, 12, "idle_notification", "研究员 is idle"),
    protocol(lead, researcher, 7, "shutdown_request", "team-lead asks to stop: No more research is planned."),
    protocol(researcher, lead, 7, "shutdown_rejected", "研究员 does not stop: #11 还没有人做，我可以接手。"),
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
