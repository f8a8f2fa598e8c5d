import type { Correspondence, TaskRow } from "../../../src/protocol/panel.ts";
import type { HostMessage } from "../../../src/protocol/panelMessages.ts";
import {
  conversationMessage,
  emptyMessage,
  finished,
  streamingText,
  type TeamState,
  tasks,
  teamMessages,
} from "./fixtures.ts";
import {
  ago,
  backend,
  docs,
  eightMembers,
  frontend,
  lead,
  members,
  person,
  researcher,
  reviewer,
} from "./memberFixtures.ts";
import type { View } from "./page.ts";
import { commandRequest, editRequest, planRequest } from "./requestFixtures.ts";
import { commentOn, inTurn } from "./screens.ts";

/** One state of the Team Board that can be looked at and measured. */
export interface BoardScreen {
  name: string;
  messages: HostMessage[];
  /** What a person does to get there. */
  act?: (view: View) => Promise<void>;
}

const pair = (from: { name: string }, to: { name: string }, count: number) => ({
  from: from.name,
  to: to.name,
  count,
});

const mail: Correspondence = {
  people: [backend, lead, person, frontend, researcher, reviewer, docs],
  pairs: [
    pair(person, lead, 1),
    pair(person, backend, 1),
    pair(lead, backend, 2),
    pair(lead, frontend, 1),
    pair(lead, researcher, 12),
    pair(backend, person, 1),
    pair(backend, lead, 7),
    pair(backend, reviewer, 1),
    pair(researcher, lead, 3),
    pair(reviewer, backend, 2),
  ],
  latest: [
    {
      ...{ id: "m1", from: reviewer.name, to: backend.name, at: ago(2) },
      text: "I planned for per-account keys. Please do not merge 0042 before the property test has run on the copy of the ledger.",
    },
    {
      id: "m2",
      from: backend.name,
      to: person.name,
      at: ago(3),
      text: "Understood: budget 8 s, base 200 ms, full jitter.",
    },
    { id: "m3", from: researcher.name, to: lead.name, at: ago(9), text: "超时分布已经整理好，见附件。" },
  ],
};

/** So many people write that a table has no room for them. */
const crowd: Correspondence = {
  people: [
    lead,
    ...Array.from({ length: 11 }, (_, index) => ({ ...backend, name: `b${index}`, displayName: `b${index}` })),
  ],
  pairs: Array.from({ length: 11 }, (_, index) => ({ from: "team-lead", to: `b${index}`, count: index + 1 })),
  latest: [],
};

/** A long chain of tasks, the first half of it done. */
export function chain(length: number): TaskRow[] {
  return Array.from({ length }, (_, index): TaskRow => {
    const before = index === 0 ? [] : [String(index)];
    const done = index < length / 2;
    return {
      ...{ id: String(index + 1), subject: `Step ${index + 1}`, description: "", owner: null, since: null },
      status: done ? "completed" : "pending",
      blockedBy: before,
      openBlockers: done || index <= length / 2 ? [] : before,
    };
  });
}

/** What the host sends to a board. */
export function boardMessages(over: Partial<TeamState> = {}, rows: TaskRow[] = tasks, post = mail): HostMessage[] {
  const [state] = teamMessages({ goal: "Make checkout survive payment provider timeouts", ...over });
  return [
    ...(state ? [state] : []),
    { type: "tasks", tasks: rows },
    { type: "mail", mail: post },
    conversationMessage(),
    conversationMessage(backend.name),
    { type: "streaming", member: "team-lead", text: streamingText },
  ];
}

/** What the host sends after *Open Plan*. */
const showPlan: HostMessage = { type: "reveal", what: { kind: "request", id: "plan-1" } };

const pressIn = (name: RegExp) => async (view: View) => {
  await view.page.locator(".req-inert").waitFor({ state: "detached" });
  await view.page.getByRole("button", { name }).first().click();
};
const click = (name: RegExp) => async (view: View) => {
  await view.page.locator(".bd-node").first().waitFor();
  await view.page.getByRole("button", { name }).first().click();
};

/** The states of the board that are looked at in four themes and at several widths. */
export const BOARD_SCREENS: readonly BoardScreen[] = [
  { name: "board", messages: boardMessages({ members: eightMembers }), act: graphDrawn },
  { name: "board-task", messages: boardMessages({ members }), act: click(/Load test/) },
  { name: "board-list", messages: boardMessages({ attention: [] }), act: click(/^List$/) },
  {
    name: "board-chooser",
    messages: boardMessages({ attention: [commandRequest(), editRequest()] }, tasks, crowd),
    act: click(/^Conversations/),
  },
  { name: "board-many", messages: boardMessages({ members: eightMembers }, chain(501)) },
  { name: "board-new", messages: boardMessages({ attention: [], members: members.slice(0, 1) }, [], emptyMail()) },
  {
    name: "board-finished",
    messages: boardMessages({ attention: [], members: [], finished, tokens: 2_100_000, cost: 14.8, budget: 20 }),
    act: graphDrawn,
  },
  { name: "board-read-only", messages: boardMessages({ readOnly: "Another window runs this team." }), act: graphDrawn },
  {
    name: "plan-page",
    messages: [...boardMessages({ attention: [planRequest({ version: 2, said: "I changed step 4." })] }), showPlan],
    act: inTurn(commentOn(8, "Use 10,000 sequences."), commentOn(10, "不要用生产数据的副本。")),
  },
  {
    name: "plan-page-field",
    messages: [...boardMessages({ attention: [planRequest()] }), showPlan],
    act: inTurn(pressIn(/^Send Back…/), async ({ page }: View) => {
      await page.getByRole("button", { name: "Add a comment to line 3" }).click();
    }),
  },
  {
    name: "plan-page-unread",
    messages: [
      ...boardMessages({ attention: [planRequest({ plan: "1. One step after the other\n".repeat(90) })] }),
      showPlan,
    ],
  },
  { name: "board-no-team", messages: [emptyMessage("no_team")] },
];

function emptyMail(): Correspondence {
  return { people: [], pairs: [], latest: [] };
}

async function graphDrawn(view: View): Promise<void> {
  await view.page.locator(".bd-node").first().waitFor();
}
