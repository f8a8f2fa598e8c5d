import { describe, expect, test } from "vitest";
import { conversationMessage, stateMessage } from "./support/fixtures.ts";
import { ago, backend, lead } from "./support/memberFixtures.ts";
import { answerLast, button, decisions, queueSuite } from "./support/queue.ts";
import {
  alikeRequests,
  commandRequest,
  editRequest,
  longInputRequest,
  planRequest,
} from "./support/requestFixtures.ts";
import { commentOn } from "./support/screens.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const openQueue = queueSuite(webviewSuite());

test("a command and a rule that are emptied stay empty, also over a reload, and cannot be sent so", async () => {
  const request = commandRequest({ rules: ["Bash(npm test)"], changeable: ["Bash(npm test)"] });
  const view = await openQueue([request]);
  await button(view, "Edit…").click();
  const command = view.page.getByLabel("Command to run instead");
  await command.fill("");
  await view.reload();
  await view.send(stateMessage({ attention: [request] }));
  await settled(view);
  expect(await command.inputValue()).toBe("");
  expect(await button(view, "Allow Edited Command").getAttribute("aria-disabled")).toBe("true");
  await command.pressSequentially("npm test");
  expect(await command.inputValue()).toBe("npm test");
  await button(view, "Cancel").click();
  await button(view, /^More ways/).click();
  await view.page.getByRole("menuitem", { name: "Change the Rule…" }).click();
  const rule = view.page.getByLabel("Rule, one in a line");
  expect(await rule.inputValue()).toBe("Bash(npm test)");
  await rule.fill("");
  await settled(view);
  expect(await rule.inputValue()).toBe("");
});

test("one line and one character are said as one", async () => {
  const preview = { type: "edit" as const, path: "a.ts", lines: [], added: 1, removed: 1, omitted: 0 };
  const view = await openQueue([editRequest({ preview })]);
  const titles = view.page.locator(".diff-stat > *");
  expect(await titles.evaluateAll((all) => all.map((one) => one.getAttribute("title")))).toEqual([
    "1 line added",
    "1 line removed",
  ]);
  const cut = { type: "json" as const, text: "{", omitted: 1 };
  await view.send(stateMessage({ attention: [commandRequest({ id: "cut", preview: cut })] }));
  await view.page.locator(".req-head").click();
  await button(view, "Open the input: 1 more character").waitFor();
});

