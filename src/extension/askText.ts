import * as vscode from "vscode";

/**
 * Asks for a text in an input box that stays open when the focus goes. `fault`: what is wrong with it (trimmed, not empty)
 * in the display language, or null. Resolves to what was typed, trimmed; undefined where that is nothing.
 */
export async function askText(
  title: string,
  prompt: string,
  fault: (text: string) => string | null = () => null,
): Promise<string | undefined> {
  const validateInput = (text: string) => (text.trim() === "" ? null : fault(text.trim()));
  const text = await vscode.window.showInputBox({ title, prompt, validateInput, ignoreFocusOut: true });
  return text?.trim() || undefined;
}
