import type { PermissionSuggestion } from "../protocol/request.ts";
import { pathApi, type ResolvedPath } from "./paths.ts";
import type { DecisionContext } from "./types.ts";

/** Changes that would answer a question about a file for the rest of the session. */
export function fileSuggestions(
  kind: "read" | "write",
  path: ResolvedPath,
  inside: boolean,
  context: DecisionContext,
): PermissionSuggestion[] {
  const folder = path.stat?.isDirectory() ? path.real : pathApi(context).dirname(path.real);
  const mode: PermissionSuggestion = { type: "setMode", mode: "acceptEdits", destination: "session" };
  if (inside) return kind === "write" && context.mode === "default" ? [mode] : [];
  if (pathApi(context).parse(folder).root === folder) return [];
  const directories: PermissionSuggestion = { type: "addDirectories", directories: [folder], destination: "session" };
  if (kind === "write") return context.mode === "default" ? [directories, mode] : [directories];
  const ruleContent = `/${folder.replaceAll("\\", "/").replace(/^(?!\/)/, "/")}/**`;
  const rules = [{ toolName: "Read", ruleContent }];
  return [{ type: "addRules", rules, behavior: "allow", destination: "session" }];
}
