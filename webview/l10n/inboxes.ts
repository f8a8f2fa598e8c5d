import type { Words } from "./words.ts";

/** The tab *Inboxes*. */
export const INBOXES = {
  noThreads: ["No messages yet.", "还没有消息。"],
  "unread.one": ["{0} unread", "{0} 条未读"],
  "unread.other": ["{0} unread", "{0} 条未读"],
  "delivery.queued": ["Queued", "排队中"],
  "delivery.delivered": ["Delivered", "已送达"],
  "delivery.dead": ["Never read: the recipient is gone", "从未读取：收件人已不在"],
  "delivery.read": ["Read", "已读"],
  showJson: ["Show JSON", "显示 JSON"],
  hideJson: ["Hide JSON", "隐藏 JSON"],
  articleBy: ["{0}, {1}", "{0}，{1}"],
  "earlierMessages.one": ["Show {0} Earlier Message", "再显示 {0} 条较早的消息"],
  "earlierMessages.other": ["Show {0} Earlier Messages", "再显示 {0} 条较早的消息"],
  "leftOut.one": ["{0} older message is not shown", "{0} 条更早的消息未显示"],
  "leftOut.other": ["{0} older messages are not shown", "{0} 条更早的消息未显示"],
  saidOf: ["{0} {1}", "{0} {1}"],
  idleNotices: ["{0}, {1} notices since {2}", "{0}，自 {2} 起 {1} 次通知"],
} as const satisfies Words;
