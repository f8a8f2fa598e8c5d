import path from "node:path";
import * as vscode from "vscode";
import { pathIn } from "../../base/pathIn.ts";
import { nodePathFs } from "../../store/pathFs.ts";
import { realPath } from "../folderPaths.ts";
import { openFolders } from "../openFolders.ts";
import type { Services } from "../services.ts";
import { bestFiles, excludeGlob, fileGlob, quotedSelection, reference } from "./fileReferences.ts";

/** What the composer asks of the window. */
export interface ComposerPorts {
  /** Files of the team's folder for what was typed behind `@`: what a search of 3 s finds, and 200 paths at most. */
  findFiles(typed: string): Promise<FoundFiles>;
}

/** What the composer offers behind `@`. */
export interface FoundFiles {
  /** Relative to the team's folder, with `/`. */
  files: string[];
  /** What *Refer to the Selection* would refer to; null where nothing is selected. */
  selection: string | null;
}

/** Paths that a search gives at most, before the best are taken. */
const MOST_FOUND = 200;
const MOST_MS = 3_000;

/** The composer's hand on the window's files. */
export function composerPorts(services: Services): ComposerPorts {
  return {
    async findFiles(typed) {
      const wanted = typed.trim();
      const folder = await teamFolder(services);
      const found = wanted === "" ? openFiles() : await searchIn(folder, wanted);
      const files = found.flatMap((uri) => inFolder(folder, uri) ?? []);
      return { files: bestFiles(files, wanted), selection: selectionPlace(folder) };
    },
  };
}

async function searchIn(folder: string | null, typed: string): Promise<vscode.Uri[]> {
  if (folder === null) return [];
  const search = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => search.cancel(), MOST_MS);
  try {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), fileGlob(typed));
    return await vscode.workspace.findFiles(pattern, leftOut(), MOST_FOUND, search.token);
  } finally {
    clearTimeout(timer);
    search.dispose();
  }
}

/** What no search of the person's finds either. */
function leftOut(): string {
  const excluded = (section: string) =>
    vscode.workspace.getConfiguration(section).get<Record<string, unknown>>("exclude", {});
  return excludeGlob(excluded("search"), excluded("files"));
}

/** The files of open tabs. */
function openFiles(): vscode.Uri[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
}

/**
 * *Send Selection to Team*: puts a reference to the selection, or to the whole file, into the composer. What is not on
 * disk as it is shown, or not in the team's folder, goes in as text.
 */
export async function sendSelection(services: Services): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const folder = await teamFolder(services);
  await services.panel.reveal({ kind: "composer", insert: selectionText(folder, editor) });
}

function selectionText(folder: string | null, { document, selection }: vscode.TextEditor): string {
  const place = inFolder(folder, document.uri);
  const lines = selection.isEmpty ? null : linesOf(selection);
  if (place !== null && !document.isDirty) return `${reference(place, lines)} `;
  const from = place === null ? vscode.workspace.asRelativePath(document.uri) : reference(place, lines);
  return quotedSelection(from, document.languageId, document.getText(selection.isEmpty ? undefined : selection));
}

function selectionPlace(folder: string | null): string | null {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return null;
  const { uri } = editor.document;
  return reference(inFolder(folder, uri) ?? vscode.workspace.asRelativePath(uri), linesOf(editor.selection));
}

/** The lines of a selection; one that ends before the first character of a line does not hold that line. */
function linesOf({ start, end }: vscode.Selection): { first: number; last: number } {
  return { first: start.line + 1, last: Math.max(start.line, end.character === 0 ? end.line - 1 : end.line) + 1 };
}

/** The folder of the team on show, as this window names it where it has it open through a link; null: there is none. */
async function teamFolder({ teams }: Services): Promise<string | null> {
  const open = openFolders();
  const own = teams.current?.state().folder ?? null;
  if (own === null) return open[0] ?? null;
  for (const folder of open) if ((await realPath(folder, nodePathFs)) === own) return folder;
  return own;
}

/** The path below the folder, with `/`; null for what is elsewhere. */
function inFolder(folder: string | null, uri: vscode.Uri): string | null {
  if (folder === null || uri.scheme !== "file") return null;
  const place = pathIn(folder, uri.fsPath, path);
  return place ? place.split(path.sep).join("/") : null;
}
