import { silentLogger } from "../../src/base/logger.ts";
import { readSettings } from "../../src/extension/settings.ts";
import type { StartPorts } from "../../src/extension/teams/startTeam.ts";

/** A window's needs of a team that starts no teammate; without a `server` it never asks a model either. */
export function startPortsOf(stateRoot: string, server: StartPorts["server"] = () => undefined): StartPorts {
  return {
    settings: { ...readSettings(() => undefined, {}), stateRoot },
    apiKey: async () => "none",
    server,
    readFile: async () => null,
    terminals: { type: "terminal", start: async () => Promise.reject(new Error("Nothing is started here.")) },
    program: "muster.mjs",
    isSeen: async () => true,
    log: silentLogger,
  };
}
