import { describe, expect, test } from "vitest";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import { stateMessage } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { button, decisions, openRequests, queueSuite } from "./support/queue.ts";
import {
  alikeRequests,
  answerRequest,
  budgetRequest,
  commandRequest,
  editRequest,
  planRequest,
} from "./support/requestFixtures.ts";
import { focused, settled, webviewSuite } from "./support/suite.ts";

const openQueue = queueSuite(webviewSuite());
const HEADING = /^Needs you/;

/** Waits as long as buttons of what has just come do nothing, and presses what would allow it. */
async function pressLater(view: View): Promise<void> {
  await view.page.waitForTimeout(700);
  await view.page.keyboard.press("Control+Enter");
}

describe("what goes by itself opens no other, and leads the focus to nothing that decides", () => {
  const WAITING: [string, AttentionItem][] = [
    ["an answer", answerRequest()],
    ["a budget", budgetRequest()],
    ["a command that was decided elsewhere", commandRequest()],
    ["a plan", planRequest()],
  ];
  test.each(WAITING)("%s", async (_name, item) => {
    const view = await openQueue([item, editRequest()]);
    for (const at of [".req-head", "[data-choice=primary]"]) {
      await view.send(stateMessage({ attention: [item, editRequest()] }));
      const head = view.page.locator(`[data-request="${item.id}"] .req-head`);
      if ((await head.getAttribute("aria-expanded")) === "false") await head.click();
      await settled(view);
      await view.page.locator(`[data-request="${item.id}"] ${at}`).focus();
      await view.send(stateMessage({ attention: [editRequest()] }));
      expect(await openRequests(view)).toEqual([]);
      await expect.poll(() => focused(view)).toMatch(HEADING);
      await pressLater(view);
      await view.page.keyboard.press("Enter");
      expect(await openRequests(view)).toEqual([]);
    }
    expect(await decisions(view)).toEqual([]);
  });

  test("also where another one comes with it, and where it was one of several alike", async () => {
    const [one, two, three] = alikeRequests(3);
    const view = await openQueue([one!, two!]);
    await button(view, "Allow All 2").focus();
    await view.send(stateMessage({ attention: [two!, three!] }));
    expect(await openRequests(view)).toEqual([]);
    await pressLater(view);
    expect(await decisions(view)).toEqual([]);
  });

  test("one that was closed and had the focus", async () => {
    const view = await openQueue([commandRequest(), editRequest(), planRequest()]);
    await view.page.locator("[data-request=perm-2] .req-head").focus();
    await view.send(stateMessage({ attention: [commandRequest(), planRequest()] }));
    expect(await openRequests(view)).toEqual(["perm-1"]);
    await expect.poll(() => focused(view)).toMatch(HEADING);
  });

  test("the last one: the focus goes to the tab", async () => {
    const view = await openQueue([answerRequest()]);
    await button(view, "Answer").focus();
    await view.send(stateMessage({ attention: [] }));
    await expect.poll(() => focused(view)).toBe("tab conversation");
  });
});

test("what was being typed is not lost: it stays with the row of what has gone, and has the focus", async () => {
  const view = await openQueue([commandRequest(), editRequest()]);
  await button(view, "Deny…").click();
  await view.page.keyboard.type("not this database");
  await view.send(stateMessage({ attention: [editRequest()] }));
  expect(await openRequests(view)).toEqual([]);
  const typed = view.page.getByRole("textbox", { name: "What you typed for it" });
  expect(await typed.inputValue()).toBe("not this database");
  await expect.poll(() => focused(view)).toBe("What you typed for it");
  await view.page.keyboard.type(" and more ");
  await pressLater(view);
  expect(await decisions(view)).toEqual([]);
  await view.send(stateMessage({ attention: [commandRequest(), editRequest()] })); // asked again
  expect(await view.page.locator(".req-gone").count()).toBe(0);
  expect(await view.page.getByRole("textbox", { name: "Reason, optional" }).inputValue()).toBe("not this database");
});

test("an empty field that goes leaves no row, and the focus presses nothing", async () => {
  const view = await openQueue([commandRequest(), editRequest()]);
  await button(view, "Deny…").click();
  await view.send(stateMessage({ attention: [editRequest()] }));
  await view.page.keyboard.type("no, because ");
  await pressLater(view);
  expect(await view.page.locator(".req-gone").count()).toBe(0);
  expect(await openRequests(view)).toEqual([]);
  expect(await decisions(view)).toEqual([]);
});

test("an older one that comes does not open instead of the one that is open by itself", async () => {
  const view = await openQueue([editRequest()]);
  await view.send(stateMessage({ attention: [editRequest()] }));
  await button(view, "Deny…").click();
  await view.page.keyboard.type("not yet");
  await view.send(stateMessage({ attention: [commandRequest(), editRequest()] }));
  expect(await openRequests(view)).toEqual(["perm-2"]);
  expect(await focused(view)).toBe("Reason, optional");
});

describe("what goes after what the person did here opens the next one", () => {
  test("a budget that was raised, with the focus", async () => {
    const view = await openQueue([budgetRequest(), editRequest()]);
    await button(view, "Raise to $10").click();
    await view.send(stateMessage({ attention: [editRequest()] }));
    expect(await openRequests(view)).toEqual(["perm-2"]);
    await expect.poll(() => focused(view)).toBe("title perm-2");
  });

  test("a question that was answered; the focus stays where the answer was written", async () => {
    const view = await openQueue([answerRequest(), editRequest()]);
    await button(view, "Answer").click();
    await view.page.keyboard.type("Yes.");
    await view.page.keyboard.press("Enter");
    await view.send(stateMessage({ attention: [editRequest()] }));
    expect(await openRequests(view)).toEqual(["perm-2"]);
    expect(await focused(view)).toBe("Message to team-lead");
  });

  test("but not where the message went to another member", async () => {
    const view = await openQueue([answerRequest(), editRequest()]);
    await view.page.locator(".mem-row", { hasText: "docs" }).click();
    await view.page.getByRole("textbox", { name: "Message to docs" }).fill("Go on.");
    await view.page.keyboard.press("Enter");
    await view.send(stateMessage({ attention: [editRequest()] }));
    expect(await openRequests(view)).toEqual([]);
  });
});
