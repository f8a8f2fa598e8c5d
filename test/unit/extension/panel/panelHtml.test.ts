import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { panelHtml } from "../../../../src/extension/panel/panelHtml.ts";

const assets = {
  source: "https://*.vscode-cdn.net",
  script: "https://x.vscode-cdn.net/main.js",
  styles: "https://x.vscode-cdn.net/styles.css",
  icons: "https://x.vscode-cdn.net/codicon.css",
  nonce: "bm9uY2U=",
  language: "en",
};
const html = panelHtml({ ...assets, view: "team" });

describe("the webview's document", () => {
  it("says which view it is", () => {
    expect(html).toContain('<div id="root" data-view="team"></div>');
    expect(panelHtml({ ...assets, view: "board" })).toContain('<div id="root" data-view="board"></div>');
  });

  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
  const directives = new Map(
    policy.split(";").map((text) => {
      const [name = "", ...sources] = text.trim().split(/\s+/);
      return [name, sources] as const;
    }),
  );

  it("allows nothing but its own files: no inline code or style, no image, no connection", () => {
    expect(directives.get("default-src")).toEqual(["'none'"]);
    for (const name of ["base-uri", "form-action"]) expect(directives.get(name)).toEqual(["'none'"]);
    expect([...directives.keys()].sort()).toEqual([
      "base-uri",
      "default-src",
      "font-src",
      "form-action",
      "require-trusted-types-for",
      "script-src",
      "style-src",
    ]);
    expect(directives.get("script-src")).toEqual(["'nonce-bm9uY2U='", "https://*.vscode-cdn.net"]);
    for (const name of ["style-src", "font-src"]) expect(directives.get(name)).toEqual(["https://*.vscode-cdn.net"]);
    for (const forbidden of ["unsafe-inline", "unsafe-eval", "unsafe-hashes", "data:", "blob:", "http:"])
      expect(policy).not.toContain(forbidden);
  });

  it("holds no inline code or style itself", () => {
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/i);
    expect([...html.matchAll(/<script[^>]*>([^<]*)<\/script>/g)].map(([, code]) => code)).toEqual([""]);
  });
});

it("nothing in the extension trusts text with commands, or loosens a policy", () => {
  const root = path.resolve(import.meta.dirname, "../../../..");
  const files = globSync("{src/extension,webview}/**/*.{ts,tsx}", { cwd: root });
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) {
    const text = readFileSync(path.join(root, file), "utf8");
    for (const word of ["enableCommandUris", "isTrusted = true", "isTrusted: true", "supportHtml", "unsafe-inline"])
      expect(text.includes(word), `${file} has ${word}`).toBe(false);
  }
});
