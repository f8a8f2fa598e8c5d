import * as z from "zod";
import { isoTime, systemClock } from "../../base/clock.ts";
import { type ErrorReason, errorMessage, isMusterError } from "../../base/errors.ts";
import { bodyText } from "../../protocol/messageBody.ts";
import { PERSON_NAME } from "../../protocol/names.ts";
import type { Task, TaskView } from "../../protocol/task.ts";
import { byId, taskView } from "../../protocol/taskGraph.ts";
import type { Store } from "../../store/store.ts";
import { resolveMember } from "../../store/teamFile.ts";
import { AGENT_TYPES, LEAD_TOOL_NAMES } from "../../team/agentTypes.ts";
import { defineCommand, flag, value } from "../command.ts";
import { withCommands } from "../commandAdvice.ts";
import { type CliContext, writeResult } from "../context.ts";
import { EXIT, exitCodeOf } from "../exitCodes.ts";
import { visibleLine } from "../render/visibleText.ts";
import { idList, jsonObject, oneOf } from "../schemas.ts";
import { tellSentence } from "../tellSentence.ts";
import { usageError } from "../usageError.ts";

const SUBJECT = z.string().refine((text) => text.trim() !== "", "a subject cannot be empty");

/** `muster task create TEAM`. */
export const taskCreateCommand = defineCommand({
  name: "task create",
  args: ["TEAM"],
  usage: "TEAM --subject S",
  summary: "Add a task",
  notes: "It starts pending. An owner is told, but does not have it in progress yet.",
  options: {
    subject: value("S", "short and imperative; needed", SUBJECT),
    description: value("D", "what to do, where, and how to check it", z.string()),
    "active-form": value("A", "the subject as something going on", z.string()),
    owner: value("NAME", "a member", z.string().min(1, "name a member")),
    blocks: value("IDS", "tasks that wait for this one: 1,2", idList),
    "blocked-by": value("IDS", "tasks that this one waits for: 3", idList),
    metadata: value("JSON", "an object of your own", jsonObject),
  },
  async run({ args, options }, context) {
    if (options.subject === undefined) throw usageError("--subject S is missing: say what the task is.");
    const store = context.store();
    const team = await store.teams.resolve(args.TEAM);
    const task = await store.tasks.create(team, {
      subject: options.subject,
      ...given("description", options.description),
      ...given("activeForm", options["active-form"]),
      ...given("owner", options.owner),
      ...given("blocks", options.blocks),
      ...given("blockedBy", options["blocked-by"]),
      ...given("metadata", options.metadata),
    });
    await tellOwner(context, team, task, null);
    const view = await viewOf(store, team, task);
    writeResult(context, { task: view }, () => `Created #${view.id} ${visibleLine(view.subject)}.`);
    return EXIT.done;
  },
});

/** `muster task update TEAM ID`. */
export const taskUpdateCommand = defineCommand({
  name: "task update",
  args: ["TEAM", "ID"],
  summary: "Change a task",
  options: {
    subject: value("S", "another subject", SUBJECT),
    description: value("D", "another description", z.string()),
    "active-form": value("A", "the subject as something going on", z.string()),
    status: value(
      "pending|in_progress|completed|deleted",
      "in_progress only where it has an owner",
      oneOf(["pending", "in_progress", "completed", "deleted"]),
    ),
    owner: value("NAME|''", "another owner; '' takes it away", z.string()),
    "add-blocks": value("IDS", "more tasks that wait for this one", idList),
    "add-blocked-by": value("IDS", "more tasks that this one waits for", idList),
    metadata: value("JSON", "merged key by key; null removes one", jsonObject),
  },
  async run({ args, options }, context) {
    const store = context.store();
    const team = await store.teams.resolve(args.TEAM);
    const patch = {
      ...given("subject", options.subject),
      ...given("description", options.description),
      ...given("activeForm", options["active-form"]),
      ...given("status", options.status),
      ...given("owner", options.owner),
      ...given("addBlocks", options["add-blocks"]),
      ...given("addBlockedBy", options["add-blocked-by"]),
      ...given("metadata", options.metadata),
    };
    if (Object.keys(patch).length === 0) throw usageError("Nothing is to be changed: give at least one option.");
    const result = await store.tasks.update(team, plainId(args.ID), patch, { by: PERSON_NAME, isAgent: false });
    if (result.task) await tellOwner(context, team, result.task, result.previousOwner);
    const task = result.task && (await viewOf(store, team, result.task));
    const unblocked = [...result.unblocked].sort(byId).map(({ id }) => id);
    writeResult(context, { task, unblocked }, () => updateText(plainId(args.ID), task, unblocked));
    return EXIT.done;
  },
});

