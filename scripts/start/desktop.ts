import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { plainEnvironment } from "../host/environment.ts";
import { projectRoot } from "../project.ts";
import { shellSafe } from "./desktopCode.ts";
import type { StartFolders } from "./folders.ts";
import { untilInterrupted } from "./untilInterrupted.ts";

/** Opens a window of the desktop's VS Code; returns when it is closed, or after Ctrl-C, which closes it. */
export async function openOnDesktop(code: string, folders: StartFolders): Promise<void> {
  const userData = path.join(folders.profile, "user-data");
  const args = [
    ...["--new-window", "--wait", "--disable-workspace-trust", `--extensionDevelopmentPath=${projectRoot}`],
    ...["--user-data-dir", userData, "--extensions-dir", path.join(folders.profile, "extensions")],
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    folders.sample,
  ];
  console.log("A window of VS Code opens with the sample project: choose Agent Teams in its activity bar, and Run the");
  console.log("Demo Team. Ctrl-C here, or closing the window, ends it.");
  const { command, args: safeArgs, shell } = shellSafe(code, args, process.platform);
  const env = { ...plainEnvironment(process.env), CLAUDE_CONFIG_DIR: folders.stateRoot };
  const child = spawn(command, safeArgs, { env, shell, stdio: "inherit" });
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  await untilInterrupted(ended, async () => {
    child.kill();
    await closeWindow(userData);
  });
}

/** VS Code detaches itself from `code`, and keeps its process id in a file of its user-data folder while it runs. */
async function closeWindow(userData: string): Promise<void> {
  const text = await readFile(path.join(userData, "code.lock"), "utf8").catch(() => ""); // none: it has ended
  const pid = Number.parseInt(text, 10);
  if (!Number.isSafeInteger(pid) || pid <= 1) return;
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // ESRCH: it ended just now
  }
}
