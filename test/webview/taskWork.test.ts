import { describe, expect, test } from "vitest";
import type { Intent } from "../../src/protocol/intents.ts";
import { tasks, teamMessages } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { focused, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

async function openTasks(over: Parameters<typeof teamMessages>[0] = {}): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [], ...over }));
  await view.page.getByRole("tab", { name: /^Tasks/ }).click();
  return view;
}
const row = (view: View, id: string) => view.page.locator(`[data-task="${id}"]`);
const head = (view: View, id: string) => row(view, id).locator(".task-row");
const withoutId = (intents: Intent[]) =>
  intents.map((intent) => ("intent" in intent ? { ...intent, intent: "" } : intent));
/** Answers the last intent as the host would. */
async function answer(view: View, error: string | null): Promise<void> {
  const last = (await view.actions()).at(-1);
  if (!last || !("intent" in last)) throw new Error("nothing was asked");
  await view.send({ type: "done", intent: last.intent, error });
}

describe("a task is created", () => {
  test("by keyboard, where the tasks are; the focus goes back to the button", async () => {
    const view = await openTasks();
    const { page } = view;
    await page.getByRole("button", { name: "Create Task…" }).focus();
    await page.keyboard.press("Enter");
    expect(await focused(view)).toBe("What is to be done");
    await page.keyboard.press("Enter");
    expect(await view.actions()).toEqual([]);
    await page.keyboard.type("Tidy up");
    await page.keyboard.press("Tab");
    await page.keyboard.type("All of it.");
    await page.keyboard.press("Control+Enter");
    expect(withoutId(await view.actions())).toEqual([
      { type: "createTask", intent: "", subject: "Tidy up", description: "All of it." },
    ]);
    await answer(view, null);
    expect(await page.locator(".task-new").count()).toBe(0);
    expect(await focused(view)).toBe("Create Task…");
    await expect.poll(() => page.getByRole("status").textContent()).toContain("Created: Tidy up.");
  });

  test("what is typed survives a reload and Esc; a failure is said below it", async () => {
    const view = await openTasks();
    const subject = view.page.getByRole("textbox", { name: "What is to be done" });
    await view.page.getByRole("button", { name: "Create Task…" }).click();
    await subject.fill("Tidy up");
    await view.reload();
    await view.send(...teamMessages({ attention: [] }));
    expect(await subject.inputValue()).toBe("Tidy up");
    await subject.press("Escape");
    expect(await subject.count()).toBe(0);
    await view.page.getByRole("button", { name: "Create Task…" }).click();
    await subject.press("Enter");
    await answer(view, "The disk is full; free some space and try again.");
    expect(await view.page.locator(".task-new .task-error").textContent()).toContain("The disk is full");
    expect(await subject.inputValue()).toBe("Tidy up");
  });
});

test("a task is created once, however often Enter is pressed before the answer; after a failure it can be again", async () => {
  const view = await openTasks();
  const { page } = view;
  const created = async () => (await view.actions()).filter(({ type }) => type === "createTask").length;
  await page.getByRole("button", { name: "Create Task…" }).click();
  const subject = page.getByRole("textbox", { name: "What is to be done" });
  await subject.fill("Tidy up");
  await subject.evaluate((element) => {
    for (let times = 0; times < 2; times += 1)
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  });
  await subject.press("Enter");
  await page.locator(".task-new button[type=submit][aria-disabled=true]").waitFor();
  expect(await created()).toBe(1);
  await answer(view, "The disk is full; free some space and try again.");
  await subject.press("Enter");
  await expect.poll(created).toBe(2);
});

