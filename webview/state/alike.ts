import type { AttentionItem, PermissionItem } from "../../src/protocol/panel.ts";

/** A row of *Needs you*: one request, or several that are shown and allowed together. */
export type QueueRow = { key: string; item: AttentionItem } | { key: string; alike: readonly PermissionItem[] };

/** What of the rows the person has a hold of. */
export interface Held {
  /** Whether the person wants to see the requests of a row one by one, by the row's key. */
  apart: (key: string) => boolean;
  /** The requests of the row that is open: nothing joins it, nothing leaves it for another row. */
  open: readonly string[];
}

/**
 * The rows of the queue. Requests that the very same rules would cover are one row, in the place of the oldest. What
 * warns and what no rule would cover stays alone.
 */
export function rowsOf(items: readonly AttentionItem[], { apart, open }: Held): QueueRow[] {
  const rowOf = (item: AttentionItem) => {
    const isOpen = open.includes(item.id);
    const key = isOpen ? ruleKey(item) : alikeKey(item);
    if (key === null || apart(key)) return null;
    return isOpen ? `${key} open` : key;
  };
  const groups = new Map<string, PermissionItem[]>();
  for (const item of items) {
    const row = rowOf(item);
    if (row !== null && item.kind === "permission") groups.set(row, [...(groups.get(row) ?? []), item]);
  }
  return items.flatMap((item): QueueRow[] => {
    const alike = groups.get(rowOf(item) ?? "") ?? [];
    if (alike.length < 2) return [{ key: item.id, item }];
    return alike[0]?.id === item.id ? [{ key: `alike:${item.id}`, alike }] : [];
  });
}

/** Null: it has to be looked at alone. */
function alikeKey(item: AttentionItem): string | null {
  return item.kind === "permission" && item.warnings.length > 0 ? null : ruleKey(item);
}

/** The same for all requests that the very same rules would cover; null for one that none would. */
export function ruleKey(item: AttentionItem): string | null {
  if (item.kind !== "permission" || item.rules.length === 0) return null;
  return `alike:${JSON.stringify([item.tool, [...item.rules].sort()])}`;
}
