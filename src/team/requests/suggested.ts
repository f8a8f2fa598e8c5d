import { modeWords, type PermissionMode } from "../../protocol/mode.ts";
import type { Decision, PermissionRequest, PermissionSuggestion } from "../../protocol/request.ts";

/** Rules among what *Allow for This Session* and *Always Allow* would keep. */
export function suggestedRules(suggestions: readonly PermissionSuggestion[]): string[] {
  return suggestions.flatMap((suggestion) =>
    suggestion.type === "addRules" && suggestion.behavior === "allow"
      ? suggestion.rules.map(({ toolName, ruleContent }) =>
          ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
        )
      : [],
  );
}

/**
 * What is kept when a request is allowed for longer: what it suggests, with the rules that the person wrote in the place of
 * its own.
 */
export function keptSuggestions(
  { suggestions }: Pick<PermissionRequest, "suggestions">,
  { rules }: Extract<Decision, { kind: "allow" }>,
): PermissionSuggestion[] {
  if (!rules) return suggestions;
  const own: PermissionSuggestion = {
    type: "addRules",
    rules: rules.map(ruleOf),
    behavior: "allow",
    destination: "session",
  };
  return [...suggestions.filter(({ type }) => type !== "addRules"), own];
}

/** `Tool(pattern)`, or a tool alone, in its parts. */
function ruleOf(text: string): { toolName: string; ruleContent?: string } {
  const [, toolName = text, ruleContent] = /^([^(]*)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  return { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) };
}

/** Folders that they would add to the project. */
export function suggestedDirectories(suggestions: readonly PermissionSuggestion[]): string[] {
  return suggestions.flatMap((suggestion) => (suggestion.type === "addDirectories" ? suggestion.directories : []));
}

/** The mode that they would set. */
export function suggestedMode(suggestions: readonly PermissionSuggestion[]): PermissionMode | undefined {
  return suggestions.find((suggestion) => suggestion.type === "setMode")?.mode;
}

/** All that they would change, as a person reads it before choosing. */
export function suggestedChanges(suggestions: readonly PermissionSuggestion[]): string[] {
  const mode = suggestedMode(suggestions);
  return [
    ...suggestedRules(suggestions),
    ...suggestedDirectories(suggestions).map((folder) => `folder ${folder}`),
    ...(mode === undefined ? [] : [`mode ${modeWords(mode)}`]),
  ];
}
