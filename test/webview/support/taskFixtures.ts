import { teamMessages } from "./fixtures.ts";
import { lead } from "./memberFixtures.ts";
import type { View } from "./page.ts";
import type { Screen } from "./screens.ts";

const quiet = { attention: [], unread: 0 };

const tasksTab = async ({ page }: View) => page.getByRole("tab", { name: /^Tasks/ }).click();
const open = async ({ page }: View, subject: RegExp) => page.locator(".task-row", { hasText: subject }).click();

/** States of the tab *Tasks* in which something is done with a task. */
export const TASK_SCREENS: readonly Screen[] = [
  {
    name: "task-new",
    messages: teamMessages(quiet),
    async act(view) {
      await tasksTab(view);
      await view.page.getByRole("button", { name: "Create Task…" }).click();
      await view.page.keyboard.type("核对退款与重试之间的幂等键");
    },
  },
  {
    name: "task-edit",
    messages: teamMessages(quiet),
    async act(view) {
      await tasksTab(view);
      await open(view, /Load test/);
      await view.page.getByRole("button", { name: "Edit…" }).click();
    },
  },
  {
    name: "task-assign",
    messages: teamMessages(quiet),
    async act(view) {
      await tasksTab(view);
      await view.page.locator(".task", { hasText: "整理" }).getByRole("button", { name: "no owner" }).click();
    },
  },
  {
    name: "task-deleted",
    messages: [
      ...teamMessages(quiet),
      {
        type: "deletedTasks",
        tasks: [
          { id: "15", subject: "Ask the provider for a longer timeout, and for a webhook when a charge settles late" },
          { id: "16", subject: "旧的重试开关" },
        ],
      },
    ],
    async act(view) {
      await tasksTab(view);
      await view.page.getByRole("button", { name: /^Deleted/ }).click();
      await view.page.getByRole("button", { name: "Bring Back Task #16" }).click();
      const [asked] = (await view.actions()).slice(-1);
      const intent = asked && "intent" in asked ? asked.intent : "";
      await view.send({ type: "done", intent, error: "There is no deleted task #16: it may be back already." });
    },
  },
  {
    name: "tasks-none",
    messages: [...teamMessages({ ...quiet, members: [], tasks: { open: 0, total: 0 } }), { type: "tasks", tasks: [] }],
    act: tasksTab,
  },
  {
    name: "tasks-owner",
    messages: teamMessages(quiet),
    async act(view) {
      await tasksTab(view);
      await view.page.getByRole("combobox", { name: "Whose tasks" }).click();
      await view.page.getByRole("tabpanel").getByRole("option", { name: lead.displayName }).click();
    },
  },
];