describe("a task is assigned", () => {
  test("from the place where its owner would stand, to a member that is there", async () => {
    const view = await openTasks();
    await row(view, "11").getByRole("button", { name: "no owner" }).click();
    const items = await view.page.getByRole("menuitem").allTextContents();
    expect(items).toEqual(["team-lead", "backend", "frontend", "研究员", "ledger-and-idempotency-reviewer", "docs"]);
    await view.page.getByRole("menuitem", { name: "研究员" }).click();
    expect(withoutId(await view.actions())).toEqual([
      { type: "assignTask", intent: "", task: "11", owner: "yan-jiu-yuan" },
    ]);
  });

  test("by keyboard from its menu, or to nobody; the focus stays at the row", async () => {
    const view = await openTasks();
    const { page } = view;
    await head(view, "7").focus();
    await page.keyboard.press("Shift+F10");
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Assign…", "Edit…", "Delete"]);
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    expect(await focused(view)).toBe("Nobody");
    await page.keyboard.press("Enter");
    expect(withoutId(await view.actions())).toEqual([{ type: "assignTask", intent: "", task: "7", owner: null }]);
    await answer(view, "Task #7 belongs to backend.");
    expect(await row(view, "7").locator(".task-error").textContent()).toBe("Task #7 belongs to backend.");
    await expect.poll(() => page.getByRole("status").textContent()).toContain("Task #7 belongs to backend.");
    await expect.poll(() => focused(view)).toContain("Retry with backoff");
  });

  test("from a menu that stays when the task comes to another group meanwhile", async () => {
    const view = await openTasks();
    const { page } = view;
    const ready = tasks.find(({ id }) => id === "11");
    if (!ready) throw new Error("no task 11");
    await head(view, "11").click({ button: "right" });
    const menu = page.getByRole("menu");
    const before = { place: await menu.boundingBox(), choices: await menu.innerText() };
    await view.send({ type: "taskRows", rows: [{ ...ready, status: "in_progress" }], removed: [] });
    expect(await page.locator(".task-in_progress[data-task='11']").count()).toBe(1);
    expect({ place: await menu.boundingBox(), choices: await menu.innerText() }).toEqual(before);
    await page.keyboard.press("Escape");
    expect(await menu.count()).toBe(0);
    expect(await focused(view)).toContain(ready.subject);
    await head(view, "11").click({ button: "right" });
    await head(view, "7").click({ button: "right" });
    await page.getByRole("menu", { name: "Actions for task #7" }).waitFor();
    await view.send({ type: "taskRows", rows: [], removed: ["7"] });
    expect(await menu.count()).toBe(0);
    await view.send({ type: "tasks", tasks }); // it does not open by itself where its task comes back
    await row(view, "7").waitFor();
    expect(await menu.count()).toBe(0);
  });
});

