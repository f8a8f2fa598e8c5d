import * as z from "zod";
import { parseJson } from "../../base/json.ts";
import { jsonFault } from "../../base/jsonFault.ts";
import { givenModeSchema, PERMISSION_MODES, resolveMode } from "../../protocol/mode.ts";
import { oneOf } from "../schemas.ts";

/** `delegate`, which 2.1.41 has, is taken and not offered, as `--permission-mode` does. */
const mode = oneOf(givenModeSchema.options, PERMISSION_MODES).transform(resolveMode);
const behavior = oneOf(["allow", "ask", "deny"]);
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
  platform: z.optional(z.literal("win32", { error: "write win32, or leave it out" })),
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

/** A case, or the sentence that says why what was given is none. */
export type GivenCase = { kind: "case"; case: PermissionCase } | { kind: "fault"; sentence: string };

/** Reads cases: a JSON array, or one object a line. What is none says what is wrong and where. */
export function parseCases(text: string): GivenCase[] {
  return rawCases(text).map((raw, index) => {
    if ("fault" in raw) return { kind: "fault", sentence: raw.fault };
    const parsed = permissionCaseSchema.safeParse(raw.value);
    if (parsed.success) return { kind: "case", case: parsed.data };
    const [issue] = parsed.error.issues;
    const fault = issue ? faultOf(raw.value, issue) : "it is wrong";
    return { kind: "fault", sentence: `Case ${index + 1} is not a case: ${fault}.` };
  });
}

type RawCase = { value: unknown } | { fault: string };

function rawCases(text: string): RawCase[] {
  const whole = parseJson(text);
  if (Array.isArray(whole)) return whole.map((value) => ({ value }));
  const broken = text.trimStart().startsWith("[") ? jsonFault(text) : null;
  if (broken)
    return [{ fault: `The array of cases stops being JSON at line ${broken.line}, column ${broken.column}.` }];
  return text.split("\n").flatMap((line, index): RawCase[] => {
    if (line.trim() === "") return [];
    const value = parseJson(line);
    return [value === undefined ? { fault: `Line ${index + 1} of the cases is not JSON.` } : { value }];
  });
}

/** What is wrong with a field, in words of ours: `rules.allow must be a list`. */
function faultOf(raw: unknown, issue: z.core.$ZodIssue): string {
  const name = issue.path.join(".");
  if (name === "") return "it must be an object";
  const value = issue.path.reduce<unknown>((within, key) => (within as Record<PropertyKey, unknown>)?.[key], raw);
  if (value === undefined) return `${name} is missing`;
  if (issue.code === "invalid_type") return `${name} must be ${KINDS[issue.expected] ?? "something else"}`;
  return issue.code === "invalid_value" ? `${name}: ${issue.message}` : `${name} is wrong`;
}

const KINDS: Readonly<Record<string, string | undefined>> = {
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
