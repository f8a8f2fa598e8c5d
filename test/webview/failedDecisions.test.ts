import { describe, expect, test } from "vitest";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import { stateMessage } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { button, queueSuite } from "./support/queue.ts";
import { commandRequest, planRequest } from "./support/requestFixtures.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const openQueue = queueSuite(webviewSuite());

interface Way {
  item: AttentionItem;
  opener: string;
  field: string;
  sender: string;
  /** What the field holds where nothing was typed. */
  fresh: string;
}
const { preview } = commandRequest();
const WAYS: [string, Way][] = [
  ["a reason", { item: commandRequest(), opener: "Deny…", field: "Reason, optional", sender: "Deny", fresh: "" }],
  [
    "what should change",
    { item: planRequest(), opener: "Send Back…", field: "What should change", sender: "Send Back", fresh: "" },
  ],
  [
    "an edited command",
    {
      ...{ item: commandRequest(), opener: "Edit…", field: "Command to run instead", sender: "Allow Edited Command" },
      fresh: preview.type === "command" ? preview.text : "",
    },
  ],
];

/** Opens the request and its field, and types into it. */
async function decideWith(view: View, way: Way, text: string): Promise<string> {
  await button(view, way.opener).click();
  await view.page.getByLabel(way.field).fill(text);
  await button(view, way.sender).click();
  const decided = (await view.actions()).findLast(({ type }) => type === "decide");
  if (decided?.type !== "decide") throw new Error("no decision was posted");
  return decided.intent;
}

async function typed(view: View, way: Way): Promise<string> {
  const head = view.page.locator(".req-head");
  await head.waitFor();
  if ((await view.page.locator(".req-open").count()) === 0) await head.click();
  await settled(view);
  await button(view, way.opener).click();
  return view.page.getByLabel(way.field).inputValue();
}

describe.each(WAYS)("%s that was sent", (_name, way) => {
  test("is there again when the decision failed, also where the request was gone meanwhile", async () => {
    const view = await openQueue([way.item]);
    const intent = await decideWith(view, way, "Not like this.");
    await view.send(stateMessage({ attention: [] }), stateMessage({ attention: [way.item] }));
    await view.send({ type: "done", intent, error: "The request is gone." });
    expect(await typed(view, way)).toBe("Not like this.");
  });

  test("is forgotten when the decision was taken", async () => {
    const view = await openQueue([way.item]);
    const intent = await decideWith(view, way, "Not like this.");
    await view.send({ type: "done", intent, error: null });
    await view.send(stateMessage({ attention: [] }), stateMessage({ attention: [way.item] }));
    expect(await typed(view, way)).toBe(way.fresh);
  });
});

test("what was typed is there again where no answer came", { timeout: 40_000 }, async () => {
  const [, way] = WAYS[1]!;
  const view = await openQueue([way.item]);
  await decideWith(view, way, "Not like this.");
  await view.page.locator(".req-head").waitFor({ timeout: 20_000 });
  expect(await typed(view, way)).toBe("Not like this.");
});

test("comments that were sent back, and the mode that was chosen, are there again when the decision failed", async () => {
  const view = await openQueue([planRequest()]);
  const mode = view.page.getByRole("combobox", { name: "After approval" });
  await mode.click();
  await view.page.getByRole("option", { name: "Accept edits" }).click();
  await button(view, "Add a comment to line 8").click();
  await view.page.getByRole("textbox", { name: "Comment to line 8" }).fill("Print the seed.");
  await button(view, "Add Comment").click();
  await button(view, "Send Back with 1 Comment").click();
  const decided = (await view.actions()).find(({ type }) => type === "decide");
  if (decided?.type !== "decide") throw new Error("no decision was posted");
  await view.send(stateMessage({ attention: [] }), stateMessage({ attention: [planRequest()] }));
  await view.send({ type: "done", intent: decided.intent, error: "The request is gone." });
  await view.page.locator(".req-head").waitFor();
  if ((await view.page.locator(".req-open").count()) === 0) await view.page.locator(".req-head").click();
  expect(await view.page.locator(".plan-said").textContent()).toBe("Print the seed.");
  expect(await mode.textContent()).toContain("Accept edits");
});
