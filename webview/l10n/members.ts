import type { Words } from "./words.ts";

/** Members and their states. */
export const MEMBERS = {
  members: ["Members", "成员"],
  tokens: ["{0} tokens", "{0} token"],
  cost: ["{0} of {1}", "{0} / {1}"],
  "state.starting": ["Starting", "启动中"],
  "state.working": ["Working", "工作中"],
  "state.waiting": ["Needs you", "等你决定"],
  "state.idle": ["Idle", "空闲"],
  "state.stopping": ["Stopping", "正在停止"],
  "state.suspect": ["Not answering", "没有响应"],
  "state.dead": ["Ended", "已结束"],
  "state.failed": ["Failed", "失败"],
  "state.unknown": ["Unknown", "未知"],
  memberHint: ["{0}\n{1} for {2}: {3}\n{4} tokens", "{0}\n{1}，已 {2}：{3}\n{4} token"],
  memberHintPlain: ["{0}\n{1}: {2}\n{3} tokens", "{0}\n{1}：{2}\n{3} token"],
  memberActions: ["Actions for {0}", "{0} 的操作"],
  openTerminal: ["Open Terminal", "打开终端"],
  message: ["Message", "写消息"],
  interrupt: ["Interrupt", "中断"],
  askToStop: ["Ask to Stop", "请求停止"],
  changeMode: ["Change Mode…", "更改模式…"],
  "mode.delegate": ["Only delegates", "仅分派"],
  you: ["you", "你"],
  lead: ["lead", "负责人"],
} as const satisfies Words;
