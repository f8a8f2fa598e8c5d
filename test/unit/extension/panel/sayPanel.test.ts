import { expect, it } from "vitest";
import { createSay } from "../../../../src/extension/displayLanguage.ts";
import { sayMessage } from "../../../../src/extension/panel/sayPanel.ts";
import type { MemberRef, Thread, ThreadMessage } from "../../../../src/protocol/panel.ts";
import { shownDetail } from "../../../../src/team/views/toolBody.ts";

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
