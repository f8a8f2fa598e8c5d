import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { SAMPLE_PROJECT } from "../src/demo/sampleProject.ts";
import { build } from "./build.ts";
import { cacheFolder, hostObstacle } from "./host/installHost.ts";
import { noSuchOption } from "./options.ts";
import { projectRoot } from "./project.ts";
import { openInBrowser } from "./start/browser.ts";
import { openOnDesktop } from "./start/desktop.ts";
import { findDesktopCode } from "./start/desktopCode.ts";
import type { StartFolders } from "./start/folders.ts";

/** Builds, and opens a VS Code of its own with the extension and the sample project. `--browser`: in the browser. */
async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find((argument) => argument !== "--browser");
  if (unknown !== undefined) throw new Error(noSuchOption("npm start", unknown));
  const manifest = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  const oldest = manifest.engines.vscode.replace("^", "");
  const code = args.includes("--browser")
    ? { obstacle: "--browser was given" }
    : findDesktopCode(process.env, process.platform, oldest);
  const inBrowser = "obstacle" in code;
  if (inBrowser) {
    const obstacle = hostObstacle();
    if (obstacle) throw new Error(`A desktop VS Code (\`code\`) is needed here: ${code.obstacle}, and ${obstacle}.`);
  }
  const folders = await prepareFolders(inBrowser ? "browser" : "desktop");
  if (inBrowser) return openInBrowser(folders, code.obstacle);
  console.log("Building the extension, which takes a few seconds …");
  if (!build([])) throw new Error("The build failed; its messages are above.");
  return openOnDesktop(code.command, folders);
}

/** The same folders each time, so that a second start finds what the first left; the sample is written when absent. */
async function prepareFolders(kind: string): Promise<StartFolders> {
  const root = path.join(cacheFolder(), "start", kind);
  const [profile, stateRoot] = [path.join(root, "vscode"), path.join(root, "state")];
  const folders = { root, profile, stateRoot, sample: path.join(root, "corner-bakery-till") };
  for (const each of Object.values(folders)) await mkdir(each, { recursive: true });
  for (const [name, text] of Object.entries(SAMPLE_PROJECT)) {
    const file = path.join(folders.sample, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error; // what the person changed stays
    });
  }
  return folders;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(`muster: ${error.message}`);
  process.exitCode = 1;
});
