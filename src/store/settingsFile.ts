import * as z from "zod";
import { MusterError } from "../base/errors.ts";
import { givenModeSchema } from "../protocol/mode.ts";
import type { FileCache } from "./fileCache.ts";
import { ensureDir } from "./folders.ts";
import { withFileErrors } from "./fsErrors.ts";
import { type JsonFile, updateJson } from "./jsonFile.ts";
import { lockOf } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";

const ruleList = z.optional(z.array(z.string())).transform((rules) => rules ?? []);

const permissionsSchema = z.looseObject({
  defaultMode: z.optional(givenModeSchema),
  allow: ruleList,
  ask: ruleList,
  deny: ruleList,
  additionalDirectories: ruleList,
});
export type PermissionSettings = z.infer<typeof permissionsSchema>;

const NO_RULES: PermissionSettings = { allow: [], ask: [], deny: [], additionalDirectories: [] };

/** `{root}/muster/settings.json` and `{workspace}/.muster/settings.json`. Unknown fields are kept. */
export const settingsSchema = z.looseObject({
  permissions: z.optional(permissionsSchema).transform((given) => given ?? NO_RULES),
  hooks: z.optional(z.record(z.string(), z.unknown())),
});
export type SettingsFile = z.infer<typeof settingsSchema>;

export interface SettingsStore {
  /** The person's settings; nothing set where there is no file. Throws `corrupt`: rules are never guessed. */
  person(): Promise<SettingsFile>;
  personRules(): Promise<PermissionSettings>;
  /** The workspace's settings. Throws `corrupt`. */
  workspace(cwd: string): Promise<SettingsFile>;
  /** Adds to the person's allow rules what is not there yet. */
  addAllowRules(rules: readonly string[]): Promise<void>;
}

/** The settings files of a store. */
export function createSettingsStore(context: StoreContext, cache: FileCache): SettingsStore {
  const person = () => readSettings(cache, context.paths.settings);
  return {
    person,
    personRules: async () => (await person()).permissions,
    workspace: (cwd) => readSettings(cache, context.paths.workspaceSettings(cwd)),
    async addAllowRules(rules) {
      if (rules.length === 0) return;
      const file = settingsFile(context.paths.settings);
      await withFileErrors("The rule was not saved", file.path, async () => {
        await ensureDir(context.fs, context.paths.muster, null);
        await updateJson(context, file, (content) => ({
          next: withAllowRules(content?.raw, rules),
          result: undefined,
        }));
      });
    },
  };
}

async function readSettings(cache: FileCache, path: string): Promise<SettingsFile> {
  const read = await withFileErrors("The settings cannot be read", path, () => cache.read(settingsFile(path)));
  if (read.kind === "ok") return read.value;
  if (read.kind === "absent") return { permissions: NO_RULES };
  throw new MusterError(
    "corrupt",
    `${path} does not hold valid settings. Correct it or remove it; nothing runs without its rules.`,
  );
}

function settingsFile(path: string): JsonFile<SettingsFile> {
  return {
    path,
    lock: lockOf(path),
    home: null,
    what: `the settings file ${path}`,
    parse: (raw) => {
      const parsed = settingsSchema.safeParse(raw);
      return parsed.success ? parsed.data : undefined;
    },
    // half of a person's rules is not what the person wants
    salvage: () => undefined,
  };
}

function withAllowRules(raw: unknown, rules: readonly string[]): Record<string, unknown> {
  const current = { ...(raw as Record<string, unknown> | undefined) };
  const permissions = { ...(current["permissions"] as Record<string, unknown> | undefined) };
  const allow = (permissions["allow"] as string[] | undefined) ?? [];
  const added = rules.filter((rule, index) => !allow.includes(rule) && rules.indexOf(rule) === index);
  return { ...current, permissions: { ...permissions, allow: [...allow, ...added] } };
}
