import type { Words } from "./words.ts";

/** The Team Board. */
export const BOARD = {
  tasksDone: ["{0} of {1} tasks", "{0} / {1} 个任务"],
  "requestsWait.one": ["{0} request waits", "{0} 个请求在等待"],
  "requestsWait.other": ["{0} requests wait", "{0} 个请求在等待"],
  tasksAs: ["Tasks as", "任务显示为"],
  asGraph: ["Graph", "图"],
  asList: ["List", "列表"],
  onlyList: ["Above {0} tasks there is only the list.", "任务超过 {0} 个时只显示列表。"],
  taskGraph: ["Tasks and what they wait for", "任务及其等待关系"],
  holdsNext: ["still holds the next task back", "仍在阻挡后面的任务"],
  zoomIn: ["Zoom In", "放大"],
  zoomOut: ["Zoom Out", "缩小"],
  zoomFit: ["Show the Whole Graph", "显示整个图"],
  closeTask: ["Close Task", "关闭任务"],
  conversations: ["Conversations", "对话"],
  shown: ["shown", "已显示"],
  conversationOf: ["Conversation of {0}", "{0} 的对话"],
  closeColumn: ["Close {0}", "关闭 {0}"],
  noColumns: ["Choose whose conversations stand here.", "选择在这里显示谁的对话。"],
  whoToWhom: ["Who wrote to whom", "谁写给谁"],
  mailFrom: ["From", "发件人"],
  latest: ["Latest", "最新"],
  writesTo: ["to", "写给"],
  noMail: ["Nobody wrote to anybody yet.", "还没有人写过消息。"],
} as const satisfies Words;
