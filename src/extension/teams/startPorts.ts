import * as vscode from "vscode";
import { createTerminalStarter } from "../backends/terminalStarter.ts";
import { textOfFile } from "../requests/requestDocuments.ts";
import type { Services } from "../services.ts";
import { windowAnswers } from "../windowAnswers.ts";
import type { StartPorts } from "./startTeam.ts";

/** What a team needs of this window. */
export function startPorts({ settings, apiKey, extension, log }: Services): StartPorts {
  return {
    settings: settings(),
    apiKey: () => apiKey.read(),
    server: () => settings().baseUrl,
    readFile: textOfFile,
    terminals: createTerminalStarter(),
    program: vscode.Uri.joinPath(extension, "dist", "muster.mjs").fsPath,
    isSeen: windowAnswers,
    log,
  };
}
