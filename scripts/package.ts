import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { earlierChunks, newestBuild } from "./build/keptBuilds.ts";
import { build } from "./build.ts";
import { packagedReadme } from "./package/packagedReadme.ts";
import { projectRoot } from "./project.ts";

/** Largest allowed size of the package, in bytes. */
const BYTES = 2_000_000;

/** The README of the package, which VS Code shows. */
const README = "dist/README.md";

/** Where `packageExtension` puts the extension. */
export function packagedFile(): string {
  const { name, version } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  return path.join(projectRoot, `${name}-${version}.vsix`);
}

/** Builds, and packs dist into the .vsix; returns its path, or undefined when that failed or it is too large. */
export function packageExtension(): string | undefined {
  const file = packagedFile();
  if (!build([])) return undefined; // first, and not by vsce: what is packed is listed by name
  const readme = path.join(projectRoot, README);
  mkdirSync(path.dirname(readme), { recursive: true });
  writeFileSync(readme, packagedReadme(readFileSync(path.join(projectRoot, "README.md"), "utf8")));
  if (!packFolder(projectRoot, file, ["--readme-path", README])) return undefined;
  const missing = missingFiles(file, newestBuild(path.join(projectRoot, "dist")));
  if (missing.length > 0) {
    console.error(`package: ${path.basename(file)} lacks ${missing.join(", ")}: let .vscodeignore name them.`);
    return undefined;
  }
  const { size } = statSync(file);
  if (size <= BYTES) return file;
  console.error(`package: ${path.basename(file)} has ${size} bytes; ${BYTES} are the limit.`);
  return undefined;
}

/**
 * Packs the extension in `folder` into `file`, with `more` options of vsce; returns whether vsce agreed, and prints what
 * it said if not.
 */
export function packFolder(folder: string, file: string, more: readonly string[] = []): boolean {
  rmSync(file, { force: true });
  // Everything is bundled, so no dependencies; the project has no address that links could be made to point to.
  const options = ["--no-dependencies", "--no-rewrite-relative-links", "--allow-missing-repository", ...more];
  options.push("--out", file);
  const vsce = path.join(projectRoot, "node_modules/@vscode/vsce/vsce");
  const scratch = mkdtempSync(path.join(tmpdir(), "muster-package-"));
  try {
    options.push(...ignoreOptions(folder, scratch));
    const packed = spawnSync(process.execPath, [vsce, "package", ...options], { cwd: folder, encoding: "utf8" });
    const ok = packed.status === 0;
    if (!ok) console.error(`${packed.stdout}${packed.stderr}`);
    return ok;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Those of `outputs` (paths below dist) that are not in a .vsix; a zip file holds the names of its files as they are. */
export function missingFiles(vsix: string, outputs: readonly string[]): string[] {
  const bytes = readFileSync(vsix);
  return outputs.filter((output) => !bytes.includes(`extension/dist/${output}`));
}

/**
 * Where there are chunks of earlier builds: a `.vscodeignore` in which what names a folder of chunks names those of the
 * newest build, since what an ignore file lets in stays in.
 */
function ignoreOptions(folder: string, scratch: string): string[] {
  const earlier = new Set(earlierChunks(path.join(folder, "dist")).map((chunk) => `dist/${chunk}`));
  if (earlier.size === 0) return [];
  const lines = readFileSync(path.join(folder, ".vscodeignore"), "utf8").split("\n");
  const exact = lines.flatMap((line) => {
    if (!line.startsWith("!")) return [line];
    return globSync(line.slice(1), { cwd: folder })
      .map((name) => name.split(path.sep).join("/"))
      .filter((name) => !earlier.has(name))
      .map((name) => `!${name}`);
  });
  const file = path.join(scratch, "ignore");
  writeFileSync(file, exact.join("\n"));
  return ["--ignoreFile", file];
}

if (import.meta.main) {
  const file = packageExtension();
  if (file) console.log(`Packaged ${path.relative(projectRoot, file)} (${statSync(file).size} bytes)`);
  else process.exitCode = 1;
}
