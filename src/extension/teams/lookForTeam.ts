import * as vscode from "vscode";
import { homeFolder } from "../../team/homeFolder.ts";
import type { WindowParts } from "../windowParts.ts";
import { SHOWN_KEY } from "./shownTeam.ts";
import { stateRoot } from "./stateRoot.ts";

/** Whether there may be a team to show when the window opens: one that was shown before, or any on disk. */
export async function lookForTeam({ state }: WindowParts): Promise<boolean> {
  if (state.get(SHOWN_KEY) !== undefined) return true;
  const setting = vscode.workspace.getConfiguration("muster").get("stateRoot");
  const root = stateRoot(typeof setting === "string" ? setting : "", process.env, homeFolder()).root;
  try {
    const teams = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(vscode.Uri.file(root), "teams"));
    return teams.length > 0;
  } catch {
    return false; // no state root yet
  }
}