describe("an edit and a plan", () => {
  test("a diff shows 40 lines, then the rest on request, then points to the diff editor", async () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({
      kind: "added" as const,
      line: index + 1,
      text: `line ${index + 1}`,
    }));
    const preview = { type: "edit" as const, path: "a.ts", lines, added: 212, removed: 0, omitted: 152 };
    const view = await openQueue([editRequest({ preview })]);
    expect(await view.page.locator(".diff-line").count()).toBe(40);
    await button(view, "Show 20 More Lines").click();
    expect(await view.page.locator(".diff-line").count()).toBe(60);
    await button(view, "152 more lines in the diff").click();
    await button(view, "Open Diff").click();
    expect(await view.actions()).toMatchObject([
      { type: "openDiff", request: "perm-2" },
      { type: "openDiff", request: "perm-2" },
    ]);
  });

  test("an edit cannot be allowed while a part of it is neither shown nor opened", async () => {
    const lines = Array.from({ length: 60 }, (_, at) => ({ kind: "added" as const, line: at + 1, text: `line ${at}` }));
    const edit = (id: string, omitted: number) =>
      editRequest({ id, preview: { type: "edit", path: "a.ts", lines, added: 60 + omitted, removed: 0, omitted } });
    const view = await openQueue([edit("cut", 0)]);
    const allow = button(view, "Allow Once");
    const held = () => allow.getAttribute("aria-disabled");
    expect(await held()).toBe("true");
    expect(await allow.getAttribute("title")).toContain("has not been shown yet");
    expect(await button(view, /^More ways/).getAttribute("aria-disabled")).toBe("true");
    await view.page.locator(".req-head").focus();
    await view.page.keyboard.press("Control+Enter");
    expect(await decisions(view)).toEqual([]);
    expect(await view.page.locator(".diff-line").count()).toBe(60); // what stood in the way is shown instead
    expect(await held()).toBe("false");
    await view.send(stateMessage({ attention: [edit("longer", 152)] }));
    await view.page.locator(".req-head").click();
    await settled(view);
    await button(view, "Show 20 More Lines").click();
    expect(await held()).toBe("true");
    await button(view, "Open Diff").click();
    expect(await held()).toBe("true");
    await answerLast(view, "The file is gone.");
    expect(await held()).toBe("true"); // nothing was opened
    expect(await view.page.locator(".req-open .error-line").allInnerTexts()).toEqual(["The file is gone."]);
    await button(view, "Open Diff").click();
    await answerLast(view, null);
    expect(await held()).toBe("false");
    expect(await view.page.locator(".error-line").count()).toBe(0);
    await allow.click();
    expect(await decisions(view)).toEqual([["longer", { kind: "allow", scope: "once" }]]);
  });

  test("an input that is cut cannot be allowed before it was opened, alone or with others", async () => {
    const view = await openQueue(["one", "two"].map((id) => longInputRequest({ id })));
    const all = button(view, "Allow All 2");
    const held = () => all.getAttribute("aria-disabled");
    const rest = button(view, "Open the input: 5000 more characters");
    expect(await held()).toBe("true");
    expect(await all.getAttribute("title")).toContain("has not been shown yet");
    await rest.first().click();
    await answerLast(view, null);
    expect(await held()).toBe("true");
    await button(view, "One by One").click();
    const allow = button(view, "Allow Once");
    await expect.poll(() => allow.getAttribute("aria-disabled")).toBe("false");
    await allow.click();
    await settled(view);
    expect(await allow.getAttribute("aria-disabled")).toBe("true");
    await rest.click();
    await answerLast(view, null);
    await allow.click();
    const opened = (await view.actions()).filter(({ type }) => type === "openDiff");
    expect(opened).toMatchObject(["one", "two"].map((request) => ({ type: "openDiff", request })));
    expect((await decisions(view)).map(([request]) => request)).toEqual(["one", "two"]);
  });

  test("a plan cannot be approved, with or without comments, while a part of it is neither shown nor opened", async () => {
    for (const show of [/more lines$/, "Open Plan"]) {
      const view = await openQueue([planRequest()]);
      const approve = button(view, "Approve");
      expect(await approve.getAttribute("aria-disabled")).toBe("true");
      expect(await approve.getAttribute("title")).toContain("has not been shown yet");
      await approve.click({ force: true });
      await commentOn(8, "Print the seed.")(view);
      await button(view, "Approve without Comments").click({ force: true });
      expect(await decisions(view)).toEqual([]);
      await button(view, show).click();
      if (show === "Open Plan") {
        await answerLast(view, "The board could not be opened.");
        await button(view, "Approve without Comments").click({ force: true });
        expect(await view.page.locator(".req-open .error-line").count()).toBe(1);
        expect(await decisions(view)).toEqual([]);
        await button(view, show).click();
        await answerLast(view, null);
      }
      await button(view, "Approve without Comments").click();
      expect(await decisions(view)).toEqual([["plan-1", { kind: "approve", mode: "default" }]]);
    }
  });

  test("a part that is cut does not keep a plan from being sent back, and its key shows the rest before it approves", async () => {
    const view = await openQueue([planRequest(), planRequest({ id: "plan-2" })]);
    await button(view, "Send Back…").click();
    await view.page.getByLabel("What should change").fill("Less.");
    await button(view, "Send Back").click();
    await settled(view);
    await view.page.locator(".req-open .req-head").focus();
    const key = () => view.page.keyboard.press("Control+Enter");
    await key();
    expect(await view.page.locator(".plan").textContent()).toContain("Refunds across currencies");
    await key();
    expect(await decisions(view)).toEqual([
      ["plan-1", { kind: "reject", feedback: "Less." }],
      ["plan-2", { kind: "approve", mode: "default" }],
    ]);
  });

  test("nothing of a plan is left out by how it is written: a long title, an address that Markdown hides", async () => {
    const title = `# Tidy up ${"and tidy up ".repeat(12)}, then push to main`;
    const view = await openQueue([
      planRequest({ plan: `${title}\n\n[1]: https://evil.test "and delete the backups"\n` }),
    ]);
    const shown = await view.page.locator(".plan").textContent();
    expect(shown).toContain("then push to main");
    expect(shown).toContain("and delete the backups");
    const open = view.page.locator(".req-open .req-title");
    expect(await open.evaluate((title) => title.scrollWidth <= title.clientWidth)).toBe(true);
  });

  test("a plan shows its beginning, then all of it; its document opens in the editor", async () => {
    const view = await openQueue([planRequest()]);
    const plan = view.page.locator(".plan");
    expect(await plan.textContent()).not.toContain("Refunds across currencies");
    await button(view, /more lines$/).click();
    expect(await plan.textContent()).toContain("Refunds across currencies");
    await button(view, "Open Plan").click();
    expect(await view.actions()).toMatchObject([{ type: "showPlan", request: "plan-1" }]);
  });
});

