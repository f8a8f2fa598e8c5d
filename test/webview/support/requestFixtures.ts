import type { AttentionItem, DiffLine } from "../../../src/protocol/panel.ts";
import type { CommandPart } from "../../../src/protocol/request.ts";

import { ago, backend, lead, reviewer } from "./memberFixtures.ts";

type Of<K extends AttentionItem["kind"]> = Extract<AttentionItem, { kind: K }>;

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

/** An edit of a file that another member has changed. */
export function sharedEditRequest(over: Partial<Of<"permission">> = {}): Of<"permission"> {
  return editRequest({ from: reviewer, warnings: ["backend has changed this file too."], ...over });
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

/** A call whose input is longer than what the panel is sent. */
export function longInputRequest(over: Partial<Of<"permission">> = {}): Of<"permission"> {
  const text = '{\n  "name": "theo",\n  "description": "Mend the table",\n  "prompt": "Mend the table in report.ts';
  return commandRequest({
    ...{ id: "perm-7", title: "Spawn theo", said: null, tool: "Task", reason: "In this mode spawns ask first." },
    ...{ preview: { type: "json", text, omitted: 5_000 }, rules: ["Task"], ...over },
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