/** `muster task claim TEAM ID|--next --as NAME`. */
export const taskClaimCommand = defineCommand({
  name: "task claim",
  args: ["TEAM", "[ID]"],
  usage: "TEAM ID|--next --as NAME",
  summary: "Start a free task in a member's name",
  options: {
    next: flag("the lowest task that is free"),
    as: value("NAME", "the member; needed", z.string().min(1, "name a member")),
  },
  async run({ args, options }, context) {
    if ((args.ID === undefined) !== options.next) throw usageError("Give either the task's ID or --next.");
    if (options.as === undefined) throw usageError("--as NAME is missing: say for whom the task is claimed.");
    const store = context.store();
    const team = await store.teams.resolve(args.TEAM);
    const member = resolveMember(team, await store.teams.read(team), options.as);
    const tools = toolsOf(member.agentType);
    const id = args.ID === undefined ? "next" : plainId(args.ID);
    try {
      const task = await store.tasks.claim(team, id, {
        by: member.name,
        ...given("incarnation", member.muster?.incarnation),
        hasTool: (tool) => tools.has(tool),
      });
      const view = await viewOf(store, team, task);
      writeResult(
        context,
        { claimed: true, task: view },
        () => `${member.name} has #${view.id} ${visibleLine(view.subject)}.`,
      );
      return EXIT.done;
    } catch (error) {
      if (!isMusterError(error) || !CLAIM_REASONS.has(error.reason)) throw error;
      return refuseClaim(context, store, { team, id, reason: error.reason, message: error.message });
    }
  },
});

/** Why a claim is refused as a result, not as an error. */
const CLAIM_REASONS: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  "unknown_task",
  "blocked",
  "already_claimed",
  "already_resolved",
  "agent_busy",
  "not_allowed",
]);

interface RefusedClaim {
  team: string;
  id: string;
  reason: ErrorReason;
  message: string;
}

async function refuseClaim(context: CliContext, store: Store, refused: RefusedClaim): Promise<number> {
  const graph = await store.tasks.list(refused.team);
  const found = graph.tasks.get(refused.id);
  const task = found ? taskView(found, graph) : null;
  tellSentence(context.io, withCommands(refused.message));
  if (context.json) writeResult(context, { claimed: false, reason: refused.reason, task }, () => "");
  return exitCodeOf(refused.reason);
}

function updateText(id: string, task: TaskView | null, unblocked: readonly string[]): string {
  const freed = unblocked.length === 0 ? "" : ` Free now: ${unblocked.map((one) => `#${one}`).join(", ")}.`;
  return task
    ? `#${id} is ${task.status.replace("_", " ")}${task.owner ? ` (${task.owner})` : ""}.${freed}`
    : `#${id} is deleted.${freed}`;
}

/**
 * A new owner is told by a `task_assignment`, as when a member assigns it; from a command it has no authority. The task is
 * changed already: where this fails, a line on standard error says so.
 */
async function tellOwner(context: CliContext, team: string, task: Task, previous: string | null): Promise<void> {
  if (!task.owner || task.owner === previous || task.status === "completed") return;
  const text = bodyText({
    type: "task_assignment",
    taskId: task.id,
    subject: task.subject,
    description: task.description,
    assignedBy: PERSON_NAME,
    timestamp: isoTime(systemClock.now()),
  });
  try {
    await context.store().inboxes.send(team, { from: PERSON_NAME, to: [task.owner], text, mustArrive: true });
  } catch (error) {
    tellSentence(context.io, `The task is changed, but its owner was not told. ${errorMessage(error)}`);
  }
}

async function viewOf(store: Store, team: string, task: Task): Promise<TaskView> {
  const graph = await store.tasks.list(team);
  return taskView(graph.tasks.get(task.id) ?? task, graph);
}

function toolsOf(agentType: string | undefined): ReadonlySet<string> {
  const types: Readonly<Record<string, { tools: readonly string[] }>> = AGENT_TYPES;
  const type = agentType !== undefined && Object.hasOwn(types, agentType) ? types[agentType] : undefined;
  return new Set(type?.tools ?? LEAD_TOOL_NAMES);
}

function plainId(id: string): string {
  return id.replace(/^#/, "");
}

/** `{key: value}`, or nothing where there is no value. */
function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
