import * as vscode from "vscode";
import { MusterError } from "../../base/errors.ts";
import type { PendingRequest, PlanRequest } from "../../protocol/request.ts";
import { type EditTexts, editTexts } from "../../team/views/previews.ts";
import { documentName } from "../members/shownName.ts";
import { KeptTexts } from "./keptTexts.ts";

/** Scheme of what is shown and cannot be changed: plans, commands, both sides of an edit. */
const SCHEME = "muster";

/** Read-only documents of requests. A document stays readable after its request was decided, as long as it is open. */
export class RequestDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new KeptTexts((address) =>
    vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === address),
  );
  private readonly opened = new Set<string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration: vscode.Disposable;

  constructor() {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  readonly onDidChange = this.changes.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? vscode.l10n.t("This request is not known any more.");
  }

  /** Opens what a request is about: the plan, the edit as a diff, else the whole input. `from`: who asks, as it is shown. */
  async open(
    request: PendingRequest,
    { preserveFocus, from }: { preserveFocus: boolean; from: string },
  ): Promise<void> {
    const show = { ...PREVIEW, preserveFocus };
    const texts = request.kind === "plan" ? null : editTexts(request, await textOfFile(request));
    if (texts) await this.openChange(request.id, texts, from, show);
    else {
      const { name, text } = documentOf(request, from);
      await this.openText(request.id, name, text, show);
    }
    this.opened.add(request.id);
  }

  /** Opens a change of one file that `member` makes, by the name that is shown. `id` tells it from others of its file. */
  async openChange(
    id: string,
    texts: EditTexts,
    member: string,
    show: vscode.TextDocumentShowOptions = PREVIEW,
  ): Promise<void> {
    const name = texts.path.split(/[\\/]/).at(-1) ?? texts.path;
    const before = this.keep(id, `before/${name}`, texts.before);
    const after = this.keep(id, `after/${name}`, texts.after);
    await vscode.commands.executeCommand("vscode.diff", before, after, `${name} (${member})`, show);
  }

  /** Whether this window has opened what the request is about. */
  wasOpened(request: string): boolean {
    return this.opened.has(request);
  }

  /** Opens a plan beside what its member (`from`, as it is shown) sent before. Throws `not_ready` where that is not known any more. */
  async openPlanChanges(request: PlanRequest, before: string | null, from: string): Promise<void> {
    if (before === null) throw new MusterError("not_ready", "The version before this plan is not known any more.");
    const { id, version, planContent } = request;
    const left = this.keep(id, planName(version - 1, from), before);
    const right = this.keep(id, planName(version, from), planContent);
    const title = vscode.l10n.t("Plan of {0}: version {1} and {2}", from, version - 1, version);
    await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: true });
  }

  /** Opens a text that is not to be changed. `id` tells it from others of its name. */
  async openText(
    id: string,
    name: string,
    text: string,
    show: vscode.TextDocumentShowOptions = PREVIEW,
  ): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.keep(id, name, text));
    await vscode.window.showTextDocument(document, show);
  }

  dispose(): void {
    this.changes.dispose();
    this.registration.dispose();
  }

  private keep(request: string, name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: request });
    const before = this.texts.set(uri.toString(), text);
    if (before !== undefined && before !== text) this.changes.fire(uri);
    return uri;
  }
}

const PREVIEW: vscode.TextDocumentShowOptions = { preview: true };

function planName(version: number, from: string): string {
  return `plan-${version}-${documentName(from)}.md`;
}

/** A request that edits no file, as a document: a plan, a command, or the whole input. */
function documentOf(request: PendingRequest, from: string): { name: string; text: string } {
  if (request.kind === "plan") return { name: planName(request.version, from), text: request.planContent };
  const command = request.tool === "Bash" ? request.input["command"] : undefined;
  if (typeof command === "string") return { name: "command.sh", text: command };
  return { name: `${request.tool}.json`, text: JSON.stringify(request.input, null, 2) };
}

/** The text of the file that a request would change, null where there is none or it is no text. */
export async function textOfFile(request: PendingRequest): Promise<string | null> {
  const path = request.kind === "permission" ? request.input["file_path"] : undefined;
  if (request.kind !== "permission" || typeof path !== "string") return null;
  const file = vscode.Uri.file(path.startsWith("/") || /^[A-Za-z]:/.test(path) ? path : `${request.cwd}/${path}`);
  try {
    const bytes = await vscode.workspace.fs.readFile(file);
    return bytes.length > MAX_BYTES ? null : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null; // a new file, or one that is not text: only the change itself can be shown
  }
}

const MAX_BYTES = 5_000_000;
