import * as vscode from "vscode";
import type { Services } from "../services.ts";

/** A number of a task in a terminal. */
interface TaskLink extends vscode.TerminalLink {
  id: string;
}

/** In terminals, `#12` leads to the task of this number while the team on show has one. */
export function taskLinks(services: Pick<Services, "teams" | "panel">): vscode.TerminalLinkProvider<TaskLink> {
  return {
    provideTerminalLinks({ line }) {
      const ids = new Set(services.teams.current?.tasks().map(({ id }) => id));
      return [...line.matchAll(/#(\d{1,9})\b/g)].flatMap(({ index, 0: text, 1: id = "" }) =>
        ids.has(id) ? [{ startIndex: index, length: text.length, tooltip: vscode.l10n.t("Show the task"), id }] : [],
      );
    },
    handleTerminalLink: ({ id }) => services.panel.reveal({ kind: "task", id }),
  };
}
