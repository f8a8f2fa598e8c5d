import * as vscode from "vscode";
import { errorMessage } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { FileState } from "../../protocol/changes.ts";
import type { TeamAddress } from "../teams/shownTeam.ts";

/** Scheme of the recorded sides of changes. */
const SCHEME = "muster-changes";

/**
 * Read-only documents of files as a team's record holds them. They are read when they are shown, as often as they are:
 * VS Code drops and asks for the parts of a long diff anew. So no more is kept than which teams were shown.
 */
export class ChangeDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly teams = new Map<string, TeamAddress>();
  private readonly registration: vscode.Disposable;
  private readonly log: Logger;

  constructor(log: Logger) {
    this.log = log;
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { query, path } = uri;
    const [hash = "", ...key] = query.split(" ");
    const address = this.teams.get(key.join(" "));
    if (!address) return vscode.l10n.t("What this file was is not known any more.");
    const { readRecorded } = await import("./shownChanges.ts");
    const bytes = await readRecorded(address, hash, this.log).catch((error: unknown) => {
      this.log.info(`What ${path} was cannot be read: ${errorMessage(error)}`); // its team was deleted, say
      return null;
    });
    if (!bytes) return vscode.l10n.t("What this file was is not kept any more.");
    return (
      (await textOf(uri.with({ scheme: "file", query: "" }), bytes)) ??
      vscode.l10n.t("This file is no text. Its size in bytes is {0}.", bytes.length)
    );
  }

  /** The document of a file of a team at one moment. */
  uri(address: TeamAddress, path: string, { hash }: FileState): vscode.Uri {
    const key = JSON.stringify([address.kind, address.folder, address.root]);
    this.teams.set(key, address);
    return vscode.Uri.file(path).with({ scheme: SCHEME, query: `${hash} ${key}` });
  }

  dispose(): void {
    this.registration.dispose();
  }
}

/**
 * The text of these bytes, read as an editor reads this file, so that both sides of a diff are alike: in the encoding of
 * its editor where one is open, else in that of the settings. Null where they are no text.
 */
async function textOf(file: vscode.Uri, bytes: Buffer): Promise<string | null> {
  const { workspace } = vscode;
  const open = workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === file.fsPath);
  try {
    return await (open ? workspace.decode(bytes, { encoding: open.encoding }) : workspace.decode(bytes, { uri: file }));
  } catch {
    return null; // VS Code finds them binary
  }
}
