import { errorMessage } from "../base/errors.ts";
import { MODE_REACH, type PermissionMode } from "../protocol/mode.ts";
import { parseRule, type Rule, type RuleSource } from "./rules.ts";
import type { Behavior, Decision, RuleSet } from "./types.ts";

/** The `permissions` object of a settings file, or what a session or flags add to it. */
export interface PermissionSettings {
  defaultMode?: PermissionMode;
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
  additionalDirectories?: readonly string[];
}

/**
 * One source of rules. `root`: folder of the file, which `/…` patterns start from. `accepted`: whether the person stands
 * behind its content; what a workspace brings along may only tighten until then.
 */
export interface RuleFile {
  source: RuleSource;
  root: string;
  accepted: boolean;
  permissions: PermissionSettings;
}

/** All sources as one. `faults`: a sentence for each text that is no rule; such a text has no effect. */
export interface CollectedRules {
  rules: RuleSet;
  additionalDirectories: string[];
  mode: PermissionMode;
  faults: string[];
}

/** Joins the sources in the order given. `mode`: what holds before any file speaks; an unaccepted file may only tighten it. */
export function collectRules(files: readonly RuleFile[], mode: PermissionMode): CollectedRules {
  const faults: string[] = [];
  const rulesOf = (kind: Behavior): Rule[] =>
    files
      .filter(({ accepted }) => accepted || kind !== "allow")
      .flatMap((file) => (file.permissions[kind] ?? []).flatMap((text) => parsed(text, file, faults)));
  return {
    rules: { allow: rulesOf("allow"), ask: rulesOf("ask"), deny: rulesOf("deny") },
    additionalDirectories: files
      .filter(({ accepted }) => accepted)
      .flatMap(({ permissions }) => permissions.additionalDirectories ?? []),
    mode: files.reduce((current, file) => modeAfter(current, file), mode),
    faults,
  };
}

/**
 * Why no call is judged by these rules, as one sentence: one of them is none, and what it was meant to forbid is not
 * guessed. Null where all are rules.
 */
export function brokenRule({ faults: [first] }: Pick<CollectedRules, "faults">): string | null {
  return first === undefined ? null : `${first} Correct the rule: nothing runs without it.`;
}

/** What a hook says beside a decision: it can tighten, never loosen. */
export function tightened(decision: Decision, hook: { behavior: Behavior; reason: string }): Decision {
  if (STRICTNESS[hook.behavior] <= STRICTNESS[decision.behavior]) return decision;
  return { ...decision, behavior: hook.behavior, rule: null, reason: hook.reason, suggestions: [] };
}

const STRICTNESS: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 };

function modeAfter(current: PermissionMode, { accepted, permissions }: RuleFile): PermissionMode {
  const next = permissions.defaultMode;
  if (next === undefined) return current;
  return accepted || MODE_REACH[next] < MODE_REACH[current] ? next : current;
}

function parsed(text: string, { source, root }: RuleFile, faults: string[]): Rule[] {
  try {
    return [parseRule(text, source, root)];
  } catch (error) {
    faults.push(errorMessage(error));
    return [];
  }
}
