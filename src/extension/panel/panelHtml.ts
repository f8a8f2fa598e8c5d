/** Which of the two views a document shows: the side bar's, or the board of the editor area. */
export type WebviewName = "team" | "board";

/** Addresses that the webview's document refers to. */
export interface PanelAssets {
  view: WebviewName;
  /** `webview.cspSource`. */
  source: string;
  script: string;
  styles: string;
  icons: string;
  nonce: string;
  /** Language of VS Code, as `lang` has it. */
  language: string;
}

/**
 * The webview's document. It runs our own script and its chunks and nothing else: no inline code or style, no images, no
 * connection to anywhere; a string becomes markup only through the view's own sanitizer.
 */
export function panelHtml({ view, source, script, styles, icons, nonce, language }: PanelAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${source}`,
    `style-src ${source}`,
    `font-src ${source}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLES[view]}</title>
<link rel="stylesheet" href="${icons}" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${styles}">
</head>
<body>
<div id="root" data-view="${view}"></div>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

const TITLES: Readonly<Record<WebviewName, string>> = { team: "Team", board: "Team Board" };
