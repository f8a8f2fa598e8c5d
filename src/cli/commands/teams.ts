import { isMusterError, type MusterError } from "../../base/errors.ts";
import type { TaskCounts } from "../../protocol/events.ts";
import { isMissing } from "../../store/fsErrors.ts";
import type { Store } from "../../store/store.ts";
import type { StoreFault } from "../../store/storeContext.ts";
import type { TeamSummary } from "../../store/teamStore.ts";
import { defineCommand } from "../command.ts";
import { type CliContext, writeResult } from "../context.ts";
import { EXIT } from "../exitCodes.ts";
import type { FaultNotes } from "../openStore.ts";
import { localTime } from "../render/localTime.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { renderTable, usableWidth } from "../render/table.ts";
import { visibleLine } from "../render/visibleText.ts";
import { reportRest, reportTeam } from "../teamReport.ts";

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
    const read = await Promise.all(summaries.map((summary) => lineOf(store, summary, context.notes)));
    const lines = read.flatMap((line) => line ?? []);
    const teams = lines.map((line) => ({ ...line, ...damaged(line.name, context.notes.faults) }));
    const { colors, columns } = context.io.stdout;
    const isThere = teams.length > 0 || (await isRootThere(store, context));
    writeResult(context, { root: context.root, teams }, () =>
      teams.length === 0
        ? `No teams in ${visibleLine(context.root)}${isThere ? "" : ": there is no such folder"}.`
        : teamTable(teams, usableWidth(columns), makeStyle(colors)),
    );
    return EXIT.done;
  },
});

/** Whether the state root is there. It need not be: a run makes it. */
function isRootThere({ pathFs }: Store, { root }: CliContext): Promise<boolean> {
  return pathFs.lstat(root).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}

/** Files of a team that could not be read as they are; nothing where all could. */
function damaged(team: string, faults: readonly StoreFault[]): { damaged?: { file: string; message: string }[] } {
  const own = faults.filter((fault) => fault.team === team);
  return own.length === 0 ? {} : { damaged: own.map(({ file, message }) => ({ file, message })) };
}

type TeamLine = Exclude<Awaited<ReturnType<typeof lineOf>>, null>;

/** Null for a team that went while it was read. A figure is null where the files that tell it cannot be read. */
async function lineOf(store: Store, summary: TeamSummary, notes: FaultNotes) {
  const { name, displayName, generation, createdAt, fault } = summary;
  const about = { name, displayName, generation };
  try {
    if (fault !== null) {
      const { tasks, requests, live } = await reportRest(store, name);
      return { ...about, members: null, tasks: byStatus(tasks), requests: requests.length, live, createdAt };
    }
    const { team, tasks, requests, members } = await reportTeam(store, name);
    return {
      ...{ ...about, generation: team.generation, members: members.length, tasks: byStatus(tasks) },
      ...{ requests: requests.length, live: team.live, createdAt },
    };
  } catch (error) {
    if (isMusterError(error, "unknown_team")) return null;
    if (!isMusterError(error, "root_unreadable")) throw error;
    notes.addFault({ team: name, file: placeOf(error) ?? store.paths.team(name).dir, message: error.message });
    return { ...about, members: null, tasks: null, requests: null, live: false, createdAt };
  }
}

function byStatus({ pending, in_progress, completed }: TaskCounts) {
  return { pending, in_progress, completed };
}

/** The file at which reading failed, where the file system tells it. */
function placeOf({ cause }: MusterError): string | undefined {
  return cause instanceof Error && "path" in cause && typeof cause.path === "string" ? cause.path : undefined;
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
    const { tasks, requests } = team;
    return [
      team.displayName === team.name ? team.name : `${team.displayName} (${team.name})`,
      team.live ? { text: "live", paint: style.good } : "not live",
      team.members === null ? "-" : String(team.members),
      tasks === null ? "-" : `${tasks.completed}/${tasks.pending + tasks.in_progress + tasks.completed}`,
      requests ? { text: String(requests), paint: style.warn } : requests === null ? "-" : "0",
      team.createdAt > 0 ? localTime(team.createdAt) : "-",
    ];
  });
  return renderTable(columns, rows, width, style);
}
