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
  "laterMessages.one": ["Show {0} Later Message", "再显示 {0} 条较晚的消息"],
  "laterMessages.other": ["Show {0} Later Messages", "再显示 {0} 条较晚的消息"],
  openMessage: ["Open the Whole Message", "打开完整消息"],
  "moreThreads.one": ["Show {0} More", "再显示 {0} 个"],
  "moreThreads.other": ["Show {0} More", "再显示 {0} 个"],
  "newerThreads.one": ["Show {0} Newer", "显示较新的 {0} 个"],
  "newerThreads.other": ["Show {0} Newer", "显示较新的 {0} 个"],
  saidOf: ["{0} {1}", "{0} {1}"],
  idleNotices: ["{0}, {1} notices since {2}", "{0}，自 {2} 起 {1} 次通知"],
} as const satisfies Words;
