import type { Words } from "./words.ts";

/** The tab *Conversation*. */
export const CONVERSATION = {
  noConversation: [
    "Nothing yet. What {0} reads and writes appears here.",
    "还没有内容。{0} 读到和写下的会出现在这里。",
  ],
  "origin.person": ["you", "你"],
  "origin.prompt": ["First instructions", "最初的指示"],
  "origin.mail": ["Inbox", "收件箱"],
  "origin.task": ["Task", "任务"],
  "origin.digest": ["News of the team", "团队近况"],
  "origin.system": ["Muster", "Muster"],
  "earlier.one": ["Show {0} Earlier Item", "再显示 {0} 项较早的内容"],
  "earlier.other": ["Show {0} Earlier Items", "再显示 {0} 项较早的内容"],
  "toolGroup.other": ["{0} tools", "{0} 个工具"],
  "toolGroupFailed.one": ["{0} failed", "{0} 个失败"],
  "toolGroupFailed.other": ["{0} failed", "{0} 个失败"],
  "tool.running": ["Runs now", "正在运行"],
  "tool.ok": ["Done", "完成"],
  "tool.failed": ["Failed", "失败"],
  noDetail: ["No output.", "没有输出。"],
  toolDetail: ["Output of {0}", "{0} 的输出"],
  waitsForYou: ["Waits for you: {0}", "等你决定：{0}"],
  review: ["Review", "查看"],
  goToEnd: ["Go to the End", "到末尾"],
  writes: ["{0} writes", "{0} 正在书写"],
} as const satisfies Words;
