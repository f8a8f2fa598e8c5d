import { describe, expect, test } from "vitest";
import type { ConversationItem, MemberRef } from "../../src/protocol/panel.ts";
import { HOSTILE } from "../support/hostileStrings.ts";
import { emptyMessage, finished, stateMessage, tasks, threads } from "./support/fixtures.ts";
import { ago, members } from "./support/memberFixtures.ts";
import { answerRequest, commandRequest, editRequest, planRequest } from "./support/requestFixtures.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const hostile = HOSTILE.join("\n\n");

/** Runs in the page. */
function inspect() {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].map((link) => link.href);
  const handlers = [...document.querySelectorAll("*")].flatMap((element) =>
    element.getAttributeNames().filter((name) => name.startsWith("on")),
  );
  const foreign = "script:not([nonce]), body style, img, iframe, svg, form:not(.cmp, .emp-form), object, embed, math";
  return {
    pwned: "pwned" in window,
    links: [...new Set(links)],
    handlers,
    foreign: document.querySelectorAll(`#root :is(${foreign})`).length,
    inline: document.querySelectorAll("#root [style]").length,
    roots: document.querySelectorAll("#root").length,
  };
}
const HARMLESS = { pwned: false, links: ["https://example.com/a?b=c"], handlers: [], foreign: 0, inline: 0, roots: 1 };

const conversation: ConversationItem[] = [
  { type: "input", at: ago(3), origin: "mail", from: null, text: hostile, summary: hostile },
  ...HOSTILE.map((text): ConversationItem => ({ type: "text", at: ago(2), text })),
  { type: "tool", at: ago(1), name: hostile, argument: hostile, state: "ok", ms: 1, detail: hostile },
  { type: "note", at: ago(1), tone: "error", text: hostile },
];
const mallory: MemberRef = { name: "mallory", displayName: hostile, color: 'red" onclick="x', role: "teammate" };

