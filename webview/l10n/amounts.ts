import type { Words } from "./words.ts";

/** Times. */
export const AMOUNTS = {
  seconds: ["{0} s", "{0} 秒"],
  minutes: ["{0} min", "{0} 分钟"],
  hours: ["{0} h", "{0} 小时"],
  hoursMinutes: ["{0} h {1} min", "{0} 小时 {1} 分钟"],
  days: ["{0} d", "{0} 天"],
  milliseconds: ["{0} ms", "{0} 毫秒"],
} as const satisfies Words;
