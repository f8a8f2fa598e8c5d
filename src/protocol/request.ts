import * as z from "zod";
import { permissionModeSchema } from "./mode.ts";
import { timeSchema } from "./time.ts";

/** One simple command of a command line. `covered`: whether a rule or the read-only list allows it. */
const commandPartSchema = z.object({ text: z.string(), covered: z.boolean() });
export type CommandPart = z.infer<typeof commandPartSchema>;

/** A change that would make the request unnecessary (keys as `permission_suggestions` of the reference has them). */
const permissionSuggestionSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("addRules"),
    rules: z.array(z.object({ toolName: z.string(), ruleContent: z.optional(z.string()) })),
    behavior: z.enum(["allow", "ask", "deny"]),
    destination: z.enum(["session", "userSettings", "projectSettings", "localSettings"]),
  }),
  z.object({
    type: z.literal("addDirectories"),
    directories: z.array(z.string()),
    destination: z.enum(["session", "userSettings", "projectSettings", "localSettings"]),
  }),
  z.object({
    type: z.literal("setMode"),
    mode: permissionModeSchema,
    destination: z.enum(["session", "userSettings", "projectSettings", "localSettings"]),
  }),
]);
export type PermissionSuggestion = z.infer<typeof permissionSuggestionSchema>;

/**
 * What both kinds of request have. `createdAt`: ms. `task`: id of the task the member has in progress. `said`: what the
 * member wrote in the reply that asks.
 */
const requestBase = {
  id: z.string(),
  from: z.string(),
  createdAt: timeSchema,
  task: z.nullable(z.string()),
  said: z.nullable(z.string()),
};

/**
 * A tool call that waits for a decision. `reason`: why it asks, one sentence. `guarded`: protected paths, critical
 * removals and the like: a policy of allowing everything leaves them out.
 */
const permissionRequestSchema = z.object({
  kind: z.literal("permission"),
  ...requestBase,
  tool: z.string(),
  toolUseId: z.string(),
  input: z.record(z.string(), z.unknown()),
  cwd: z.string(),
  description: z.string(),
  reason: z.string(),
  parts: z.nullable(z.array(commandPartSchema)),
  guarded: z.boolean(),
  suggestions: z.array(permissionSuggestionSchema),
});
export type PermissionRequest = z.infer<typeof permissionRequestSchema>;

/** A plan that waits for a decision. `version` counts this member's submissions from 1; `afterMode` is preselected. */
const planRequestSchema = z.object({
  kind: z.literal("plan"),
  ...requestBase,
  planFilePath: z.string(),
  planContent: z.string(),
  version: z.number(),
  afterMode: permissionModeSchema,
});
export type PlanRequest = z.infer<typeof planRequestSchema>;

/** A request that waits for a decision, as the host keeps it and files hold it. */
export const pendingRequestSchema = z.discriminatedUnion("kind", [permissionRequestSchema, planRequestSchema]);
export type PendingRequest = z.infer<typeof pendingRequestSchema>;

/** Rules that a person writes at once, and characters of each. */
export const MOST_RULES = 10;
export const MAX_RULE = 4_096;

/**
 * What a person, a policy or a rule decides. `always` writes the rule to the person's settings file. `rules`: the person's
 * own instead of those that the request suggests.
 */
export const decisionSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("allow"),
    scope: z.enum(["once", "session", "always"]),
    updatedInput: z.optional(z.record(z.string(), z.unknown())),
    rules: z.optional(z.array(z.string().min(1).max(MAX_RULE)).max(MOST_RULES)),
  }),
  z.object({ kind: z.literal("deny"), reason: z.optional(z.string()) }),
  z.object({ kind: z.literal("approve"), mode: permissionModeSchema }),
  z.object({ kind: z.literal("reject"), feedback: z.string() }),
]);
export type Decision = z.infer<typeof decisionSchema>;

/** The rules of a text that has one in a line. */
export function rulesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Who decided. */
export const decidedBySchema = z.enum(["person", "policy", "rule"]);
export type DecidedBy = z.infer<typeof decidedBySchema>;
