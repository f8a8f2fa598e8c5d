import * as z from "zod";
import { timeSchema } from "./time.ts";

/** `{root}/tasks/{T}/{id}.json`. The reference strips unknown fields here, so our data lives in `metadata.muster`. */

const TASK_STATUSES = ["pending", "in_progress", "completed"] as const;
const taskStatusSchema = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** A task file without `blocks` or `blockedBy` is ignored by the reference; we read it with empty ones. */
export const taskSchema = z.looseObject({
  id: z.string().regex(/^[1-9][0-9]{0,14}$/),
  subject: z.string(),
  description: z.optional(z.string()).transform((text) => text ?? ""),
  activeForm: z.optional(z.string()),
  owner: z.optional(z.string()),
  status: taskStatusSchema,
  blocks: z.optional(z.array(z.string())).transform((ids) => ids ?? []),
  blockedBy: z.optional(z.array(z.string())).transform((ids) => ids ?? []),
  metadata: z.optional(z.record(z.string(), z.unknown())),
});
export type Task = z.infer<typeof taskSchema>;

/** Our data of a task. `needs`: tools that a claimer's type must have. `claim`: who took it, when, and until when it holds. */
const taskMusterSchema = z.looseObject({
  needs: z.optional(z.array(z.string())),
  claim: z.optional(
    z.looseObject({
      nonce: z.string(),
      by: z.string(),
      incarnation: z.optional(z.string()),
      at: timeSchema,
      leaseMs: z.number(),
    }),
  ),
  completedBy: z.optional(z.string()),
  completedAt: z.optional(timeSchema),
});
export type TaskMuster = z.infer<typeof taskMusterSchema>;

/** TASK of the command line's contract: what every `--json` output and the panel show. */
export interface TaskView {
  id: string;
  subject: string;
  description: string;
  activeForm: string | null;
  status: TaskStatus;
  owner: string | null;
  blocks: string[];
  blockedBy: string[];
  openBlockers: string[];
  metadata: Record<string, unknown>;
}

/** Our data of a task, or an empty object where there is none or it is not ours. */
export function taskMuster(task: Pick<Task, "metadata">): TaskMuster {
  const parsed = taskMusterSchema.safeParse(task.metadata?.["muster"]);
  return parsed.success ? parsed.data : {};
}

/** Whether the reference keeps this task for itself (2.1.41 in-process); such tasks are hidden everywhere. */
export function isInternalTask(task: Pick<Task, "metadata">): boolean {
  return task.metadata?.["_internal"] === true;
}
