import type { Words } from "./words.ts";

/** What a screen reader is told. */
export const ANNOUNCEMENTS = {
  announcePermission: ["{0} asks: {1}", "{0} 请求：{1}"],
  announcePlan: ["{0} sent: {1}", "{0} 提交了：{1}"],
  announceAnswer: ["{0} waits for you", "{0} 在等你"],
  announceFailed: ["{0} failed", "{0} 失败"],
  announceResumed: ["The team goes on", "团队继续工作"],
  announceFinished: ["The team is finished", "团队已结束"],
  announceBudget: ["The budget is used up: {0}", "预算已用完：{0}"],
  announceBudgetMember: ["{0} has used up its budget: {1}", "{0} 已用完其预算：{1}"],
  announceNearMember: ["{0} has spent 80 % of its budget: {1}", "{0} 已用去其预算的 80 %：{1}"],
  announceNear: ["80 % of the budget is spent: {0}", "预算已用 80 %：{0}"],
} as const satisfies Words;
