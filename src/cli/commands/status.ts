import { counted } from "../../base/counted.ts";
import type { Hold, MemberState } from "../../protocol/team.ts";
import { defineCommand } from "../command.ts";
import { writeResult } from "../context.ts";
import { EXIT } from "../exitCodes.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { renderTable, usableWidth } from "../render/table.ts";
import { visibleLine } from "../render/visibleText.ts";
import { reportTeam, type TeamReport } from "../teamReport.ts";

/** `muster status TEAM`. */
export const statusCommand = defineCommand({
  name: "status",
  args: ["TEAM"],
  summary: "Show a team's members, tasks and waiting requests",
  options: {},
  async run({ args }, context) {
    const store = context.store();
    const team = await store.teams.resolve(args.TEAM);
    const report = await reportTeam(store, team);
    const hold = (await store.teams.read(team)).muster?.paused?.team;
    const { colors, columns } = context.io.stdout;
    writeResult(context, report, () => statusText(report, hold, usableWidth(columns), makeStyle(colors)));
    return EXIT.done;
  },
});

function statusText(report: TeamReport, hold: Hold | undefined, width: number, style: Style): string {
  const { team, tasks } = report;
  const about = team.description === "" ? "" : style.dim(` ${visibleLine(team.description)}`);
  const paused = hold ? style.warn(`, paused${hold.by === "budget" ? ": its budget is used up" : ""}`) : "";
  const open = tasks.pending + tasks.in_progress;
  return [
    `${style.bold(visibleLine(team.displayName))}${about}`,
    `${team.live ? style.good("live") : "not live"}${paused}, ${open} of ${counted(open + tasks.completed, "task")} open (${tasks.in_progress} in progress, ${tasks.blocked} blocked)`,
    "",
    memberTable(report, width, style),
    ...requestLines(report, style),
  ].join("\n");
}

function memberTable({ members }: TeamReport, width: number, style: Style): string {
  const columns = [
    { title: "MEMBER" },
    { title: "STATE" },
    { title: "TASK" },
    { title: "UNREAD", right: true },
    { title: "TYPE", flexible: true },
    { title: "MODEL", flexible: true },
    { title: "BACKEND" },
  ];
  const rows = members.map((member) => [
    { text: member.displayName, paint: (text: string) => style.member(text, member.color) },
    { text: member.state, paint: statePaint(member.state, style) },
    member.task === null ? "-" : `#${member.task}`,
    String(member.unread),
    member.agentType,
    member.model,
    member.backend ?? "-",
  ]);
  return renderTable(columns, rows, width, style);
}

function statePaint(state: MemberState, style: Style): (text: string) => string {
  if (state === "failed" || state === "dead") return style.bad;
  if (state === "waiting" || state === "suspect") return style.warn;
  return state === "working" ? style.good : (text) => text;
}

function requestLines({ requests }: TeamReport, style: Style): string[] {
  if (requests.length === 0) return [];
  return [
    "",
    style.warn(`Waiting for a decision: ${requests.length}`),
    ...requests.map(({ kind, from, description }) => `  ${visibleLine(from)} · ${kind} · ${visibleLine(description)}`),
  ];
}
