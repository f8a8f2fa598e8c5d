import { expect, it } from "vitest";
import { createSay } from "../../../../src/extension/displayLanguage.ts";
import { sayMessage } from "../../../../src/extension/panel/sayPanel.ts";
import type { ActivityEvent } from "../../../../src/protocol/activity.ts";
import type { ConversationItem, MemberRef, Thread, ThreadMessage } from "../../../../src/protocol/panel.ts";
import { shownDetail } from "../../../../src/team/views/toolBody.ts";
import { chineseBundle } from "../../../support/sentences.ts";

const say = createSay({ "asks to stop": "请求停止", "It only reads.": "它只读取。" });
const member = (name: string): MemberRef => ({ name, displayName: name, color: null, role: "teammate" });

function message(text: string, json: string | null): ThreadMessage {
  return { id: text, from: "a", to: "b", at: 1, kind: "message", text, summary: null, json, delivery: "read" };
}

it("our own sentences are said in the display language, a member's words stay as they are", () => {
  const messages = [message("asks to stop", "{}"), message("asks to stop", null)];
  const thread: Thread = { id: "t", a: member("a"), b: member("b"), unread: 0, messages, omitted: 0 };
  const said = { ...thread, messages: [message("asks to stop", "{}"), message("asks to stop", null)] };
  if (said.messages[0]) said.messages[0].text = "请求停止";
  expect(sayMessage({ type: "threads", threads: [thread] }, say)).toEqual({ type: "threads", threads: [said] });
  expect(sayMessage({ type: "threadRows", rows: [thread], removed: ["x"] }, say)).toEqual({
    ...{ type: "threadRows", rows: [said], removed: ["x"] },
  });
  expect(sayMessage({ type: "done", intent: "i", error: "It only reads." }, say)).toMatchObject({
    error: "它只读取。",
  });
  const note = { type: "note" as const, at: 1, tone: "muted" as const, text: "It only reads." };
  const text = { type: "text" as const, at: 1, text: "It only reads." };
  const items = [note, text].map((item, seq) => ({ seq, item }));
  expect(sayMessage({ type: "conversation", member: "a", reset: false, items }, say)).toMatchObject({
    items: [{ item: { text: "它只读取。" } }, { item: { text: "It only reads." } }],
  });
});

it("what is left out of a long message is said in the display language, below the member's own words", () => {
  const chinese = createSay({ "{0}\n… {1} characters more": "{0}\n… 其余 {1} 个字符未显示" });
  const long = `${"asks to stop ".repeat(700)}\n… 20 characters more`;
  const thread: Thread = {
    ...{ id: "t", a: member("a"), b: member("b"), unread: 0, omitted: 0 },
    messages: [message(long, null), message("stops", "{\n… 7 characters more")],
  };
  const said = sayMessage({ type: "threads", threads: [thread] }, chinese);
  const [first, second] = said.type === "threads" ? (said.threads[0]?.messages ?? []) : [];
  expect(first?.text).toBe(long.replace("20 characters more", "其余 20 个字符未显示"));
  expect(second?.json).toBe("{\n… 其余 7 个字符未显示");
});

it("what is left out of the middle of an output is said in the display language, between the program's own words", () => {
  const chinese = createSay({ "… {0} characters are not shown …": "… 此处有 {0} 个字符未显示 …" });
  const written = "… 9 characters are not shown …";
  const shown = shownDetail(`${written}\n${"🙂".repeat(4_500)}$&\n${written}`);
  const tool = { type: "tool" as const, at: 1, name: "Bash", argument: "cat a", state: "ok" as const, ms: 1, ...shown };
  const said = sayMessage(
    { type: "conversation", member: "a", reset: false, items: [{ seq: 0, item: tool }] },
    chinese,
  );
  const item = said.type === "conversation" ? said.items[0]?.item : undefined;
  const detail = item?.type === "tool" ? item.detail : "";
  expect(detail).toBe(
    shown.detail.replace(/\n… \d{4} characters are not shown …\n/, `\n… 此处有 ${shown.cut} 个字符未显示 …\n`),
  );
  expect(detail.isWellFormed()).toBe(true);
  expect(detail.match(/此处/g)).toHaveLength(1);
});

