import type { TeamScreen } from "../../protocol/panel.ts";

/**
 * The member before (-1) or behind (1) the one that is shown, round and round. A finished team has its members in its
 * summary only. `shown` null, or one that is not there: the lead is shown, which comes first. Null: there is nobody.
 */
export function neighbourOf(
  { members, finished }: Pick<TeamScreen, "members" | "finished">,
  shown: string | null,
  step: 1 | -1,
): string | null {
  const all = members.length > 0 ? members : (finished?.byMember.map(({ member }) => member) ?? []);
  const names = all.map(({ name }) => name);
  const at = Math.max(names.indexOf(shown ?? ""), 0);
  return names.at((at + step) % names.length) ?? null;
}
