import { createProfile, folderUrl, installVsix, serve } from "../host/codeServer.ts";
import { plainEnvironment } from "../host/environment.ts";
import { installHost } from "../host/installHost.ts";
import { packageExtension } from "../package.ts";
import type { StartFolders } from "./folders.ts";
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
  const vsix = packageExtension();
  if (!vsix) throw new Error("The extension could not be packaged; the messages are above.");
  const own = { CLAUDE_CONFIG_DIR: folders.stateRoot, XDG_DATA_HOME: folders.profile };
  const env = { ...plainEnvironment(process.env), ...own };
  const profile = createProfile(folders.profile, SETTINGS);
  await installVsix(host, profile, vsix, env);
  const server = await serve(host, profile, { cwd: folders.sample, env, trustEverything: true });
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
