import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { earlierChunks } from "./keptBuilds.ts";

/**
 * Largest allowed size of what is built, in bytes; of a folder: its files together. extension.cjs is what every window
 * loads, services.cjs what it loads with its first view, command or team, teams what a team needs, muster.mjs with cli the command line, the webview's main.js what has
 * to load before it shows: with the chunks that it begins with (`chunks`).
 */
const BUDGETS: readonly Budget[] = [
  { file: "extension.cjs", bytes: 20_000 },
  { file: "services.cjs", bytes: 300_000 },
  { file: "teams", bytes: 1_600_000 },
  { file: "muster.mjs", bytes: 50_000 },
  { file: "cli", bytes: 1_550_000 },
  { file: "webview/main.js", bytes: 350_000, gzipped: 110_000, chunks: true },
  { file: "webview/styles.css", bytes: 80_000 },
];

interface Budget {
  file: string;
  bytes: number;
  gzipped?: number;
  chunks?: true;
}

/** One line for each file in `dist` that has a budget: its size in bytes and the budget. */
export function sizeLines(dist: string): string[] {
  return BUDGETS.flatMap(({ file, bytes, chunks }) => {
    const where = path.join(dist, file);
    return existsSync(where) ? [`${file}: ${contentOf(dist, file, chunks).length} of ${bytes} bytes`] : [];
  });
}

/** Says of each file in `dist` that is over its budget how far it is; files that are absent are within it. */
export function oversized(dist: string): string[] {
  return BUDGETS.flatMap(({ file, bytes, gzipped, chunks }) => {
    const where = path.join(dist, file);
    if (!existsSync(where)) return [];
    const content = contentOf(dist, file, chunks);
    const faults: string[] = [];
    if (content.length > bytes) faults.push(`${file} has ${content.length} bytes; ${bytes} are the limit.`);
    const packed = gzipped === undefined ? 0 : gzipSync(content).length;
    if (packed > (gzipped ?? 0)) faults.push(`${file} has ${packed} bytes gzipped; ${gzipped} are the limit.`);
    return faults;
  });
}

/** Of a folder: what the newest build wrote there. */
function contentOf(dist: string, file: string, chunks = false): Buffer {
  const where = path.join(dist, file);
  if (statSync(where).isDirectory()) {
    const earlier = earlierChunks(dist);
    const names = readdirSync(where).filter((name) => !earlier.includes(`${file}/${name}`));
    return Buffer.concat(names.map((name) => readFileSync(path.join(where, name))));
  }
  const files = new Set([where]);
  if (chunks) for (const file of files) for (const chunk of loadedWith(file)) files.add(chunk); // grows while it is walked
  return Buffer.concat([...files].map((file) => readFileSync(file)));
}

/** Chunks that a script imports before it runs; what it imports later is in no budget of its own. */
function loadedWith(script: string): string[] {
  const imports = readFileSync(script, "utf8").matchAll(/\b(?:from|import)\s*"(\.\.?\/[^"]+)"/g);
  return [...imports]
    .map(([, chunk = ""]) => path.join(path.dirname(script), chunk))
    .filter((file) => existsSync(file));
}
