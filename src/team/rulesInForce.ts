import { parseRule, type Rule, type RuleSource } from "../permission/rules.ts";
import type { RuleSet } from "../permission/types.ts";
import type { SessionOptions } from "./types.ts";

/**
 * Every rule that holds for a session right now: from flags, this session, the person's file, and what the workspace's
 * file forbids or asks about. What that file allows does not count: a workspace may only tighten.
 */
export async function rulesInForce(options: SessionOptions, sessionRules: readonly string[]): Promise<RuleSet> {
  const { store, settings, cwd } = options;
  const { rules: flags } = settings;
  const [person, workspace] = await Promise.all([store.settings.personRules(), store.settings.workspace(cwd)]);
  const parsed = (texts: readonly string[], source: RuleSource): Rule[] =>
    texts.map((text) => parseRule(text, source, source === "user" ? options.home : cwd));
  return {
    allow: [...parsed(flags.allow, "flags"), ...parsed(sessionRules, "session"), ...parsed(person.allow, "user")],
    ask: [
      ...parsed(flags.ask, "flags"),
      ...parsed(person.ask, "user"),
      ...parsed(workspace.permissions.ask, "workspace"),
    ],
    deny: [
      ...parsed(flags.deny, "flags"),
      ...parsed(person.deny, "user"),
      ...parsed(workspace.permissions.deny, "workspace"),
    ],
  };
}
