import type { TeamChoice } from "./storedTeams.ts";

export type ChoiceGroup = "running" | "foreign" | "resting" | "finished";

/** Teams as a person looks for them: those that run first, each group the newest first. No group is empty. */
export function groupChoices(choices: readonly TeamChoice[]): { group: ChoiceGroup; choices: TeamChoice[] }[] {
  const groups = (["running", "foreign", "resting", "finished"] as const).map((group) => ({
    group,
    choices: choices.filter((choice) => groupOf(choice) === group).sort((one, other) => other.at - one.at),
  }));
  return groups.filter((group) => group.choices.length > 0);
}

/**
 * Whether a team of another program runs is not looked at here: newer versions alone write it into config.json, where the
 * command line reads it.
 */
function groupOf({ live, ours, address }: TeamChoice): ChoiceGroup {
  if (live) return "running";
  if (address.kind === "finished") return "finished";
  return ours ? "resting" : "foreign";
}

/** Where a team lies: its folder, and its state root where the list has teams of several (`home` is written `~`). */
export function placeOf({ address }: TeamChoice, all: readonly TeamChoice[], home: string): string {
  const { root, folder } = address;
  if (all.every((other) => other.address.root === root)) return folder;
  const rest = root.slice(home.length);
  return `${folder} · ${root.startsWith(home) && /^$|^[\\/]/.test(rest) ? `~${rest}` : root}`;
}