describe("a task is edited", () => {
  test("only what differs is sent, and the row's own texts stand in the fields", async () => {
    const view = await openTasks();
    await head(view, "12").click();
    await row(view, "12").getByRole("button", { name: "Edit…" }).click();
    const subject = view.page.getByRole("textbox", { name: "What is to be done" });
    expect(await subject.inputValue()).toBe("Write the runbook for stuck charges");
    await subject.fill("Write the runbook");
    await subject.press("Enter");
    expect(withoutId(await view.actions())).toEqual([
      { type: "editTask", intent: "", task: "12", subject: "Write the runbook" },
    ]);
    await answer(view, null);
    expect(await subject.count()).toBe(0);
    expect(await focused(view)).toContain("Write the runbook");
  });

  test("what somebody else changed meanwhile is said before it is replaced, and stays where the person changed nothing", async () => {
    const view = await openTasks();
    const { page } = view;
    const changed = (over: Partial<(typeof tasks)[number]>) =>
      view.send({ type: "tasks", tasks: tasks.map((task) => (task.id === "12" ? { ...task, ...over } : task)) });
    await head(view, "12").click();
    await row(view, "12").getByRole("button", { name: "Edit…" }).click();
    const subject = page.getByRole("textbox", { name: "What is to be done" });
    const note = row(view, "12").getByText("Changed meanwhile: saving replaces it.");
    await subject.fill("Write the runbook");
    await changed({ description: "Two pages." });
    await expect
      .poll(() => page.getByRole("textbox", { name: "Description, optional" }).inputValue())
      .toBe("Two pages.");
    expect(await note.count()).toBe(0);
    await changed({ description: "Two pages.", subject: "Write it for the person on call" });
    await note.waitFor();
    await expect.poll(() => page.getByRole("status").textContent()).toContain("Changed meanwhile");
    expect(await subject.inputValue()).toBe("Write the runbook");
    await subject.fill("Write the runbook for stuck charges"); // as it was: nothing to save
    await note.waitFor({ state: "detached" });
    await subject.fill("Write the runbook");
    await note.waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    expect(withoutId(await view.actions())).toEqual([
      { type: "editTask", intent: "", task: "12", subject: "Write the runbook" },
    ]);
  });

  test("a description that is not there is asked for where the task is opened, and waited for before it is edited", async () => {
    const view = await openTasks();
    const without = tasks.map((task) => ({ ...task, description: null }));
    await view.send({ type: "tasks", tasks: without });
    await head(view, "12").click();
    const asked = async () => (await view.posted()).filter(({ type }) => type === "openTask");
    expect(await asked()).toEqual([{ type: "openTask", task: "12" }]);
    await row(view, "12").getByRole("button", { name: "Edit…" }).click();
    const field = view.page.getByRole("textbox", { name: "Description, optional" });
    expect(await field.count()).toBe(0);
    const whole = tasks.filter(({ id }) => id === "12");
    await view.send({ type: "taskRows", rows: whole, removed: [] });
    expect(await field.inputValue()).toBe(whole[0]?.description);
    await view.page.getByRole("button", { name: "Cancel" }).click();
    expect(await row(view, "12").locator(".task-detail").innerText()).toContain("What must be true");
    await view.send({ type: "tasks", tasks: without }); // the host begins anew
    expect((await asked()).at(-1)).toEqual({ type: "openTask", task: "12" });
  });

  test("a description that was sent cut is never written back", async () => {
    const view = await openTasks();
    const long = tasks.map((task) => (task.id === "12" ? { ...task, description: `${"x".repeat(2_000)}…` } : task));
    await view.send({ type: "tasks", tasks: long });
    await head(view, "12").click();
    await row(view, "12").getByRole("button", { name: "Edit…" }).click();
    expect(await view.page.getByRole("textbox", { name: "Description, optional" }).count()).toBe(0);
    await view.page.getByRole("textbox", { name: "What is to be done" }).fill("Other");
    await view.page.getByRole("button", { name: "Save" }).click();
    expect(withoutId(await view.actions())).toEqual([{ type: "editTask", intent: "", task: "12", subject: "Other" }]);
  });
});

test("a task is deleted, and comes back from the group of deleted ones", async () => {
  const view = await openTasks();
  await head(view, "12").click();
  await row(view, "12").getByRole("button", { name: "Delete" }).click();
  await view.send(
    { type: "tasks", tasks: tasks.filter(({ id }) => id !== "12") },
    { type: "deletedTasks", tasks: [{ id: "12", subject: "Write the runbook for stuck charges" }] },
  );
  expect((await view.posted()).filter(({ type }) => type === "listDeletedTasks").length).toBe(2);
  await view.page.getByRole("button", { name: /^Deleted/ }).click();
  await view.page.getByRole("button", { name: "Bring Back Task #12" }).click();
  expect(withoutId(await view.actions())).toEqual([
    { type: "deleteTask", intent: "", task: "12" },
    { type: "restoreTask", intent: "", task: "12" },
  ]);
});

test("the focus goes with a task that moves to another group, and stays where the person put it", async () => {
  const view = await openTasks();
  const moved = (id: string) =>
    tasks.map((task) => (task.id === id ? { ...task, status: "in_progress" as const } : task));
  await head(view, "12").focus();
  await view.send({ type: "tasks", tasks: moved("12") });
  expect(await focused(view)).toContain("Write the runbook");
  await head(view, "11").focus();
  await view.page.getByRole("textbox", { name: "Message to team-lead" }).focus();
  await view.send({ type: "tasks", tasks: moved("11") });
  expect(await focused(view)).toBe("Message to team-lead");
});

