import { agentId } from "../../protocol/ids.ts";
import { messageId } from "../../protocol/message.ts";
import { foldName, inboxFileName, LEAD_NAME } from "../../protocol/names.ts";
import type { Task } from "../../protocol/task.ts";
import { isInternalTask } from "../../protocol/task.ts";
import { isBlocked, wouldCycle } from "../../protocol/taskGraph.ts";
import type { TeamPaths } from "../../store/paths.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";
import type { Reporter } from "./findings.ts";

/** Checks what the files of one team say together: members, tasks with their edges and owners, inboxes. */
export function checkTeam(snapshot: TeamSnapshot, paths: TeamPaths, report: Reporter): void {
  for (const { file, message } of snapshot.faults)
    report.fault(
      file,
      "a file that does not parse is never empty",
      message,
      "The next write sets it aside under muster/corrupt; mend it by hand to keep all of it.",
    );
  checkMembers(snapshot, paths, report);
  checkEdges(snapshot, paths, report);
  checkOwners(snapshot, paths, report);
  checkInboxes(snapshot, paths, report);
}

function checkMembers({ config, team }: TeamSnapshot, paths: TeamPaths, report: Reporter): void {
  const edit = `Mend ${paths.config} by hand.`;
  if (config.name !== team)
    report.habit(
      paths.config,
      "the folder's name is the team's",
      `config.json names the team ${JSON.stringify(config.name)}.`,
      edit,
    );
  const folds = new Set<string>();
  for (const member of config.members) {
    if (folds.has(foldName(member.name)))
      report.fault(paths.config, "names are unique", `Two members are called ${member.name}.`, edit);
    folds.add(foldName(member.name));
    if (member.agentId !== agentId(member.name, config.name))
      report.habit(
        paths.config,
        "agentId is name@team",
        `The agentId of ${member.name} is ${JSON.stringify(member.agentId)}.`,
        edit,
      );
  }
  if (!config.members.some(({ name }) => name === LEAD_NAME))
    report.habit(paths.config, "a team has a lead", `The team has no member ${LEAD_NAME}.`, edit);
}

function checkEdges({ graph }: TeamSnapshot, paths: TeamPaths, report: Reporter): void {
  for (const task of graph.tasks.values()) {
    const file = paths.task(task.id);
    for (const [list, back] of [
      ["blocks", "blockedBy"],
      ["blockedBy", "blocks"],
    ] as const) {
      for (const id of task[list]) {
        const other = graph.tasks.get(id);
        const repair = `Remove #${id} from \`${list}\` of #${task.id}, or set the edge again with \`muster task update\`.`;
        if (!other) report.habit(file, "edges lead to tasks", `#${task.id} ${list} #${id}, which is gone.`, repair);
        else if (!other[back].includes(task.id))
          report.habit(file, "edges stand in both tasks", `#${task.id} ${list} #${id}, which does not say so.`, repair);
      }
    }
    const closes = (graph.blockers.get(task.id) ?? []).find((id) => wouldCycle(id, task.id, graph));
    if (closes !== undefined)
      report.fault(
        file,
        "no circle of waiting",
        `#${task.id} waits for itself by way of #${closes}.`,
        `Remove one edge of the circle from the files.`,
      );
  }
}

function checkOwners({ graph, config }: TeamSnapshot, paths: TeamPaths, report: Reporter): void {
  const members = new Set(config.members.map(({ name }) => name));
  const busy = new Map<string, Task>();
  for (const task of graph.tasks.values()) {
    if (isInternalTask(task) || task.status === "completed") continue;
    const file = paths.task(task.id);
    const release = `Run \`muster task update\` for #${task.id} with --status pending --owner ''.`;
    if (task.owner && !members.has(task.owner))
      report.habit(file, "an owner is a member", `#${task.id} belongs to ${task.owner}, who is not a member.`, release);
    if (task.status !== "in_progress") continue;
    if (!task.owner)
      report.habit(file, "a task in progress has an owner", `#${task.id} is in progress and has none.`, release);
    if (isBlocked(task.id, graph))
      report.habit(file, "a blocked task is not started", `#${task.id} is in progress and blocked.`, release);
    const first = busy.get(task.owner ?? "");
    if (task.owner && first)
      report.habit(
        file,
        "one task in progress per member",
        `${task.owner} has #${first.id} and #${task.id} in progress.`,
        release,
      );
    busy.set(task.owner ?? "", task);
  }
}

function checkInboxes({ inboxes, config }: TeamSnapshot, paths: TeamPaths, report: Reporter): void {
  const files = new Map<string, string>();
  for (const { name } of config.members) {
    const file = inboxFileName(name).toLowerCase();
    const other = files.get(file);
    if (other !== undefined)
      report.habit(
        paths.inbox(name),
        "two names never share a file",
        `${other} and ${name} have the same inbox.`,
        "Let one of them leave.",
      );
    files.set(file, name);
  }
  for (const [agent, { entries }] of inboxes) {
    const seen = new Set<string>();
    for (const entry of entries) {
      const id = messageId(entry);
      if (seen.has(id))
        report.habit(
          paths.inbox(agent),
          "a message is there once",
          `The inbox of ${agent} holds ${id} twice.`,
          "Remove one of them.",
        );
      seen.add(id);
    }
  }
}
