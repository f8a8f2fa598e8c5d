import { readFile } from "node:fs/promises";
import { silentLogger } from "../../src/base/logger.ts";
import type { ScriptedTeam } from "../../src/demo/script.ts";
import { createFinishedTeam, readRemains } from "../../src/extension/teams/finishedTeam.ts";
import { createLiveTeam } from "../../src/extension/teams/liveTeam.ts";
import type { ReadyTeam } from "../../src/extension/teams/startTeam.ts";
import { type ShowEnded, Teams } from "../../src/extension/teams/teams.ts";
import { DEFAULT_MODELS } from "../../src/team/limits/models.ts";
import type { TeamSettings } from "../../src/team/types.ts";
import { openTeamHost } from "./teamHost.ts";

const models = DEFAULT_MODELS;

/** A live team over a real session, ready to run, and the teams of a window that shows what it left. */
export async function windowTeams(scripts: ScriptedTeam, settings: Partial<TeamSettings> = {}) {
  const { host, live, ready } = await readyTeam(scripts, settings);
  const teams = teamsOf(async ({ address, result }) => {
    const known = { result, scripted: false, goal: "Go.", title: "demo", cwd: host.cwd };
    const remains = address ? await readRemains(host.store, address) : live.remains();
    return createFinishedTeam(remains, known, { store: host.store, models });
  });
  return { host, live, teams, ready, start: () => teams.run(ready) };
}

/** The teams of a window, which shows this of one that has ended. */
export function teamsOf(showEnded: ShowEnded): Teams {
  return new Teams({ handedOver: () => {}, showEnded, log: silentLogger });
}

/** A team that has not begun; `closed` counts how often what it needed was released. */
export async function readyTeam(scripts: ScriptedTeam, settings: Partial<TeamSettings> = {}) {
  const host = await openTeamHost(scripts, settings);
  const live = createLiveTeam({
    ...{ session: host.session, goal: "Go.", past: null, store: host.store, models, log: silentLogger },
    readFile: async (request) =>
      request.kind === "permission" ? readFile(String(request.input["file_path"]), "utf8").catch(() => null) : null,
  });
  const closed = { times: 0 };
  const ready: ReadyTeam = {
    ...{ team: live, store: host.store, goal: "Go.", project: host.cwd, loosenings: [], findings: [] },
    begin: async () => host.session.start("Go."),
    close: async () => {
      closed.times += 1;
    },
  };
  return { host, live, ready, closed };
}
