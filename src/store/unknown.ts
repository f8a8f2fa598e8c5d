import { MusterError } from "../base/errors.ts";

/** The error of a team that is not there; `names` are those that are, where they were listed. */
export function unknownTeam(named: string, names?: readonly string[]): MusterError {
  const known =
    names === undefined
      ? "List the teams to see their names."
      : names.length === 0
        ? "There are no teams."
        : `The teams are: ${names.join(", ")}.`;
  return new MusterError("unknown_team", `There is no team ${JSON.stringify(named.slice(0, 80))}. ${known}`);
}

/** The error of an id that no task has. */
export function unknownTask(id: string): MusterError {
  return new MusterError("unknown_task", `There is no task #${id.slice(0, 40)}. List the tasks to see their numbers.`);
}
