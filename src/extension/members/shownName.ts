import type { ShownTeam } from "../teams/shownTeam.ts";

/** How a member is called where people read it, one that has gone too: its files and messages have another name. */
export function shownName(
  { teams }: { teams: { readonly current: Pick<ShownTeam, "people"> | null } },
  name: string,
): string {
  return teams.current?.people(name).displayName ?? name;
}

/** The same name within that of a document, whose tab shows what stands behind the last slash. */
export function documentName(shown: string): string {
  return shown.replace(/[\\/]/g, "-");
}
