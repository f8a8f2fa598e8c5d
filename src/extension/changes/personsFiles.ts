import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { Teams } from "../teams/teams.ts";

/**
 * Tells the team that runs here which files the person saves, makes, deletes and renames in this window. Members write
 * through the file system alone, and a file that is reverted or read anew is not saved.
 */
export function followPersonsFiles(teams: Pick<Teams, "live">): Disposable {
  const { workspace } = vscode;
  const owned = new DisposableStore();
  const changed = (uris: readonly vscode.Uri[]) => {
    const paths = uris.flatMap(({ scheme, fsPath }) => (scheme === "file" ? fsPath : []));
    if (paths.length > 0) void teams.live?.personChanged(paths);
  };
  owned.add(workspace.onDidSaveTextDocument(({ uri }) => changed([uri])));
  owned.add(workspace.onDidSaveNotebookDocument(({ uri }) => changed([uri])));
  owned.add(workspace.onDidCreateFiles(({ files }) => changed(files)));
  owned.add(workspace.onDidDeleteFiles(({ files }) => changed(files)));
  owned.add(
    workspace.onDidRenameFiles(({ files }) => changed(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]))),
  );
  return owned;
}
