import * as z from "zod";
import { permissionModeSchema } from "../../protocol/mode.ts";
import { modelInfoSchema } from "../limits/models.ts";
import type { TeamSettings } from "../types.ts";

const texts = z.array(z.string());

/** Settings of a session, as a process of one of its teammates gets them. */
const settingsSchema = z.object({
  model: z.string(),
  models: z.object({ haiku: modelInfoSchema, sonnet: modelInfoSchema, opus: modelInfoSchema }),
  thinking: z.enum(["off", "adaptive"]),
  permissionMode: permissionModeSchema,
  rules: z.object({ allow: texts, ask: texts, deny: texts, additionalDirectories: texts }),
  approvalTarget: z.enum(["user", "lead"]),
  autoClaim: z.boolean(),
  maxMembers: z.number(),
  budget: z.object({ team: z.nullable(z.number()), member: z.nullable(z.number()) }),
  requestLimit: z.number(),
  keepHistory: z.boolean(),
  readClaudeSettings: z.exactOptional(z.boolean()),
  afterPlanMode: permissionModeSchema,
} satisfies Record<keyof TeamSettings, z.ZodType>);

/**
 * What a lead gives to a process teammate beside its flags, in a file that is read once: everything that must not stand
 * in an argument vector or an environment. `nonce`: what the process shows to say that it is the one that was started.
 * `member`: whom it is for; another teammate, or a later one of the name, does not start with it.
 */
export const spawnFileSchema = z.object({
  member: z.object({ team: z.string(), name: z.string(), incarnation: z.string() }),
  nonce: z.string(),
  /** Null: its server needs none. */
  apiKey: z.nullable(z.string()),
  baseUrl: z.nullable(z.string()),
  /**
   * The session and the process that started it: it ends when that one does not lead it any more. `askedToStop`: ids of
   * shutdown requests that it wrote to this member before, which nobody has answered; no entry that was read counts else.
   */
  lead: z.object({
    session: z.string(),
    process: z.object({ pid: z.number(), host: z.string(), startTime: z.nullable(z.string()) }),
    askedToStop: texts,
  }),
  cwd: z.string(),
  home: z.string(),
  /** Environment of the member's commands. */
  env: z.record(z.string(), z.string()),
  settings: settingsSchema,
  sessionRules: texts,
  sessionDirectories: texts,
});
export type SpawnFile = z.infer<typeof spawnFileSchema>;
