import { signal } from "@preact/signals";
import type { ActivityRow } from "../../src/protocol/activity.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";

type ActivityMessage = Extract<HostMessage, { type: "activity" }>;

/** The activity as far as the host has sent it. */
export class ActivityStore {
  /** Newest first; null: nothing was sent yet. */
  readonly rows = signal<readonly ActivityRow[] | null>(null);
  /** Rows before the oldest that are there and were not sent. */
  readonly earlier = signal(0);

  receive({ reset, rows, earlier }: ActivityMessage): void {
    const before = reset ? [] : (this.rows.peek() ?? []);
    const all = new Map([...before, ...rows].map((row) => [row.id, row]));
    this.rows.value = [...all.values()].sort(newestFirst);
    this.earlier.value = earlier;
  }

  clear(): void {
    this.rows.value = null;
    this.earlier.value = 0;
  }
}

/** As the host puts them in order. */
export function newestFirst(one: ActivityRow, other: ActivityRow): number {
  return other.at - one.at || (other.id < one.id ? -1 : Number(other.id > one.id));
}
