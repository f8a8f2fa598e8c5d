import * as vscode from "vscode";
import type { EmptyReason, PanelState } from "../../protocol/panel.ts";
import { hasKey } from "../apiKey.ts";
import type { Services } from "../services.ts";

/** What the panel says while there is no team: why, and what can be done. */
export function emptyState({ apiKey, settings }: Pick<Services, "apiKey" | "settings">): PanelState {
  const folder = vscode.workspace.workspaceFolders?.[0]?.name ?? null;
  const { model, baseUrl } = settings();
  if (apiKey.source === "unknown") return { screen: "loading" };
  return {
    screen: "empty",
    reason: reasonOf(folder, hasKey(apiKey, baseUrl)),
    folder,
    model,
  };
}

function reasonOf(folder: string | null, isKeyThere: boolean): EmptyReason {
  if (!vscode.workspace.isTrusted) return "untrusted";
  if (folder === null) return "no_folder";
  return isKeyThere ? "no_team" : "no_key";
}
