import { writeSync } from "node:fs";

/** The only argument of a child, as JSON. */
export function childInput<T>(): T {
  return JSON.parse(process.argv[2] ?? "{}") as T;
}

/** Says a value to the parent; what was said stays said when the process is killed right after. */
export function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}
