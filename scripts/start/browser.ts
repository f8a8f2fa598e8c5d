import path from "node:path";
import { createProfile, folderUrl, installVsix, serve } from "../host/codeServer.ts";
import { plainEnvironment } from "../host/environment.ts";
import { installHost } from "../host/installHost.ts";
import { packageExtension } from "../package.ts";
import type { StartFolders } from "./folders.ts";
import { keptPort } from "./keptPort.ts";
import { untilInterrupted } from "./untilInterrupted.ts";

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "remote.autoForwardPorts": false, // the demo's server is of no use to a browser
};

/** Serves VS Code on loopback and prints its address; returns after Ctrl-C, when all has ended. */
export async function openInBrowser(folders: StartFolders, why: string): Promise<void> {
  console.log(`VS Code is served to a browser, since ${why}.`);
  const host = installHost();
  console.log("Building and packaging the extension, which takes about 10 seconds …");
  const vsix = packageExtension();
  if (!vsix) throw new Error("The extension could not be packaged; the messages are above.");
  const own = { CLAUDE_CONFIG_DIR: folders.stateRoot, XDG_DATA_HOME: folders.profile };
  const env = { ...plainEnvironment(process.env), ...own };
  const profile = createProfile(folders.profile, SETTINGS);
  console.log("Starting VS Code with it, which takes a few seconds …");
  await installVsix(host, profile, vsix, env);
  const port = await choosePort(folders);
  const server = await serve(host, profile, { cwd: folders.sample, env, trustEverything: true, port });
  console.log(
    [
      "",
      `Open this address in a browser:  ${folderUrl(server, folders.sample)}`,
      "Then choose Agent Teams in the activity bar, and Run the Demo Team.",
      "It listens on this machine only; whoever can log in to this machine can open it too. Ctrl-C ends it.",
    ].join("\n"),
  );
  const how = await untilInterrupted(server.exited, () => server.stop());
  if (how === "ended") throw new Error(`VS Code has ended by itself; its log is ${server.logFile}.`);
}

/** The port of the last start, or another one where that is not to be had; says what a change of it means. */
async function choosePort({ root }: StartFolders): Promise<number> {
  const { port, taken, obstacle } = await keptPort(path.join(root, "port"));
  if (taken !== undefined)
    console.log(
      `Port ${taken}, where the last start served, is taken: the address is a new one, for which the browser has no API key, layout and list of teams.`,
    );
  if (obstacle)
    console.log(`The next start will have another address, since this one could not be noted: ${obstacle}.`);
  return port;
}
