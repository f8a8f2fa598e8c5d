import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import { messageParts } from "./messageParts.ts";
import { panelHtml, type WebviewName } from "./panelHtml.ts";

/** Posts a message to a webview, however large it is. */
export function postWhole(webview: vscode.Webview, message: HostMessage): void {
  for (const part of messageParts(message)) void webview.postMessage(part);
}

/** Gives a webview its document, which begins to run at once. `extension`: the folder of the extension. */
export function fillWebview(webview: vscode.Webview, extension: vscode.Uri, view: WebviewName): void {
  const assets = vscode.Uri.joinPath(extension, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: [assets] };
  const at = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(assets, file)).toString();
  webview.html = panelHtml({
    view,
    source: webview.cspSource,
    script: at("main.js"),
    styles: at("styles.css"),
    icons: at("codicon.css"),
    nonce: randomBytes(16).toString("base64"),
    language: vscode.env.language,
  });
}
