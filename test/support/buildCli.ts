import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as esbuild from "esbuild";
import { inject } from "vitest";
import { bundles } from "../../scripts/build/bundles.ts";

/** The built command line in a folder of its own. */
export interface BuiltCli {
  /** muster.mjs; its chunks lie beside it. */
  readonly file: string;
  remove(): void;
}

/** Builds the command line as `npm run build` does; `plugins` break it for tests of tests. */
export async function buildCli(plugins: esbuild.Plugin[] = []): Promise<BuiltCli> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "muster-cli-"));
  const file = path.join(dir, "muster.mjs");
  const { cli } = bundles(false);
  await esbuild.build({ ...cli, outdir: dir, metafile: false, plugins: [...(cli.plugins ?? []), ...plugins] });
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The command line that was built for the suite: see cliSetup.ts. */
export function useBuiltCli(): Pick<BuiltCli, "file"> {
  return { file: inject("builtCli") };
}
