import { expect, it } from "vitest";
import type { PermissionSuggestion } from "../../../../src/protocol/request.ts";
import { suggestedChanges, suggestedRules } from "../../../../src/team/requests/suggested.ts";

const SUGGESTIONS: PermissionSuggestion[] = [
  { type: "setMode", mode: "acceptEdits", destination: "session" },
  { type: "addDirectories", directories: ["/else/where"], destination: "session" },
  {
    type: "addRules",
    behavior: "allow",
    destination: "session",
    rules: [{ toolName: "Bash", ruleContent: "npm test" }, { toolName: "Read" }],
  },
  { type: "addRules", behavior: "deny", destination: "session", rules: [{ toolName: "Write" }] },
];

it("the rules behind a broader choice are those that allow", () => {
  expect(suggestedRules(SUGGESTIONS)).toEqual(["Bash(npm test)", "Read"]);
});

it("a person reads every change before choosing", () => {
  expect(suggestedChanges(SUGGESTIONS)).toEqual(["Bash(npm test)", "Read", "folder /else/where", "mode Accept edits"]);
});
