import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes `dist/THIRD-PARTY-NOTICES.txt`: name, version and licence text of every package in a bundle of `dist`. */
export function writeNotices(root: string, dist: string): void {
  const folders = new Set(["node_modules/@vscode/codicons"]); // copied, not bundled
  const metafiles = path.join(dist, "meta");
  for (const file of existsSync(metafiles) ? readdirSync(metafiles) : []) {
    const { inputs } = JSON.parse(readFileSync(path.join(metafiles, file), "utf8")) as { inputs: object };
    for (const input of Object.keys(inputs)) {
      const folder = packageFolder(input);
      if (folder) folders.add(folder);
    }
  }
  const notices = [...folders].sort().map((folder) => notice(path.join(root, folder)));
  const line = `\n${"-".repeat(80)}\n\n`;
  writeFileSync(path.join(dist, "THIRD-PARTY-NOTICES.txt"), `${notices.join(line)}`);
}

/** `node_modules/a/node_modules/@b/c/lib/x.js` → `node_modules/a/node_modules/@b/c`. */
function packageFolder(input: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

function notice(folder: string): string {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Record<string, string>;
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const texts = files.sort().map((name) => readFileSync(path.join(folder, name), "utf8").trim());
  return [`${manifest.name} ${manifest.version} (${manifest.license})`, ...texts].join("\n\n").concat("\n");
}
