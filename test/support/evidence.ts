import { cpSync, globSync, mkdirSync } from "node:fs";
import path from "node:path";
import { afterEach } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { screenshot, type Workbench } from "./workbench.ts";

/** After a failed test, keeps a screenshot and the logs of the window in `artifacts/failed/`. */
export function keepEvidence(workbench: () => Workbench | undefined): void {
  afterEach(async ({ task }) => {
    const window = workbench();
    if (task.result?.state !== "fail" || !window) return;
    const file = path.basename(task.file.name, ".test.ts");
    const name = `failed-${file}-${task.name.replace(/\W+/g, "-").slice(0, 60)}`;
    await screenshot(window, name);
    const folder = path.join(projectRoot, "artifacts/failed", name);
    mkdirSync(folder, { recursive: true });
    const { server, profile } = window.host;
    cpSync(server.logFile, path.join(folder, "server.log"));
    for (const log of globSync("logs/**/*.log", { cwd: profile.userData }))
      cpSync(path.join(profile.userData, log), path.join(folder, path.basename(log)));
  });
}