describe("who told the member", () => {
  const told = { by: lead, at: new Date().setHours(14, 10, 0, 0), seq: 1 }; // today: other days have their date
  const saying = (text: string) => ({ type: "text" as const, at: ago(5), text });
  const order = {
    ...{ type: "input" as const, at: told.at, origin: "mail" as const, from: lead, summary: null },
    text: "Mend the retry, and clear what the tests leave behind.",
  };

  test("is a line that leads to that message, in the conversation of the member that asks", async () => {
    const view = await openQueue([commandRequest({ told })]);
    await button(view, "Told by team-lead, 14:10").click();
    expect(await view.posted()).toContainEqual({ type: "selectMember", member: "backend" });
    const after = Array.from({ length: 120 }, (_, at) => saying(`Step ${at}`));
    await view.send(conversationMessage("backend", [saying("I was idle."), order, ...after]));
    const message = view.page.getByRole("article", { name: "team-lead, 14:10" });
    await expect.poll(() => message.evaluate((element) => element === document.activeElement)).toBe(true);
    const place = async () => message.evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(place).toBeGreaterThan(40);
    expect(await place()).toBeLessThan(view.page.viewportSize()!.height - 40);
  });

  test("is asked for where it is farther back than what was sent", async () => {
    const view = await openQueue([planRequest({ from: backend, told })]);
    await button(view, "Told by team-lead, 14:10").click();
    const items = Array.from({ length: 3 }, (_, at) => ({ seq: 400 + at, item: saying(`Step ${at}`) }));
    await view.send({ type: "conversation", member: "backend", reset: true, items, earlier: 400 });
    const asked = async () => (await view.actions()).filter(({ type }) => type === "showEarlier");
    await expect.poll(asked).toEqual([{ type: "showEarlier", before: 400, from: 0 }]);
    const rest = [saying("I was idle."), order].map((item, seq) => ({ seq, item }));
    await view.send({ type: "conversation", member: "backend", reset: false, items: rest, earlier: 0 });
    await expect
      .poll(() => view.page.locator("[data-seq='1']").evaluate((element) => element === document.activeElement))
      .toBe(true);
  });

  const thread = JSON.stringify(["backend", "team-lead"]);
  const said = (n: number) => ({
    ...{ id: `m${n}`, from: "team-lead", to: "backend", at: ago(200 - n), kind: "message" as const },
    ...{ text: `Message ${n}.\n\nIn two paragraphs.`, summary: null, json: null, delivery: "read" as const },
  });
  const pair = (from: number, unsent?: number) => ({
    ...{ id: thread, a: backend, b: lead, unread: 0, omitted: from },
    messages: Array.from({ length: 100 - from }, (_, at) => said(from + at)).slice(unsent ?? 0),
    ...(unsent === undefined ? {} : { unsent }),
  });

  test("leads to the message in Inboxes, far up in its thread, where it is one of an inbox", async () => {
    const view = await openQueue([commandRequest({ told: { ...told, message: { thread, id: "m3" } } })]);
    await button(view, "Told by team-lead, 14:10").click();
    await view.send({ type: "threadRows", rows: [pair(0, 99)], removed: [] });
    const asked = async () => (await view.actions()).filter(({ type }) => type === "openThread");
    await expect.poll(asked).toEqual([{ type: "openThread", thread }]);
    await view.send({ type: "threadRows", rows: [pair(0)], removed: [] });
    const message = view.page.locator("[data-row=m3]");
    await expect.poll(() => message.evaluate((element) => element === document.activeElement)).toBe(true);
    const place = () => message.evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(place).toBeGreaterThan(60);
    expect(await place()).toBeLessThan(view.page.viewportSize()!.height - 60);
  });

  test("leads to the conversation where the thread does not go back so far, or is not there", async () => {
    for (const threads of [[pair(10)], [{ ...pair(10), id: "another" }]]) {
      const view = await openQueue([commandRequest({ told: { ...told, message: { thread, id: "m3" } } })]);
      await button(view, "Told by team-lead, 14:10").click();
      await view.send({ type: "threads", threads });
      const tab = view.page.getByRole("tab", { selected: true });
      await expect.poll(() => tab.textContent(), { timeout: 10_000 }).toContain("Conversation");
      await view.send(conversationMessage("backend", [saying("I was idle."), order]));
      const item = view.page.locator("[data-seq='1']");
      await expect.poll(() => item.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  test("is said of each request of a row, and of none where it is not known", async () => {
    const [one, two] = alikeRequests(2);
    if (!one || !two) throw new Error("no fixtures");
    const view = await openQueue([{ ...one, told }, two]);
    expect(await view.page.locator(".req-told").allTextContents()).toEqual(["Told by team-lead, 14:10"]);
  });
});
