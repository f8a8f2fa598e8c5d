import type { TestProject } from "vitest/node";
import { buildCli } from "./buildCli.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The built command line, `muster.mjs`. */
    builtCli: string;
  }
}

/** Before the first file of a suite: the command line is built once. Called by vitest; gives what takes it away again. */
export async function setup(project: TestProject): Promise<() => void> {
  const cli = await buildCli();
  project.provide("builtCli", cli.file);
  return cli.remove;
}
