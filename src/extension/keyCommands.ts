import * as vscode from "vscode";
import { keyFault } from "./keyFault.ts";
import type { Services } from "./services.ts";

/** For how long the status bar says what became of the key. */
const TOLD_MS = 5_000;

type Needs = Pick<Services, "apiKey" | "say">;

/** *Set API Key…*: asks for the key and keeps it; nothing is changed where the person leaves. */
export async function setApiKey({ apiKey, say }: Needs): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t("Set API Key"),
    prompt: vscode.l10n.t("Key of the Anthropic API. It is kept in VS Code's secret storage."),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const fault = keyFault(text);
      return fault === null ? null : say(fault);
    },
  });
  if (!key) return;
  await apiKey.save(key);
  if (apiKey.source === "stored") vscode.window.setStatusBarMessage(vscode.l10n.t("The API key is kept."), TOLD_MS);
}

/** *Clear API Key*: the window forgets the kept key; one of the environment stays, and is told of. */
export async function clearApiKey({ apiKey }: Needs): Promise<void> {
  await apiKey.clear();
  const sentence =
    apiKey.source === "environment"
      ? vscode.l10n.t("The API key is removed. ANTHROPIC_API_KEY is used now.")
      : vscode.l10n.t("The API key is removed.");
  vscode.window.setStatusBarMessage(sentence, TOLD_MS);
}
