import { isMusterError } from "../../base/errors.ts";
import type { Store } from "../../store/store.ts";
import type { StoreFault } from "../../store/storeContext.ts";
import type { TeamSummary } from "../../store/teamStore.ts";
import { defineCommand } from "../command.ts";
import { writeResult } from "../context.ts";
import { EXIT } from "../exitCodes.ts";
import { localTime } from "../render/localTime.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { renderTable, usableWidth } from "../render/table.ts";
import { visibleLine } from "../render/visibleText.ts";
import { reportTeam } from "../teamReport.ts";

/** `muster teams`. */
export const teamsCommand = defineCommand({
  name: "teams",
  args: [],
  summary: "List the teams under the state root",
  options: {},
  async run(_call, context) {
    const store = context.store();
    const summaries = await store.teams.list();
    for (const { name, fault } of summaries)
      if (fault !== null) context.notes.addFault({ team: name, file: store.paths.config(name), message: fault });
    const lines = (await Promise.all(summaries.map((summary) => lineOf(store, summary)))).flatMap((line) => line ?? []);
    const teams = lines.map((line) => ({ ...line, ...damaged(line.name, context.notes.faults) }));
    const { colors, columns } = context.io.stdout;
    writeResult(context, { root: context.root, teams }, () =>
      teams.length === 0
        ? `No teams in ${visibleLine(context.root)}.`
        : teamTable(teams, usableWidth(columns), makeStyle(colors)),
    );
    return EXIT.done;
  },
});

/** Files of a team that could not be read as they are; nothing where all could. */
function damaged(team: string, faults: readonly StoreFault[]): { damaged?: { file: string; message: string }[] } {
  const own = faults.filter((fault) => fault.team === team);
  return own.length === 0 ? {} : { damaged: own.map(({ file, message }) => ({ file, message })) };
}

type TeamLine = Exclude<Awaited<ReturnType<typeof lineOf>>, null>;

/** Null for a team that went while it was read. */
async function lineOf(store: Store, summary: TeamSummary) {
  const { name, displayName, generation, createdAt, members } = summary;
  const empty = { tasks: { pending: 0, in_progress: 0, completed: 0 }, requests: 0, live: false, createdAt };
  if (summary.fault !== null) return { name, displayName, generation, members, ...empty };
  try {
    const { team, tasks, requests, members: all } = await reportTeam(store, name);
    const { pending, in_progress, completed } = tasks;
    return {
      ...{ name, displayName, generation: team.generation, members: all.length },
      tasks: { pending, in_progress, completed },
      ...{ requests: requests.length, live: team.live, createdAt },
    };
  } catch (error) {
    if (isMusterError(error, "unknown_team")) return null;
    throw error;
  }
}

function teamTable(teams: readonly TeamLine[], width: number, style: Style): string {
  const columns = [
    { title: "TEAM" },
    { title: "STATE" },
    { title: "MEMBERS", right: true },
    { title: "TASKS", right: true },
    { title: "WAITING", right: true },
    { title: "SINCE" },
  ];
  const rows = teams.map((team) => {
    const { pending, in_progress, completed } = team.tasks;
    return [
      team.displayName === team.name ? team.name : `${team.displayName} (${team.name})`,
      team.live ? { text: "live", paint: style.good } : "not live",
      String(team.members),
      `${completed}/${pending + in_progress + completed}`,
      team.requests > 0 ? { text: String(team.requests), paint: style.warn } : "0",
      team.createdAt > 0 ? localTime(team.createdAt) : "-",
    ];
  });
  return renderTable(columns, rows, width, style);
}
