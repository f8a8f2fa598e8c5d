import { describe, expect, test } from "vitest";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import { conversationMessage, finished, stateMessage, tasks, teamMessages, threads } from "./support/fixtures.ts";
import { members } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { alikeRequests, commandRequest, editRequest, planRequest, threeRequests } from "./support/requestFixtures.ts";
import { focused, settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

async function openQueue(...attention: AttentionItem[]): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention }));
  if (attention.length > 0) await settled(view);
  return view;
}
const button = (view: View, name: string | RegExp) => view.page.getByRole("button", { name }).first();
/** Presses a button as a person without a mouse does. */
async function press(view: View, name: string | RegExp): Promise<void> {
  await button(view, name).focus();
  await view.page.keyboard.press("Enter");
}

test("Cancel and Esc in a field give the focus back to the button that opened it", async () => {
  const view = await openQueue(commandRequest());
  for (const name of ["Deny…", "Edit…"]) {
    await press(view, name);
    await press(view, "Cancel");
    await expect.poll(() => focused(view)).toBe(name);
    await view.page.keyboard.press("Enter");
    await view.page.locator(".req-field textarea").waitFor();
    await expect.poll(() => view.page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await view.page.keyboard.press("Escape");
    await expect.poll(() => focused(view)).toBe(name);
  }
});

test("one by one leads to the title of the first, and the keys of a request work from there", async () => {
  const view = await openQueue(...alikeRequests(3));
  await press(view, "One by One");
  await expect.poll(() => focused(view)).toBe("title alike-1");
});

test("the rest of a plan is read on from its first line, and a comment that is deleted leaves the line", async () => {
  const view = await openQueue(planRequest());
  const shown = await view.page.locator(".plan-line").count();
  await press(view, /more lines$/);
  const first = view.page.locator(".plan-line").nth(shown);
  const line = await first.getAttribute("data-line");
  await expect.poll(() => focused(view)).toBe(`Add a comment to line ${line}`);
  await view.page.keyboard.press("Enter");
  await view.page.keyboard.type("Why?");
  await view.page.keyboard.press("Control+Enter");
  await press(view, `Delete the comment to line ${line}`);
  await expect.poll(() => focused(view)).toBe(`Add a comment to line ${line}`);
});

test("what is pressed and goes by it leaves the focus beside its place, never on a button that decides", async () => {
  const lines = Array.from({ length: 60 }, (_, at) => ({
    kind: "added" as const,
    line: at + 1,
    text: `line ${at + 1}`,
  }));
  const preview = { type: "edit" as const, path: "src/long.ts", lines, added: 60, removed: 0, omitted: 0 };
  const view = await openQueue(editRequest({ id: "long", preview, said: null }));
  await press(view, "Show 20 More Lines");
  await expect.poll(() => focused(view)).toBe("title long");
  const detail = Array.from({ length: 40 }, (_, at) => `case ${at}`).join("\n");
  const tool = {
    type: "tool" as const,
    at: 1,
    name: "Bash",
    argument: "npm test",
    state: "ok" as const,
    ms: 1,
    detail,
  };
  await view.send(stateMessage({ attention: [] }), conversationMessage("team-lead", [tool]));
  await press(view, /^Bash/);
  await press(view, /More Lines$/);
  await expect.poll(() => focused(view)).toMatch(/Bash/);
});

test("who types or has pressed elsewhere is led nowhere", async () => {
  const view = await openQueue(commandRequest());
  await view.page.getByRole("textbox", { name: "Message to team-lead" }).fill("a draft");
  await view.send(stateMessage({ attention: [], readOnly: "Another process leads this team." }));
  await expect.poll(() => view.page.locator(".cmp").count()).toBe(0);
  expect(await focused(view)).toBe("nothing");
});

describe("one row of a list can be reached by Tab", () => {
  const TASK_ROWS = "button.task-row, .task-group-head";
  /** The rows of a list that Tab reaches, by their place in it. */
  const stops = (view: View, rows: string) =>
    view.page
      .locator(rows)
      .evaluateAll((all) => all.flatMap((row, at) => (row instanceof HTMLElement && row.tabIndex === 0 ? [at] : [])));
  /** Goes to the second row as a person without a mouse does, and on to the composer. */
  async function visitSecond(view: View, rows: string): Promise<void> {
    await view.page.locator(rows).first().focus();
    await view.page.keyboard.press("ArrowDown");
    await expect.poll(() => stops(view, rows)).toEqual([1]);
    await view.page.getByRole("textbox", { name: "Message to team-lead" }).focus();
  }

  test("when the task that was visited is completed, or its group is closed", async () => {
    const view = await openQueue();
    await view.page.getByRole("tab", { name: /Tasks/ }).click();
    await expect.poll(() => stops(view, TASK_ROWS)).toEqual([0]);
    await visitSecond(view, TASK_ROWS);
    const done = tasks.map((task) => (task.id === "6" ? { ...task, status: "completed" as const } : task));
    await view.send({ type: "tasks", tasks: done });
    await expect.poll(() => stops(view, TASK_ROWS)).toEqual([0]);
    await visitSecond(view, TASK_ROWS);
    await view.page
      .locator(".task-group-head")
      .first()
      .evaluate((head: HTMLElement) => head.click());
    await expect.poll(() => stops(view, TASK_ROWS)).toEqual([0]);
    await view.send({ type: "tasks", tasks: [] });
    await view.send({ type: "deletedTasks", tasks: [{ id: "1", subject: "Read the code" }] });
    await expect.poll(() => stops(view, TASK_ROWS)).toEqual([0]);
  });

  test("when the member that was visited leaves, and when another one is chosen", async () => {
    const view = await openQueue();
    await visitSecond(view, ".mem-row");
    await view.send(stateMessage({ attention: [], members: members.filter((_, at) => at !== 1) }));
    await expect.poll(() => stops(view, ".mem-row")).toEqual([0]);
    await visitSecond(view, ".mem-row");
    await view.page
      .locator(".mem-row")
      .nth(2)
      .evaluate((row: HTMLElement) => row.click());
    await expect.poll(() => stops(view, ".mem-row")).toEqual([2]);
  });

  test("when the request that was visited is decided elsewhere", async () => {
    const view = await openQueue(...threeRequests());
    await visitSecond(view, ".req-head");
    await view.send(stateMessage({ attention: threeRequests().filter((_, at) => at !== 1) }));
    await expect.poll(() => view.page.locator(".req-head").count()).toBe(2);
    await expect.poll(() => stops(view, ".req-head")).toEqual([0]);
  });

  test("when the thread that was visited goes, and with the focus where it is when a newer one comes", async () => {
    const view = await openQueue();
    await view.page.getByRole("tab", { name: /Inboxes/ }).click();
    await visitSecond(view, ".thr-head");
    await view.send({ type: "threads", threads: threads.filter((_, at) => at !== 1) });
    await expect.poll(() => stops(view, ".thr-head")).toEqual([0]);
    await view.page.locator(".thr-head").first().focus();
    await view.page.keyboard.press("ArrowDown");
    await view.send({ type: "threads", threads: [threads[1]!, threads[0]!, ...threads.slice(2)] });
    await expect.poll(() => stops(view, ".thr-head")).toEqual([2]);
  });

  test("when the row of a finished team that was visited goes", async () => {
    const view = await openQueue();
    const send = (byMember: typeof finished.byMember) =>
      view.send(stateMessage({ attention: [], finished: { ...finished, byMember } }));
    await send(finished.byMember);
    await view.page.locator(".fin-row").first().focus();
    await view.page.keyboard.press("ArrowDown");
    await send(finished.byMember.filter((_, at) => at !== 1));
    await expect.poll(() => stops(view, ".fin-row")).toEqual([0]);
  });
});
