import { isMusterError } from "../../base/errors.ts";
import { nearestOf } from "../../base/nearest.ts";
import { isRule, parseRule, type Rule, ruleForm, ruleNamesTool } from "../../permission/rules.ts";
import {
  PERMISSION_KEYS,
  type PermissionSettings,
  SETTINGS_KEYS,
  type SettingsFile,
} from "../../store/settingsFile.ts";
import type { Store } from "../../store/store.ts";
import { LEAD_TOOL_NAMES, SPAWN_TOOLS } from "../agentTypes.ts";
import { findingText, type SettingsFinding } from "./settingsFinding.ts";

/**
 * Looks through the person's settings, those of the folder `cwd` (null: of none), and what Claude Code's own forbid:
 * files that are damaged or cannot be read, texts that are no rules, rules of tools that nobody has, and keys that mean
 * nothing. One file never hides what another holds.
 */
export async function settingsFindings(store: Store, cwd: string | null): Promise<SettingsFinding[]> {
  const { paths, settings } = store;
  const looks: [string, () => Promise<SettingsFinding[]>][] = [
    [paths.settings, async () => ownFindings(paths.settings, await settings.person(), true)],
  ];
  if (cwd !== null) {
    looks.push([
      paths.workspaceSettings(cwd),
      async () => {
        const read = await settings.workspace(cwd);
        return ownFindings(read.path, read.settings, read.accepted);
      },
    ]);
    for (const file of paths.claudeSettings(cwd))
      looks.push([file, async () => claudeFindings(file, await settings.claudeFile(file))]);
  }
  const found: SettingsFinding[] = [];
  for (const [file, look] of looks) {
    for (const finding of await orUnusable(file, look))
      if (!found.some((known) => findingText(known) === findingText(finding))) found.push(finding);
  }
  return found;
}

/** The files that `settingsFindings` looks through for these folders and that are there. */
export async function settingsFilesThere({ paths, pathFs }: Store, folders: readonly string[]): Promise<string[]> {
  const ofFolders = folders.flatMap((cwd) => [paths.workspaceSettings(cwd), ...paths.claudeSettings(cwd)]);
  const files = [...new Set([paths.settings, ...ofFolders])];
  const there = await Promise.all(
    files.map((file) =>
      pathFs.lstat(file).then(
        () => true,
        () => false,
      ),
    ),
  );
  return files.filter((_, at) => there[at]);
}

/** Whether a rule speaks of no tool that anybody here has. */
export function namesNoTool(rule: Rule): boolean {
  return !TOOL_NAMES.some((tool) => ruleNamesTool(rule, tool));
}

const TOOL_NAMES = [...LEAD_TOOL_NAMES, ...SPAWN_TOOLS];
const LISTS = ["allow", "ask", "deny"] as const;

async function orUnusable(file: string, look: () => Promise<SettingsFinding[]>): Promise<SettingsFinding[]> {
  try {
    return await look();
  } catch (error) {
    if (!isMusterError(error)) throw error;
    return [{ file, what: error.message, repair: "", stops: true, foreign: false, error }];
  }
}

function ownFindings(file: string, { permissions, ...rest }: SettingsFile, accepted: boolean): SettingsFinding[] {
  const own = { file, stops: false, foreign: false };
  return [
    ...unknownKeys(rest, SETTINGS_KEYS, "").map((found) => ({ ...own, ...found })),
    ...unknownKeys(permissions, PERMISSION_KEYS, "permissions.").map((found) => ({ ...own, ...found })),
    ...LISTS.flatMap((list) => permissions[list].flatMap((text) => ruleFinding(list, text, accepted))).map((found) => ({
      ...own,
      ...found,
    })),
  ];
}

type Found = Pick<SettingsFinding, "what" | "repair"> & Partial<SettingsFinding>;

function unknownKeys(given: object, known: readonly string[], within: string): Found[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key): Found => {
      if (within + key === "hooks") return HOOKS;
      const nearest = nearestOf(key, known);
      const what = `${quoted(within + key)} means nothing here and has no effect.`;
      const names = known.map((name) => within + name).join(", ");
      return {
        what,
        repair: nearest === null ? `Remove it, or write one of ${names}.` : `Write ${quoted(within + nearest)}.`,
      };
    });
}

/** Claude Code's settings have them: whoever writes them here relies on what they check. */
const HOOKS: Found = { what: '"hooks" has no effect: Muster runs no hooks.', repair: "Remove it." };

function ruleFinding(list: (typeof LISTS)[number], text: string, accepted: boolean): Found[] {
  const shown = quoted(text);
  if (isRule(text)) {
    if (!namesNoTool(parseRule(text, "user", "/"))) return [];
    const what = `permissions.${list} holds ${shown}, a rule of a tool that nobody here has: it matches nothing.`;
    return [{ what, repair: "Correct the tool's name." }];
  }
  if (!accepted && list === "allow") {
    const what = `permissions.allow holds ${shown}, which is no permission rule and allows nothing.`;
    return [{ what, repair: `Write ${ruleForm(text)}.` }]; // it is not read before it is accepted
  }
  const what = `permissions.${list} holds ${shown}, which is no permission rule.`;
  return [{ what, repair: `Write ${ruleForm(text)}: no call runs before that.`, stops: true }];
}

/** Rules of another program, of which only those that forbid or ask count, and which may name tools of its own. */
function claudeFindings(file: string, permissions: PermissionSettings): SettingsFinding[] {
  return (["ask", "deny"] as const).flatMap((list) =>
    permissions[list]
      .filter((text) => !isRule(text))
      .map((text) => ({
        ...{ file, stops: false, foreign: true },
        what: `permissions.${list} holds ${quoted(text)}, which is no rule here and has no effect.`,
        repair: "Write what it is to forbid into Muster's own settings.",
      })),
  );
}

function quoted(text: string): string {
  return JSON.stringify([...text].slice(0, 120).join(""));
}
