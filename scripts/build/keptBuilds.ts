import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Folders of dist whose files are chunks: their content is in their names, so that those of several builds lie together. */
const CHUNK_FOLDERS = ["webview", "teams", "cli"];

/** What V8 made of the command line's files where they ran (`src/cli/main.ts`): of other files by now. */
const COMPILED = "compiled";

/** A program that runs from dist loads chunks of its own build later: those of so many different builds stay. */
export const KEPT_BUILDS = 20;

/**
 * Notes in `dist/builds.json` what a build wrote (`outputs`: paths below `dist`, with slashes), and deletes from the
 * folders with chunks what none of the kept builds wrote.
 */
export function keepBuild(dist: string, outputs: readonly string[]): void {
  rmSync(path.join(dist, COMPILED), { recursive: true, force: true, maxRetries: 5 }); // a program may write there just now
  const newest = [...outputs].sort();
  const earlier = readBuilds(dist).filter((build) => build.join("\n") !== newest.join("\n"));
  const builds = [newest, ...earlier].slice(0, KEPT_BUILDS);
  writeFileSync(listOf(dist), JSON.stringify(builds));
  const kept = new Set(builds.flat());
  for (const file of chunksIn(dist)) if (!kept.has(file)) rmSync(path.join(dist, file), { force: true });
}

/** What the newest build wrote, as `keepBuild` was told; without a list of builds: nothing. */
export function newestBuild(dist: string): string[] {
  return readBuilds(dist)[0] ?? [];
}

/** What the newest build did not write of what lies in the folders with chunks; without a list of builds: nothing. */
export function earlierChunks(dist: string): string[] {
  const [newest] = readBuilds(dist);
  return newest ? chunksIn(dist).filter((file) => !newest.includes(file)) : [];
}

function chunksIn(dist: string): string[] {
  return CHUNK_FOLDERS.filter((folder) => existsSync(path.join(dist, folder))).flatMap((folder) =>
    readdirSync(path.join(dist, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)).split(path.sep).join("/")),
  );
}

function readBuilds(dist: string): string[][] {
  return existsSync(listOf(dist)) ? JSON.parse(readFileSync(listOf(dist), "utf8")) : [];
}

function listOf(dist: string): string {
  return path.join(dist, "builds.json");
}
