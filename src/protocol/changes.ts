import * as z from "zod";

/**
 * A file at one moment. `hash`: hex SHA-256 of its bytes, of a link its target. `mode`: its permission bits; `guessed`: nobody
 * saw them, as the file was to be made. `kept`: its bytes lie beside the record, so that they can be shown and restored.
 */
const fileStateSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  mode: z.int().min(0).max(0o7777),
  guessed: z.optional(z.literal(true)),
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

/** A step as a change records it. `until`: id of the change that it came before, though it is told after that one. */
const toldStepSchema = z.object({ ...fileStepSchema.shape, until: z.optional(z.string()) });
export type ToldStep = z.infer<typeof toldStepSchema>;

/**
 * One line of `changes.jsonl`. `start`: the work tree before the team's first edit: a commit of the project's repository
 * under `ref`, or null where the files before each change are all there is. `change`: what a call of a member's tool made.
 * A command's began at `since`; a change of *Write* or *Edit* is told before it is made. `made`: then it was, and the file has
 * these permission bits. `void`: that change was not made after all. `undo`: the person took a member's changes of
 * these files back. `person`: the person saved, made, deleted or renamed these files or folders (absolute) in VS Code.
 * `command`: a command of a member is about to run. `ended`: the one that was told at `since` has ended, at `to`; the work
 * tree had been looked at by `from`, and was looked at again before `at`. `also`: files that had changed meanwhile as others
 * had recorded; with those of its change they are all that had changed. Absent: what had changed is not known.
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
    files: z.array(toldStepSchema),
  }),
  z.object({ kind: z.literal("made"), at: z.string(), id: z.string(), mode: z.int().min(0).max(0o7777) }),
  z.object({ kind: z.literal("void"), at: z.string(), id: z.string() }),
  z.object({ kind: z.literal("undo"), at: z.string(), member: z.string(), files: z.array(fileStepSchema) }),
  z.object({ kind: z.literal("person"), at: z.string(), paths: z.array(z.string().min(1)) }),
  z.object({ kind: z.literal("command"), at: z.string(), member: z.string() }),
  z.object({
    kind: z.literal("ended"),
    at: z.string(),
    member: z.string(),
    since: z.string(),
    from: z.string(),
    to: z.string(),
    also: z.optional(z.array(z.string())),
  }),
]);
export type ChangeRecord = z.infer<typeof changeRecordSchema>;

/** What a new file's permissions never are, whatever the umask or its folder says: to be run, or to change the user. */
const NEVER_NEW = 0o7111;

/**
 * Whether two states are one: the same bytes and permissions, or no file both times. Links have no permissions, and of
 * guessed ones only what no new file has is compared.
 */
export function sameState(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.hash !== b.hash || a.link !== b.link) return false;
  const bits = a.guessed || b.guessed ? NEVER_NEW : 0o7777;
  return a.link === true || (a.mode & bits) === (b.mode & bits);
}
