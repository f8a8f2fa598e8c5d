import * as z from "zod";
import { parseJson } from "../../base/json.ts";
import { givenModeSchema, PERMISSION_MODES, resolveMode } from "../../protocol/mode.ts";
import { oneOf } from "../schemas.ts";
import { usageError } from "../usageError.ts";

/** `delegate`, which 2.1.41 has, is taken and not offered, as `--permission-mode` does. */
const mode = oneOf(givenModeSchema.options, PERMISSION_MODES).transform(resolveMode);
const behavior = z.enum(["allow", "ask", "deny"]);
const texts = z.array(z.string());
const anyObject = z.record(z.string(), z.unknown());
const links = z.record(z.string(), z.string());

/**
 * One case: a call, and everything that its decision depends on. `{PROJ}`, `{HOME}`, `{OUT}`, `{TEAMS}`, `{TASKS}` and
 * `{PLAN}` in any text stand for places of a temporary folder. What only tells of the case is not looked at.
 */
export const permissionCaseSchema = z.looseObject({
  id: z.string(),
  mode,
  rules: z.object({
    allow: z.optional(texts).transform((rules) => rules ?? []),
    ask: z.optional(texts).transform((rules) => rules ?? []),
    deny: z.optional(texts).transform((rules) => rules ?? []),
    additionalDirectories: z.optional(texts).transform((folders) => folders ?? []),
  }),
  cwd: z.string(),
  tool: z.string(),
  input: anyObject,
  platform: z.optional(z.literal("win32")),
  fixture: z.optional(
    z.object({
      files: z.optional(texts),
      /** Link → target. */
      symlinks: z.optional(links),
      hardlinks: z.optional(links),
      /** `permissions` of the workspace's settings file, which counts in full only when it is trusted. */
      repoSettings: z.optional(
        z.object({
          permissions: z.object({
            defaultMode: z.optional(mode),
            allow: z.optional(texts),
            ask: z.optional(texts),
            deny: z.optional(texts),
            additionalDirectories: z.optional(texts),
          }),
        }),
      ),
      trusted: z.optional(z.boolean()),
      preToolUseHook: z.optional(z.object({ permissionDecision: behavior })),
      /** What a person's answer changed the input to. */
      updatedInput: z.optional(anyObject),
    }),
  ),
});
export type PermissionCase = z.infer<typeof permissionCaseSchema>;

/** Reads cases: a JSON array, or one object a line. Throws `usage` with what is wrong and where. */
export function parseCases(text: string): PermissionCase[] {
  return rawCases(text).map((raw, index) => {
    const parsed = permissionCaseSchema.safeParse(raw);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw usageError(
      `Case ${index + 1} is not a case: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "unknown"}.`,
    );
  });
}

function rawCases(text: string): unknown[] {
  const whole = parseJson(text);
  if (Array.isArray(whole)) return whole;
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const value = parseJson(line);
    if (value === undefined) throw usageError(`Line ${index + 1} of the cases is not JSON.`);
    return [value];
  });
}
