import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Profile } from "../../scripts/host/codeServer.ts";

/**
 * Lets a served VS Code speak another language, without a download: its language pack says nothing, so that its own words
 * stay English, and extensions say theirs in that language. To be called before the first window opens.
 */
export function setLanguage({ userData }: Profile, language: string): void {
  const words = path.join(userData, "nothing.i18n.json");
  const extensions = [{ extensionIdentifier: { id: "muster.nothing" }, version: "1.0.0" }]; // it asks for their names
  const pack = { hash: "nothing", label: language, extensions, translations: { vscode: words } };
  mkdirSync(path.join(userData, "User"), { recursive: true });
  writeFileSync(words, JSON.stringify({ contents: {} }));
  writeFileSync(path.join(userData, "languagepacks.json"), JSON.stringify({ [language]: pack }));
  writeFileSync(path.join(userData, "User/argv.json"), JSON.stringify({ locale: language }));
}
