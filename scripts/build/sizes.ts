import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

/**
 * Largest allowed size of what is built, in bytes; of a folder: its files together. extension.cjs is what every window
 * loads, teams what it loads with its first team, muster.mjs with cli the command line, the webview's main.js what has
 * to load before it shows.
 */
const BUDGETS: readonly { file: string; bytes: number; gzipped?: number }[] = [
  { file: "extension.cjs", bytes: 300_000 },
  { file: "teams", bytes: 1_600_000 },
  { file: "muster.mjs", bytes: 50_000 },
  { file: "cli", bytes: 1_550_000 },
  { file: "webview/main.js", bytes: 350_000, gzipped: 110_000 },
  { file: "webview/styles.css", bytes: 80_000 },
];

/** One line for each file in `dist` that has a budget: its size in bytes and the budget. */
export function sizeLines(dist: string): string[] {
  return BUDGETS.flatMap(({ file, bytes }) => {
    const where = path.join(dist, file);
    return existsSync(where) ? [`${file}: ${contentOf(where).length} of ${bytes} bytes`] : [];
  });
}

/** Says of each file in `dist` that is over its budget how far it is; files that are absent are within it. */
export function oversized(dist: string): string[] {
  return BUDGETS.flatMap(({ file, bytes, gzipped }) => {
    const where = path.join(dist, file);
    if (!existsSync(where)) return [];
    const content = contentOf(where);
    const faults: string[] = [];
    if (content.length > bytes) faults.push(`${file} has ${content.length} bytes; ${bytes} are the limit.`);
    const packed = gzipped === undefined ? 0 : gzipSync(content).length;
    if (packed > (gzipped ?? 0)) faults.push(`${file} has ${packed} bytes gzipped; ${gzipped} are the limit.`);
    return faults;
  });
}

function contentOf(where: string): Buffer {
  if (!statSync(where).isDirectory()) return readFileSync(where);
  return Buffer.concat(readdirSync(where).map((name) => readFileSync(path.join(where, name))));
}
