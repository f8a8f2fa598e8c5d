import type { TestProject } from "vitest/node";
import { buildWebview } from "./page.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the built webview. */
    builtWebview: string;
  }
}

/** Before the first file of the suite: the webview is built once. Called by vitest; gives what takes it away again. */
export async function setup(project: TestProject): Promise<() => void> {
  const bundle = await buildWebview();
  project.provide("builtWebview", bundle.folder);
  return bundle.dispose;
}