const inChinese = createSay(chineseBundle());

function saidEvent(event: ActivityEvent): ActivityEvent | undefined {
  const row = { id: "a", at: 1, kind: "state" as const, who: member("a"), to: [], event };
  const said = sayMessage({ type: "activity", reset: false, rows: [row], earlier: 0 }, inChinese);
  return said.type === "activity" ? said.rows[0]?.event : undefined;
}

it.each<[string, ActivityEvent, Partial<Record<string, unknown>>]>([
  ["a request", asked("command", "Run npm test"), { title: "运行 npm test" }],
  ["a decision", decided("once", "person", "Edit a.ts", null), { title: "编辑 a.ts" }],
  [
    "a rule's reason",
    decided("deny", "policy", "Run a command", "Nobody approves plans in this run (--approve none)."),
    { title: "运行命令", reason: "此次运行中没有人批准计划（--approve none）。" },
  ],
  ["a request that was withdrawn", { what: "withdrew", title: "Fetch https://a.b" }, { title: "获取 https://a.b" }],
  [
    "why a run failed",
    { what: "failed", reason: "The API is overloaded (Overloaded). Wait a little, then try again." },
    { reason: "API 过载（Overloaded）。请稍等，然后重试。" },
  ],
  ["why a member was ended", { what: "left", how: "ended", reason: "ended by the person" }, { reason: "由用户结束" }],
  [
    "a reason without its full stop",
    { what: "left", how: "failed", reason: "The run reached its limit of 9 turns" },
    { reason: "运行达到了 9 轮的上限" },
  ],
  ["why the person stops it", { what: "asksStop", reason: "The person asks for it." }, { reason: "用户要求停止。" }],
  [
    "something unknown that was sent",
    { what: "wrote", text: "sent something that this version does not know: x", ours: true },
    { text: "发送了此版本不认识的内容：x" },
  ],
])("the activity says %s in the display language", (_, event, said) => {
  expect(saidEvent(event)).toEqual({ ...event, ...said });
});

it.each<[string, ActivityEvent]>([
  ["the title of a plan", asked("plan", "Run npm test")],
  ["the title of a plan that was approved", decided("approve", "person", "Run npm test", null)],
  ["the title of a plan that was withdrawn", { what: "withdrew", title: "Run npm test", plan: true }],
  ["what the person said to a request", decided("deny", "person", "", "It only reads.")],
  ["why a lead stops a member", { what: "asksStop", reason: "Run out of work" }],
  ["why a member does not stop", { what: "refusesStop", reason: "Run npm test" }],
  ["what a member wrote", { what: "wrote", text: "Interrupted." }],
  ["a reason that nobody knows", { what: "left", how: "failed", reason: "boom" }],
  ["the subject of a task", { what: "created", task: "1", subject: "Run npm test" }],
])("the activity leaves %s as it is", (_, event) => {
  expect(saidEvent(event)).toEqual(event);
});

function asked(request: "command" | "plan", title: string): ActivityEvent {
  return { what: "asked", request, title, task: null };
}

function decided(
  how: "once" | "deny" | "approve",
  by: "person" | "policy",
  title: string,
  reason: string | null,
): ActivityEvent {
  return { what: "decided", how, by, title, reason };
}

it("a conversation says what a protocol message stands for in the display language, and no more of what was read", () => {
  const input = (text: string, ours?: true): ConversationItem => ({
    ...{ type: "input", at: 1, origin: "mail", from: member("a"), text, summary: null },
    ...(ours ? { ours } : {}),
  });
  const items = [input("asks to stop: Run out of work", true), input("asks to stop: Run out of work")];
  const told = { type: "conversation" as const, member: "a", reset: false };
  const said = sayMessage({ ...told, items: items.map((item, seq) => ({ seq, item })) }, inChinese);
  const texts = said.type === "conversation" ? said.items.map(({ item }) => item.type === "input" && item.text) : [];
  expect(texts).toEqual(["请求停止：Run out of work", "asks to stop: Run out of work"]);
});
