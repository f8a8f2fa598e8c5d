import type { Words } from "./words.ts";

/** The tab *Tasks*. */
export const TASKS = {
  filterTasks: ["Filter tasks", "筛选任务"],
  "group.in_progress": ["In progress", "进行中"],
  "group.ready": ["Ready", "可开始"],
  "group.blocked": ["Blocked", "被阻塞"],
  "group.done": ["Done", "已完成"],
  after: ["after {0}", "等待 {0}"],
  noOwner: ["no owner", "无人负责"],
  noTasks: ["No tasks yet. The lead creates them.", "还没有任务，由负责人创建。"],
  noMatch: ["No task matches.", "没有匹配的任务。"],
  noDescription: ["No description.", "没有说明。"],
  "moreTasks.one": ["Show {0} More Task", "再显示 {0} 个任务"],
  "moreTasks.other": ["Show {0} More Tasks", "再显示 {0} 个任务"],
} as const satisfies Words;
