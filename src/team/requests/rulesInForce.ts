import { MusterError } from "../../base/errors.ts";
import { brokenRule, type CollectedRules, collectRules, type RuleFile } from "../../permission/ruleFiles.ts";
import { isRule } from "../../permission/rules.ts";
import { MODE_WORDS, type PermissionMode, resolveMode } from "../../protocol/mode.ts";
import type { PermissionSettings, WorkspaceSettings } from "../../store/settingsFile.ts";
import type { Store } from "../../store/store.ts";
import type { SessionContext } from "../context.ts";
import type { SessionOptions } from "../types.ts";

/**
 * Everything that holds for a session right now: from flags, this session, the person's file, the workspace's file, and
 * what Claude Code's own settings forbid or ask about. What the workspace's file allows counts once the person has
 * accepted exactly this content. Throws `corrupt` where a file cannot be read or holds a text that is no rule: what a
 * rule was meant to forbid is not guessed.
 */
export async function rulesInForce(
  context: Pick<SessionContext, "options" | "sessionRules" | "sessionDirectories">,
): Promise<CollectedRules> {
  const { options, sessionRules, sessionDirectories } = context;
  const { store, settings, cwd } = options;
  const [person, workspace, claude] = await Promise.all([
    store.settings.personRules(),
    store.settings.workspace(cwd),
    store.settings.claudeFiles(cwd),
  ]);
  const given = [settings.rules, sessionRules.length, sessionDirectories.length, person, workspace.settings];
  const key = [...given, workspace.accepted, ...claude];
  const known = kept.get(options);
  if (known?.key.every((part, index) => part === key[index])) return known.rules;
  const session = { allow: [...sessionRules], additionalDirectories: [...sessionDirectories] };
  const files: RuleFile[] = [
    { source: "flags", root: cwd, accepted: true, permissions: settings.rules },
    { source: "session", root: cwd, accepted: true, permissions: session },
    ...savedFiles(options, person, workspace),
  ];
  const own = collectRules(files, "default");
  const broken = brokenRule(own);
  if (broken !== null) throw new MusterError("corrupt", broken);
  const rules = joined(own, foreignRules(claude, options));
  kept.set(options, { key, rules });
  return rules;
}

/** Rules are asked for at every call; they change when a person or a file changes them. */
const kept = new WeakMap<SessionOptions, { key: readonly unknown[]; rules: CollectedRules }>();

/** The mode that files set for a session where the person chose none: a workspace may only tighten until it is accepted. */
export async function modeOfFiles(store: Store, cwd: string, home: string): Promise<PermissionMode> {
  const [person, workspace] = await Promise.all([store.settings.personRules(), store.settings.workspace(cwd)]);
  return collectRules(savedFiles({ cwd, home }, person, workspace), "default").mode;
}

/** One thing that a workspace's settings would loosen: a rule that allows, a folder more, or a mode in people's words. */
export interface Loosening {
  kind: "rule" | "folder" | "mode";
  what: string;
}

/**
 * What a workspace's settings would loosen and the person has not accepted; none where there is nothing to accept. A text
 * that is no rule loosens nothing (`settingsFindings` tells of it).
 */
export function loosenings({ settings, accepted }: WorkspaceSettings): Loosening[] {
  if (accepted) return [];
  const { allow, additionalDirectories, defaultMode } = settings.permissions;
  const mode = defaultMode === undefined ? undefined : resolveMode(defaultMode);
  return [
    ...allow.filter(isRule).map((what): Loosening => ({ kind: "rule", what })),
    ...additionalDirectories.map((what): Loosening => ({ kind: "folder", what })),
    ...(mode === "acceptEdits" || mode === "bypassPermissions"
      ? [{ kind: "mode", what: MODE_WORDS[mode] } as const]
      : []),
  ];
}

/** The same in English: "allows Bash". */
export function looseningText({ kind, what }: Loosening): string {
  if (kind === "rule") return `allows ${what}`;
  return kind === "folder" ? `adds the folder ${what}` : `sets the mode to ${what}`;
}

function savedFiles(
  { cwd, home }: Pick<SessionOptions, "cwd" | "home">,
  person: PermissionSettings,
  { settings, accepted }: WorkspaceSettings,
): RuleFile[] {
  return [
    { source: "user", root: home, accepted: true, permissions: withMode(person) },
    { source: "workspace", root: cwd, accepted, permissions: withMode(settings.permissions) },
  ];
}

function withMode({ defaultMode, ...lists }: PermissionSettings): RuleFile["permissions"] {
  return defaultMode === undefined ? lists : { ...lists, defaultMode: resolveMode(defaultMode) };
}

/**
 * Rules of Claude Code's settings: what they deny or ask about, and with `readClaudeSettings` also what the person's own
 * file allows. They may be written in ways that mean nothing here: such a text is told once and passed over.
 */
function foreignRules(
  claude: readonly PermissionSettings[],
  { cwd, home, logger, settings }: SessionOptions,
): CollectedRules {
  const files = claude.map((permissions, index): RuleFile => {
    if (index > 0) return { source: "workspace", root: cwd, accepted: false, permissions: withMode(permissions) };
    const accepted = settings.readClaudeSettings === true;
    return { source: "user", root: home, accepted, permissions: withMode(permissions) };
  });
  const collected = collectRules(files, "default");
  for (const fault of collected.faults) logger.warn(`A rule of Claude Code's settings has no effect here: ${fault}`);
  return collected;
}

function joined(own: CollectedRules, foreign: CollectedRules): CollectedRules {
  const both = (kind: "allow" | "ask" | "deny") => [...own.rules[kind], ...foreign.rules[kind]];
  return {
    ...own,
    rules: { allow: both("allow"), ask: both("ask"), deny: both("deny") },
    additionalDirectories: [...own.additionalDirectories, ...foreign.additionalDirectories],
  };
}
