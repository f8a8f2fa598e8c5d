import type { Words } from "./words.ts";

/** A team that ended. */
export const FINISHED = {
  "finished.completed": ["{0} is finished", "{0} 已完成"],
  "finished.incomplete": ["{0} ended with open tasks", "{0} 已结束，仍有未完成的任务"],
  "finished.failed": ["{0} failed", "{0} 失败"],
  "finished.interrupted": ["{0} was interrupted", "{0} 被中断"],
  figureTasks: ["Tasks", "任务"],
  figureTime: ["Time", "时间"],
  figureTokens: ["Tokens", "Token"],
  figureCost: ["Cost", "费用"],
  figureFiles: ["Files", "文件"],
  figureDecided: ["You decided", "你的决定"],
  "files.one": ["{0} changed", "{0} 个已更改"],
  "files.other": ["{0} changed", "{0} 个已更改"],
  "decided.one": ["{0} request", "{0} 个请求"],
  "decided.other": ["{0} requests", "{0} 个请求"],
  "taskCount.one": ["{0} task", "{0} 个任务"],
  "taskCount.other": ["{0} tasks", "{0} 个任务"],
  byMember: ["By member", "按成员"],
  undoChanges: ["Undo a Member's Changes…", "撤销成员的更改…"],
  newTeam: ["New Team…", "新建团队…"],
  continueTeam: ["Continue Team", "继续团队"],
  openAnother: ["Open Another Team…", "打开另一个团队…"],
  showLog: ["Show Log", "显示日志"],
} as const satisfies Words;
