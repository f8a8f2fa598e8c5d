import type { AgentInput } from "../agent/types.ts";
import { isMusterError } from "../base/errors.ts";
import type { Task } from "../protocol/task.ts";
import { inProgressOf, isBlocked, nextClaimable } from "../protocol/taskGraph.ts";
import { isLead } from "../protocol/team.ts";
import { toolNamesOf } from "./agentTypes.ts";
import type { MemberContext, RunningMember } from "./context.ts";

/**
 * Takes the lowest free task for an idle teammate, under the task's lock, or gives undefined where there is none or
 * somebody else was faster. From its start on the member counts as one that works.
 */
export async function claimNext(context: MemberContext, running: RunningMember): Promise<AgentInput | undefined> {
  if (!context.team || !wouldClaim(context, running)) return undefined;
  const { member } = running;
  running.takesTask = true;
  try {
    const task = await context.options.store.tasks.claim(context.team.folder, "next", {
      by: member.name,
      incarnation: member.spec.incarnation,
      hasTool: hasTool(running),
    });
    void context.team.watch.refresh();
    return taskInput(
      task,
      "You have claimed this task: it is yours and in progress. Do it, set it to completed when it is done and checked, and tell the lead.",
    );
  } catch (error) {
    running.takesTask = false;
    context.changes.fire(); // who waits for the team's rest looks again
    if (isMusterError(error)) return undefined;
    throw error;
  }
}

/** Whether this teammate would take a task by itself if it were idle now, as of the newest snapshot. */
export function wouldClaim(context: MemberContext, running: RunningMember): boolean {
  if (!context.team || !context.options.settings.autoClaim) return false;
  if (isLead(running.member)) return false;
  const { graph } = context.team.watch.snapshot;
  return inProgressOf(running.member.name, graph) === undefined && nextClaimable(graph, hasTool(running)) !== undefined;
}

/** Watches which tasks of one member become free, so that it is woken for each of them once. */
export class FreedTasks {
  private readonly blocked = new Set<string>();

  /** The lowest own task that was blocked when it was last looked at and is free now; forgets it. */
  take(context: MemberContext, name: string): Task | undefined {
    if (!context.team) return undefined;
    const { graph } = context.team.watch.snapshot;
    let freed: Task | undefined;
    for (const task of graph.tasks.values()) {
      const waits = task.owner === name && task.status === "pending";
      if (waits && isBlocked(task.id, graph)) this.blocked.add(task.id);
      else if (waits && this.blocked.has(task.id)) freed = !freed || Number(task.id) < Number(freed.id) ? task : freed;
      else this.blocked.delete(task.id);
    }
    if (freed) this.blocked.delete(freed.id);
    return freed;
  }
}

/** The input that prompts a member with a task. */
export function taskInput(task: Task, what: string): AgentInput {
  const description = task.description.trim() === "" ? "" : `\n\n${task.description.trim()}`;
  return {
    origin: "task",
    content: [{ type: "text", text: `Task #${task.id}: ${task.subject}${description}\n\n${what}` }],
  };
}

function hasTool({ member }: RunningMember): (tool: string) => boolean {
  const names = new Set<string>(toolNamesOf(member.spec.agentType));
  return (tool) => names.has(tool);
}
