import { installHost } from "../../scripts/host/installHost.ts";

/** Before the first file of the suite, which run side by side: VS Code is installed once. Called by vitest. */
export function setup(): void {
  installHost();
}
