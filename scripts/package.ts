import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "./project.ts";

/** Largest allowed size of the package, in bytes. */
const BYTES = 2_000_000;

/** Where `packageExtension` puts the extension. */
export function packagedFile(): string {
  const { name, version } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  return path.join(projectRoot, `${name}-${version}.vsix`);
}

/** Packs what is built in dist into the .vsix; returns its path, or undefined when vsce refused or it is too large. */
export function packageExtension(): string | undefined {
  const file = packagedFile();
  if (!packFolder(projectRoot, file)) return undefined;
  const { size } = statSync(file);
  if (size <= BYTES) return file;
  console.error(`package: ${path.basename(file)} has ${size} bytes; ${BYTES} are the limit.`);
  return undefined;
}

/** Packs the extension in `folder` into `file`; returns whether vsce agreed, and prints what it said if not. */
export function packFolder(folder: string, file: string): boolean {
  rmSync(file, { force: true });
  // Everything is bundled, so no dependencies; pictures of the README stay in the repository until it has an address.
  const options = ["--no-dependencies", "--no-rewrite-relative-links", "--allow-missing-repository", "--out", file];
  const vsce = path.join(projectRoot, "node_modules/@vscode/vsce/vsce");
  const packed = spawnSync(process.execPath, [vsce, "package", ...options], { cwd: folder, encoding: "utf8" });
  const ok = packed.status === 0;
  if (!ok) console.error(`${packed.stdout}${packed.stderr}`);
  return ok;
}

if (import.meta.main) {
  const file = packageExtension();
  if (file) console.log(`Packaged ${path.relative(projectRoot, file)} (${statSync(file).size} bytes)`);
  else process.exitCode = 1;
}
