import type { Words } from "./words.ts";

/** The composer. */
export const COMPOSER = {
  writeTo: ["Write to {0}", "写给 {0}"],
  messageTo: ["Message to {0}", "给 {0} 的消息"],
  to: ["To", "给"],
  recipient: ["Recipient", "收件人"],
  send: ["Send (Enter)", "发送（Enter）"],
  sent: ["Sent to {0}.", "已发给 {0}。"],
} as const satisfies Words;