test("deleted tasks are asked for again when one is deleted and another comes in the same moment", async () => {
  const view = await openTasks();
  const asked = async () => (await view.posted()).filter(({ type }) => type === "listDeletedTasks").length;
  await expect.poll(asked).toBe(1);
  const [gone, ...rest] = tasks;
  if (!gone) throw new Error("no fixtures");
  await view.send({ type: "tasks", tasks: [...rest, { ...gone, id: "900" }] });
  await expect.poll(asked).toBe(2);
});

test("the platform's key for finding leads to the filter also from the tabs", async () => {
  const view = await openTasks();
  await view.page.getByRole("tab", { name: /^Tasks/ }).focus();
  const find = async () => {
    await view.page.keyboard.press("Control+f"); // heard once the filter has been drawn
    return focused(view);
  };
  await expect.poll(find).toBe("Filter tasks");
});

test("who waits for what leads to the other task, through filters and closed groups", async () => {
  const view = await openTasks();
  const { page } = view;
  await page.getByRole("textbox", { name: "Filter tasks" }).fill("load test");
  await head(view, "10").click();
  expect(await row(view, "10").locator(".task-links").allInnerTexts()).toEqual([
    expect.stringMatching(/Waits for\s+#6 Check ledger[\s\S]*#7 Retry/),
    expect.stringMatching(/Holds back\s+#13 Feature flag/),
  ]);
  await row(view, "10")
    .getByRole("button", { name: /#7 Retry/ })
    .click();
  await expect.poll(() => focused(view)).toContain("Retry with backoff in PaymentClient");
  expect(await page.getByRole("textbox", { name: "Filter tasks" }).inputValue()).toBe("#7");
});

test("a task that cannot be read stands by its number among what is waited for", async () => {
  const view = await openTasks();
  await view.send({ type: "tasks", tasks: tasks.filter(({ id }) => id !== "7") });
  await head(view, "10").click();
  const items = row(view, "10").locator(".task-links").first().getByRole("listitem");
  await expect.poll(() => items.allInnerTexts()).toEqual([expect.stringMatching(/^#6 Check ledger/), "#7"]);
});

test("tasks of one owner, or of nobody, are shown alone; the choice survives a reload", async () => {
  const view = await openTasks();
  const { page } = view;
  const numbers = () => page.locator(".task-number").allTextContents();
  await page.getByRole("combobox", { name: "Whose tasks" }).click();
  await page.getByRole("tabpanel").getByRole("option", { name: "backend" }).click();
  expect(await numbers()).toEqual(["7"]);
  await view.reload();
  await view.send(...teamMessages({ attention: [] }));
  expect(await numbers()).toEqual(["7"]);
  await page.getByRole("combobox", { name: "Whose tasks" }).click();
  await page.getByRole("tabpanel").getByRole("option", { name: "no owner" }).click();
  expect(await numbers()).toEqual(["11", "9", "10", "13", "14"]);
});

test("a team that is only read offers nothing of this", async () => {
  const view = await openTasks({ readOnly: "Another window runs this team. It can only be read here." });
  await head(view, "12").click();
  await head(view, "12").click({ button: "right" });
  expect(await view.page.getByRole("menuitem").count()).toBe(0);
  for (const name of ["Create Task…", "Assign…", "Edit…", "Delete", "no owner"])
    expect(await view.page.getByRole("button", { name, exact: true }).count()).toBe(0);
  expect((await view.posted()).some(({ type }) => type === "listDeletedTasks")).toBe(false);
});

test("an empty tab says why nothing is shown, and a thread shows from outside that a message was never read", async () => {
  const view = await openTasks({});
  const { page } = view;
  await view.send({ type: "tasks", tasks: [] });
  await page.getByText("No tasks yet.").waitFor();
  await page.getByPlaceholder("Filter tasks").fill("#1");
  await page.getByText("No task matches.").waitFor();
  await page.getByRole("tab", { name: /^Inboxes/ }).click();
  await page.locator(".thr").first().waitFor();
  const dead = page.locator(".thr-head", { has: page.getByRole("img", { name: /^Never read/ }) });
  expect(await dead.allInnerTexts()).toEqual([expect.stringContaining("docs")]);
});
