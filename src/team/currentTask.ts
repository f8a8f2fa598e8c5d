import type { Task } from "../protocol/task.ts";
import { inProgressOf } from "../protocol/taskGraph.ts";
import type { MemberContext } from "./context.ts";

/** The task that a member has in progress, as of the newest snapshot. */
export function currentTask(context: MemberContext, name: string): Task | undefined {
  return context.team ? inProgressOf(name, context.team.watch.snapshot.graph) : undefined;
}
