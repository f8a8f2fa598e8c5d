import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as esbuild from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The built command line in a folder of its own. */
export interface BuiltCli {
  /** muster.mjs */
  readonly file: string;
  remove(): void;
}

/** Builds the command line as `npm run build` does; `plugins` break it for tests of tests. */
export async function buildCli(plugins: esbuild.Plugin[] = []): Promise<BuiltCli> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "muster-cli-"));
  const file = path.join(dir, "muster.mjs");
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: ["src/cli/main.ts"],
    outfile: file,
    bundle: true,
    keepNames: true,
    platform: "node",
    format: "esm",
    target: "node22",
    external: ["node-pty"],
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
    banner: {
      js: 'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);',
    },
    plugins,
  });
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
