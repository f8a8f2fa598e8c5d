import * as vscode from "vscode";
import type { FileState } from "../../protocol/changes.ts";
import type { ShownChanges } from "./shownChanges.ts";

/** Scheme of the recorded sides of changes. */
const SCHEME = "muster-changes";

/** Read-only documents of files as a team's record holds them. They are read when they are first shown. */
export class ChangeDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly sources = new Map<string, () => Promise<string>>();
  private readonly registration: vscode.Disposable;

  constructor() {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const source = this.sources.get(uri.toString());
    return source ? source() : Promise.resolve(vscode.l10n.t("What this file was is not known any more."));
  }

  /** The document of a file at one moment. */
  uri(changes: ShownChanges, path: string, state: FileState): vscode.Uri {
    const uri = vscode.Uri.file(path).with({ scheme: SCHEME, query: state.hash });
    this.sources.set(uri.toString(), () => textOf(changes, state));
    return uri;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

async function textOf(changes: ShownChanges, state: FileState): Promise<string> {
  const content = await changes.text(state);
  if (!content) return vscode.l10n.t("What this file was is not kept any more.");
  return "text" in content ? content.text : vscode.l10n.t("A file of {0} bytes that is no text.", content.binary);
}
