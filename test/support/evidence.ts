import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterEach, beforeEach } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { isDone, screenshot, type Workbench } from "./workbench.ts";

/** How many lines of a log are told where it is not kept. */
const TOLD_LINES = 12;

/**
 * After a failed test, keeps in `artifacts/failed/`: a screenshot, the logs of the window, and `seen.txt`, which tells what
 * was to be seen, for who has only what `npm test` printed.
 */
export function keepEvidence(workbench: () => Workbench | undefined): void {
  const stops = monitorEventLoopDelay();
  beforeEach(() => {
    stops.reset();
    stops.enable();
  });
  afterEach(async ({ task }) => {
    stops.disable();
    const window = workbench();
    if (task.result?.state !== "fail" || !window) return;
    const file = path.basename(task.file.name, ".test.ts");
    const name = `failed-${file}-${task.name.replace(/\W+/g, "-").slice(0, 60)}`;
    const folder = path.join(projectRoot, "artifacts/failed", name);
    mkdirSync(folder, { recursive: true });
    const { server, profile } = window.host;
    cpSync(server.logFile, path.join(folder, "server.log"));
    const logs = globSync("logs/**/*.log", { cwd: profile.userData });
    for (const log of logs) cpSync(path.join(profile.userData, log), path.join(folder, path.basename(log)));
    const seen = [
      `This process stood still for ${Math.round(stops.max / 1e6)} ms at most.`,
      `Toasts: ${JSON.stringify(window.watch.toasts())}`,
      `Focus that nobody asked for: ${JSON.stringify(window.watch.unaskedFocus())}`,
      ...["Agent Teams.log", "remoteagent.log"].map((log) => `${log}:\n${lastLines(path.join(folder, log))}`),
      `Shown:\n${await shownText(window)}`,
    ];
    writeFileSync(path.join(folder, "seen.txt"), seen.join("\n"));
    await screenshot(window, name); // last: it fails where the page hangs
  });
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, "utf8").split(/\n+/).filter(Boolean).slice(-TOLD_LINES).join("\n");
  } catch {
    return "(there is none)";
  }
}

/** The texts of the window's documents: the workbench, and each webview. */
async function shownText({ page }: Workbench): Promise<string> {
  const texts: string[] = [];
  const frames = page.frames().filter((frame) => !frame.url().includes("webWorkerExtensionHost")); // that one shows its script
  for (const frame of frames)
    await isDone(
      frame
        .locator("body")
        .innerText({ timeout: 2_000 })
        .then((text) => texts.push(text.replace(/\s*\n\s*/g, " | "))),
    );
  return texts.filter((text) => text !== "").join("\n");
}
