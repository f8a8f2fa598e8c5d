import { givenModeSchema, type PermissionMode, resolveMode } from "../protocol/mode.ts";

/** The mode that a spawn names, or undefined where it names none (then the lead's is inherited). */
export function spawnMode(given: unknown): PermissionMode | undefined {
  const parsed = givenModeSchema.safeParse(given);
  return parsed.success ? resolveMode(parsed.data) : undefined;
}
