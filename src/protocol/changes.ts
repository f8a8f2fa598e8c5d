import * as z from "zod";

/**
 * A file at one moment. `hash`: hex SHA-256 of its bytes, of a link its target. `mode`: its permission bits. `kept`: its
 * bytes lie beside the record, so that they can be shown and restored.
 */
const fileStateSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  mode: z.int().min(0).max(0o7777),
  link: z.optional(z.literal(true)),
  kept: z.boolean(),
});
export type FileState = z.infer<typeof fileStateSchema>;

/** What one change made of one file; null stands for no file. `path` is absolute. */
const fileStepSchema = z.object({
  path: z.string().min(1),
  before: z.nullable(fileStateSchema),
  after: z.nullable(fileStateSchema),
});
export type FileStep = z.infer<typeof fileStepSchema>;

/**
 * One line of `changes.jsonl`. `start`: the work tree before the team's first edit: a commit of the project's repository
 * under `ref`, or null where the files before each change are all there is. `change`: what a call of a member's tool made.
 * A command's began at `since`. `void`: that change was not made after all. `undo`: the person took a member's changes of
 * these files back. `person`: the person saved, made, deleted or renamed these files or folders (absolute) in VS Code.
 */
export const changeRecordSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("start"),
    at: z.string(),
    cwd: z.string(),
    commit: z.nullable(z.object({ id: z.string(), ref: z.string() })),
  }),
  z.object({
    kind: z.literal("change"),
    at: z.string(),
    id: z.string(),
    member: z.string(),
    tool: z.enum(["Write", "Edit", "Bash"]),
    toolUseId: z.string(),
    since: z.optional(z.string()),
    files: z.array(fileStepSchema),
  }),
  z.object({ kind: z.literal("void"), at: z.string(), id: z.string() }),
  z.object({ kind: z.literal("undo"), at: z.string(), member: z.string(), files: z.array(fileStepSchema) }),
  z.object({ kind: z.literal("person"), at: z.string(), paths: z.array(z.string().min(1)) }),
]);
export type ChangeRecord = z.infer<typeof changeRecordSchema>;

/** Whether two states are one: the same bytes, runnable or not as git sees it, or no file both times. */
export function sameState(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.hash === b.hash && (a.mode & 0o100) === (b.mode & 0o100) && a.link === b.link;
}
