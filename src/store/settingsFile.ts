import { createHash } from "node:crypto";
import * as z from "zod";
import { MusterError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { givenModeSchema, type PermissionMode } from "../protocol/mode.ts";
import type { FileCache } from "./fileCache.ts";
import { ensureDir } from "./folders.ts";
import { withFileErrors } from "./fsErrors.ts";
import { type JsonFile, updateJson } from "./jsonFile.ts";
import { lockOf } from "./paths.ts";
import { settingsReason } from "./settingsReason.ts";
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

/** Settings of another program, which may hold what this one does not know: only these lists of them are read. */
const claudeSchema = z.looseObject({
  permissions: z
    .optional(
      z
        .looseObject({ allow: ruleList, ask: ruleList, deny: ruleList, additionalDirectories: ruleList })
        .transform(({ allow, ask, deny, additionalDirectories }) => ({ allow, ask, deny, additionalDirectories })),
    )
    .transform((given): PermissionSettings => given ?? NO_RULES),
});

/** The keys of a settings file that mean something. */
export const SETTINGS_KEYS: readonly string[] = ["permissions", "accepted", "$schema"];
/** Those of its `permissions`. */
export const PERMISSION_KEYS: readonly string[] = Object.keys(permissionsSchema.shape);

/** `{root}/muster/settings.json` and `{workspace}/.muster/settings.json`. Unknown fields are kept. */
const settingsSchema = z.looseObject({
  permissions: z.optional(permissionsSchema).transform((given) => given ?? NO_RULES),
  /** Of the person's file: workspaces' settings files that the person accepted, by path, with their digests. */
  accepted: z.optional(z.record(z.string(), z.string())),
});
export type SettingsFile = z.infer<typeof settingsSchema>;

const NOTHING: SettingsFile = { permissions: NO_RULES };

/** A workspace's own settings. `digest`: hex SHA-256 of the file's bytes, null where there is no file. */
export interface WorkspaceSettings {
  path: string;
  settings: SettingsFile;
  digest: string | null;
  /** Whether the person stands behind exactly this content. */
  accepted: boolean;
}

export interface SettingsStore {
  /** The person's settings; nothing set where there is no file. Throws `corrupt`: rules are never guessed. */
  person(): Promise<SettingsFile>;
  personRules(): Promise<PermissionSettings>;
  /** The workspace's settings. Throws `corrupt`. */
  workspace(cwd: string): Promise<WorkspaceSettings>;
  /** The person accepts the workspace's settings as they were shown. Throws `not_ready` where they are others by now. */
  acceptWorkspace(cwd: string, digest: string): Promise<void>;
  /** The rules of Claude Code's own settings: the person's, the project's, and those of this checkout. */
  claudeFiles(cwd: string): Promise<PermissionSettings[]>;
  /** Those of one of these files (absolute); no rules where there is no file. Throws `corrupt` and file failures. */
  claudeFile(path: string): Promise<PermissionSettings>;
  /** Adds to the person's settings what is not there yet, and sets the mode where one is given. */
  addPermissions(added: AddedPermissions): Promise<void>;
}

/** What a person allows for good. */
export interface AddedPermissions {
  allow?: readonly string[];
  additionalDirectories?: readonly string[];
  defaultMode?: PermissionMode;
}

/** The settings files of a store. */
export function createSettingsStore(context: StoreContext, cache: FileCache): SettingsStore {
  const { paths } = context;
  const person = async () => (await readSettings(context, cache, paths.settings)).value;
  const workspace = async (cwd: string): Promise<WorkspaceSettings> => {
    const path = paths.workspaceSettings(cwd);
    const [{ value: settings, digest }, { accepted }] = await Promise.all([
      readSettings(context, cache, path),
      person(),
    ]);
    return { path, settings, digest, accepted: digest !== null && accepted?.[path] === digest };
  };
  const claudeFile = async (path: string) => (await readClaude(context, cache, path)).permissions;
  const change = async (made: (raw: Record<string, unknown>) => Record<string, unknown>): Promise<void> => {
    const file = settingsFile(paths.settings);
    await withFileErrors("The settings were not saved", file.path, async () => {
      await ensureDir(context.fs, paths.muster, null);
      await updateJson(context, file, (content) => ({
        next: made({ ...(content?.raw as Record<string, unknown> | undefined) }),
        result: undefined,
      }));
    });
  };
  return {
    person,
    personRules: async () => (await person()).permissions,
    workspace,
    async acceptWorkspace(cwd, digest) {
      const now = await workspace(cwd);
      if (now.digest !== digest)
        throw new MusterError("not_ready", `${now.path} has changed since you read it: look at it again.`);
      await change((raw) => ({ ...raw, accepted: { ...(raw["accepted"] as object | undefined), [now.path]: digest } }));
    },
    claudeFile,
    claudeFiles: (cwd) => Promise.all(paths.claudeSettings(cwd).map(claudeFile)),
    addPermissions: (added) => change((raw) => withPermissions(raw, added)),
  };
}

async function readSettings(
  context: StoreContext,
  cache: FileCache,
  path: string,
): Promise<{ value: SettingsFile; digest: string | null }> {
  const read = await withFileErrors("The settings cannot be read", path, () => cache.read(settingsFile(path)));
  if (read.kind === "ok")
    return cache.derive(read, async () => ({
      value: read.value,
      digest: createHash("sha256").update(read.bytes).digest("hex"),
    }));
  if (read.kind === "absent") return { value: NOTHING, digest: null };
  throw await invalid(context, path);
}

/** The error of a settings file that cannot be used: which key is wrong, or where it is no JSON. */
async function invalid(context: StoreContext, path: string): Promise<MusterError> {
  const reason = await reasonOf(context, path, settingsSchema);
  return new MusterError(
    "corrupt",
    `${path} does not hold valid settings: ${reason} Correct it or remove the file; nothing runs without its rules.`,
  );
}

async function reasonOf(context: StoreContext, path: string, schema: z.ZodType): Promise<string> {
  const { bytes } = await withFileErrors("The settings cannot be read", path, () => context.fs.read(path));
  const text = new TextDecoder().decode(bytes);
  return settingsReason(text, schema.safeParse(parseJson(text)).error?.issues[0]?.path ?? []);
}

async function readClaude(
  context: StoreContext,
  cache: FileCache,
  path: string,
): Promise<{ permissions: PermissionSettings }> {
  const file = { ...settingsFile(path), parse: (raw: unknown) => claudeSchema.safeParse(raw).data };
  const read = await withFileErrors("The settings cannot be read", path, () => cache.read(file));
  if (read.kind === "ok") return read.value;
  if (read.kind === "absent") return NOTHING;
  const reason = await reasonOf(context, path, claudeSchema);
  throw new MusterError(
    "corrupt",
    `${path} does not hold valid settings: ${reason} Correct it: what it denies counts here too.`,
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

function withPermissions(raw: Record<string, unknown>, added: AddedPermissions): Record<string, unknown> {
  const permissions = { ...(raw["permissions"] as Record<string, unknown> | undefined) };
  for (const list of ["allow", "additionalDirectories"] as const) {
    const given = added[list];
    if (!given || given.length === 0) continue;
    const current = (permissions[list] as string[] | undefined) ?? [];
    permissions[list] = [...current, ...new Set(given.filter((one) => !current.includes(one)))];
  }
  if (added.defaultMode) permissions["defaultMode"] = added.defaultMode;
  return { ...raw, permissions };
}
