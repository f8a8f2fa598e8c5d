import * as z from "zod";
import { permissionModeSchema } from "./mode.ts";

/** One simple command of a command line, with what the engine thinks of it. */
export interface CommandPart {
  text: string;
  /** Whether a rule or the read-only list allows it. */
  covered: boolean;
}

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

/** What both kinds of request have. `createdAt`: ms. `task`: id of the task the member has in progress. */
interface RequestBase {
  id: string;
  from: string;
  createdAt: number;
  task: string | null;
  /** What the member wrote in the reply that asks, or null. */
  said: string | null;
}

/** A tool call that waits for a decision. `reason`: why it asks, one sentence. */
export interface PermissionRequest extends RequestBase {
  kind: "permission";
  tool: string;
  toolUseId: string;
  input: Record<string, unknown>;
  cwd: string;
  description: string;
  reason: string;
  parts: CommandPart[] | null;
  /** Protected paths, critical removals and the like: a policy of allowing everything leaves them out. */
  guarded: boolean;
  suggestions: PermissionSuggestion[];
}

/** A plan that waits for a decision. `version` counts this member's submissions from 1; `afterMode` is preselected. */
export interface PlanRequest extends RequestBase {
  kind: "plan";
  planFilePath: string;
  planContent: string;
  version: number;
  afterMode: z.infer<typeof permissionModeSchema>;
}

export type PendingRequest = PermissionRequest | PlanRequest;

/** What a person, a policy or a rule decides. `always` writes the rule to the person's settings file. */
export const decisionSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("allow"),
    scope: z.enum(["once", "session", "always"]),
    updatedInput: z.optional(z.record(z.string(), z.unknown())),
  }),
  z.object({ kind: z.literal("deny"), reason: z.optional(z.string()) }),
  z.object({ kind: z.literal("approve"), mode: permissionModeSchema }),
  z.object({ kind: z.literal("reject"), feedback: z.string() }),
]);
export type Decision = z.infer<typeof decisionSchema>;

/** Who decided. */
export type DecidedBy = "person" | "policy" | "rule";
