import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

/** Largest allowed size of what is built, in bytes. The webview's main.js is what has to load before it shows. */
const BUDGETS: readonly { file: string; bytes: number; gzipped?: number }[] = [
  { file: "extension.cjs", bytes: 1_500_000 },
  { file: "muster.mjs", bytes: 1_500_000 },
  { file: "webview/main.js", bytes: 350_000, gzipped: 110_000 },
  { file: "webview/styles.css", bytes: 80_000 },
];

/** Says of each file in `dist` that is over its budget how far it is; files that are absent are within it. */
export function oversized(dist: string): string[] {
  return BUDGETS.flatMap(({ file, bytes, gzipped }) => {
    const where = path.join(dist, file);
    if (!existsSync(where)) return [];
    const content = readFileSync(where);
    const faults: string[] = [];
    if (content.length > bytes) faults.push(`${file} has ${content.length} bytes; ${bytes} are the limit.`);
    const packed = gzipped === undefined ? 0 : gzipSync(content).length;
    if (packed > (gzipped ?? 0)) faults.push(`${file} has ${packed} bytes gzipped; ${gzipped} are the limit.`);
    return faults;
  });
}
