import type { PermissionMode } from "../../protocol/mode.ts";
import type { PermissionSuggestion } from "../../protocol/request.ts";

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
    ...(mode === undefined ? [] : [`mode ${mode}`]),
  ];
}