describe("text that others wrote does nothing", () => {
  test("in a conversation and in the reply that is written", async () => {
    const view = await open();
    await view.send(
      stateMessage({ attention: [], title: hostile, members: members.map((row) => ({ ...row, detail: hostile })) }),
      {
        type: "conversation",
        member: "team-lead",
        reset: true,
        items: conversation.map((item, seq) => ({ seq, item })),
      },
      { type: "streaming", member: "team-lead", text: hostile },
    );
    await view.page.locator(".tool-line").last().click();
    expect(await view.page.evaluate(inspect)).toEqual(HARMLESS);
    const text = await view.page.locator(".conv").textContent();
    expect(text).toContain("<script>window.pwned = 1</script>");
    expect(text).toContain("tracker");
  });

  test.each([
    ["a command", commandRequest({ preview: { type: "command", cwd: hostile, text: hostile, parts: null } })],
    [
      "parts of a command",
      commandRequest({
        preview: {
          type: "command",
          cwd: "/w",
          text: hostile,
          parts: HOSTILE.map((text) => ({ text, covered: false })),
        },
        rules: [...HOSTILE],
      }),
    ],
    [
      "an edit",
      editRequest({
        preview: {
          type: "edit",
          path: hostile,
          lines: HOSTILE.map((text, line) => ({ kind: "added", line, text })),
          added: 1,
          removed: 0,
          omitted: 0,
        },
      }),
    ],
    ["another tool", commandRequest({ preview: { type: "json", text: hostile } })],
    ["a plan", planRequest({ plan: `${hostile}\n\n${hostile}` })],
    ["an answer", answerRequest({ text: hostile })],
  ])("in %s", async (_name, item) => {
    const view = await open();
    const all = { said: hostile, title: hostile, from: mallory, task: { id: "1", subject: hostile } };
    const more = item.kind === "permission" ? { reason: hostile, warnings: [hostile] } : {};
    await view.send(stateMessage({ attention: [{ ...item, ...all, ...more }] }));
    const found = await view.page.evaluate(inspect);
    expect(found).toEqual({ ...HARMLESS, links: found.links });
    expect(found.links.every((link) => link.startsWith("https://example.com"))).toBe(true);
    expect(await view.page.locator(".btn-primary:visible").count()).toBeGreaterThan(0);
  });

  test("in tasks, inboxes, members, a finished team and a folder's name", async () => {
    const view = await open();
    const task = { ...tasks[5]!, subject: hostile, description: hostile, owner: mallory };
    const [thread] = threads;
    const message = { ...thread!.messages[0]!, kind: "message" as const, text: hostile, summary: hostile };
    const json = { ...thread!.messages[0]!, id: "j", kind: "unknown" as const, text: hostile, json: hostile };
    await view.send(
      stateMessage({
        attention: [],
        members: [{ ...members[0]!, ...mallory }],
        readOnly: HOSTILE.slice(0, 20).join(" "),
      }),
      { type: "tasks", tasks: [task] },
      { type: "threads", threads: [{ ...thread!, b: mallory, messages: [message, json] }] },
    );
    const { page } = view;
    const found = [];
    await page.getByRole("tab", { name: /Tasks/ }).click();
    await page.locator(".task-row").click();
    found.push(await page.evaluate(inspect));
    await page.getByRole("tab", { name: /Inboxes/ }).click();
    await page.locator(".thr-head").click();
    await page.locator(".proto-json-btn").click();
    found.push(await page.evaluate(inspect));
    await view.send(stateMessage({ attention: [], finished: { ...finished, text: hostile, files: [...HOSTILE] } }));
    await page.locator(".fin-figures .link").click();
    found.push(await page.evaluate(inspect));
    await view.send(emptyMessage("no_team", hostile));
    found.push({ ...(await page.evaluate(inspect)), links: HARMLESS.links });
    expect(found).toEqual([HARMLESS, HARMLESS, HARMLESS, HARMLESS]);
  });

  test("each of the hundred by itself, in every place that shows Markdown or a name", async () => {
    expect(HOSTILE.length).toBe(100);
    const view = await open();
    const faulty: unknown[] = [];
    const [thread] = threads;
    for (const [index, text] of HOSTILE.entries()) {
      const all = {
        said: text,
        title: text,
        from: { ...mallory, displayName: text },
        task: { id: "1", subject: text },
      };
      const message = { ...thread!.messages[0]!, kind: "message" as const, text, summary: text };
      await view.send(
        stateMessage({
          attention: [
            { ...planRequest({ plan: text }), ...all },
            { ...commandRequest({ preview: { type: "command", cwd: text, text, parts: null } }), ...all, reason: text },
            { ...answerRequest({ text }), ...all },
          ],
        }),
        { type: "threads", threads: [{ ...thread!, b: mallory, messages: [message] }] },
        {
          type: "conversation",
          member: "team-lead",
          reset: true,
          items: [{ seq: 0, item: { type: "input", at: ago(3), origin: "mail", from: mallory, text, summary: text } }],
        },
        { type: "streaming", member: "team-lead", text },
      );
      const { links, ...found } = await view.page.evaluate(inspect);
      const { links: only, ...harmless } = HARMLESS;
      const leadsAway = links.filter((link) => !only.includes(link));
      if (leadsAway.length > 0 || JSON.stringify(found) !== JSON.stringify(harmless))
        faulty.push({ index, text: text.slice(0, 80), found, leadsAway });
    }
    expect(faulty).toEqual([]);
    expect(await view.actions()).toEqual([]);
  });

  test("a link says where it leads", async () => {
    const view = await open();
    const items = [
      { seq: 0, item: { type: "text" as const, at: ago(1), text: "[VS Code settings](https://evil.test/x)" } },
    ];
    await view.send(stateMessage({ attention: [] }), { type: "conversation", member: "team-lead", reset: true, items });
    expect(await view.page.locator(".conv a").getAttribute("title")).toBe("https://evil.test/x");
  });
});

test("messages that are not the host's are ignored", async () => {
  const view = await open();
  await view.send(stateMessage());
  await view.page.evaluate(() => {
    for (const data of [null, 7, "state", [], { type: "other" }, { type: 3 }, {}]) postMessage(data, "*");
  });
  await view.page.waitForTimeout(50);
  expect(await view.page.locator(".mem-row").count()).toBe(6);
});
