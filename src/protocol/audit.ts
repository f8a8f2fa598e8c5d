import * as z from "zod";
import { decidedBySchema, decisionSchema, pendingRequestSchema } from "./request.ts";

const at = z.string();

/**
 * A line of `muster/audit.jsonl` (ours; the reference has no such file). `at`: ISO 8601. Who goes on with a session reads
 * from it what was open, allowed, paused, raised and not told yet; a person reads it as activity.
 */
export const auditLineSchema = z.discriminatedUnion("event", [
  z.looseObject({ event: z.literal("asked"), at, request: pendingRequestSchema }),
  z.looseObject({
    event: z.literal("decided"),
    at,
    id: z.string(),
    from: z.string(),
    decision: decisionSchema,
    by: decidedBySchema,
  }),
  z.looseObject({ event: z.literal("withdrawn"), at, id: z.string(), from: z.string() }),
  /** An answer that came too late, or was none that the request can get. */
  z.looseObject({ event: z.literal("refused"), at, id: z.string(), why: z.string(), decision: z.unknown() }),
  /** A member left: what the lead's model is told of it. */
  z.looseObject({ event: z.literal("left"), at, member: z.string(), text: z.string(), urgent: z.boolean() }),
  z.looseObject({ event: z.enum(["paused", "resumed"]), at }),
  /** `limit` in USD; `member` null: the team's. */
  z.looseObject({
    event: z.literal("budget"),
    at,
    member: z.nullable(z.string()),
    limit: z.number(),
    by: z.literal("person"),
  }),
  z.looseObject({ event: z.literal("mode"), at, member: z.string(), mode: z.string(), by: z.literal("person") }),
]);
export type AuditLine = z.infer<typeof auditLineSchema>;
