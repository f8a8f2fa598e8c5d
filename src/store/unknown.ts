import { MusterError } from "../base/errors.ts";

/** The error of a team that is not there; `listed`: those that are, and the state root in which they were looked for. */
export function unknownTeam(named: string, listed?: { names: readonly string[]; root: string }): MusterError {
  const known =
    listed === undefined
      ? "List the teams to see their names."
      : listed.names.length === 0
        ? `The state root ${listed.root} has no teams: make one there, or choose another root.`
        : `The teams are: ${listed.names.join(", ")}.`;
  return new MusterError("unknown_team", `There is no team ${JSON.stringify(named.slice(0, 80))}. ${known}`);
}

/** The error of an id that no task has. */
export function unknownTask(id: string): MusterError {
  return new MusterError("unknown_task", `There is no task #${id.slice(0, 40)}. List the tasks to see their numbers.`);
}

/** The error of a task whose file is there and cannot be used. */
export function damagedTask(id: string): MusterError {
  return new MusterError("corrupt", `The file of task #${id.slice(0, 40)} is damaged.`);
}
