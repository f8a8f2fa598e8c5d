import type { Words } from "./words.ts";

/** The tabs. */
export const TABS = {
  tabs: ["Team", "团队"],
  conversation: ["Conversation", "对话"],
  tasks: ["Tasks", "任务"],
  inboxes: ["Inboxes", "收件箱"],
  activity: ["Activity", "动态"],
  doneOf: ["{0} of {1}", "{0} / {1}"],
  newMessages: ["{0} new", "{0} 条新消息"],
} as const satisfies Words;
