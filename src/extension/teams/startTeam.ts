import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnthropicModel } from "../../agent/anthropicModel.ts";
import type { Model } from "../../agent/types.ts";
import { systemClock } from "../../base/clock.ts";
import { releasedOnFailure } from "../../base/disposable.ts";
import type { Logger } from "../../base/logger.ts";
import { createDemoScript, DEMO_GOAL, DEMO_MODEL, DEMO_SETTINGS } from "../../demo/demoTeam.ts";
import { startMessagesServer } from "../../demo/messagesServer.ts";
import { SAMPLE_PROJECT } from "../../demo/sampleProject.ts";
import { newUuid } from "../../protocol/ids.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import { createStore, type Store } from "../../store/store.ts";
import type { ProcessHost } from "../../team/backends/process.ts";
import type { ProcessStarter } from "../../team/backends/processStarter.ts";
import { DEFAULT_SETTINGS } from "../../team/defaultSettings.ts";
import { homeFolder } from "../../team/homeFolder.ts";
import { memberEnvironment } from "../../team/memberEnvironment.ts";
import { settingsFindings } from "../../team/requests/findInSettings.ts";
import { type Loosening, loosenings, modeOfFiles } from "../../team/requests/rulesInForce.ts";
import type { SettingsFinding } from "../../team/requests/settingsFinding.ts";
import { readLeadPast, readPast, type SessionPast } from "../../team/resume/past.ts";
import { createTeamSession } from "../../team/session.ts";
import type { TeamSettings } from "../../team/types.ts";
import type { Settings } from "../settings.ts";
import { createLiveTeam, type LiveTeam } from "./liveTeam.ts";
import { processHost } from "./processHost.ts";
import type { TeamAddress } from "./shownTeam.ts";

/** What a new team needs of the window. */
export interface StartPorts {
  settings: Settings;
  apiKey(): Promise<string | undefined>;
  /** The server of the person's own, undefined for the public API. Asked for each request, so that it may change. */
  server(): string | undefined;
  /** The text of the file that a request would change. */
  readFile(request: PendingRequest): Promise<string | null>;
  /** Runs teammates in the window's terminals. */
  terminals: ProcessStarter;
  /** Muster's command line (`muster.mjs`): what a process teammate runs. */
  program: string;
  /** Whether the window answers; see windowAnswers.ts. */
  isSeen(): Promise<boolean>;
  log: Logger;
}

/** A team that is ready: nothing ran yet. */
export interface ReadyTeam {
  team: LiveTeam;
  store: Store;
  goal: string;
  /** The folder that it works in. */
  project: string;
  /** What the folder's own settings would loosen and the person has not accepted. */
  loosenings: Loosening[];
  /** What in settings files does not do what it says. */
  findings: SettingsFinding[];
  /** Starts it, or goes on with it. */
  begin(): Promise<void>;
  /** Releases what the team needed beside its session, after the session's end. */
  close(): Promise<void>;
}

/** A team for the person's goal, with the API. `folder` must exist. Throws `corrupt` where saved rules are damaged. */
export async function prepareApiTeam(goal: string, folder: string, ports: StartPorts): Promise<ReadyTeam> {
  const store = createStore({ root: ports.settings.stateRoot, logger: ports.log });
  return releasedOnFailure(store, async () =>
    readyTeam({ goal, folder, store, engine: await apiEngine(store, folder, ports), past: null, ports }),
  );
}

/** The demo team: scripted models on a loopback server, a fresh copy of the sample project, a state root of its own. */
export async function prepareDemoTeam(ports: StartPorts): Promise<ReadyTeam> {
  const place = join(tmpdir(), `muster-demo-${newUuid().slice(0, 8)}`);
  const store = createStore({ root: join(place, "state"), logger: ports.log });
  const folder = join(place, "corner-bakery");
  return releasedOnFailure(store, async () => {
    await store.texts.writeProject(folder, SAMPLE_PROJECT);
    return readyTeam({ goal: DEMO_GOAL, folder, store, engine: await demoEngine(ports), past: null, ports });
  });
}

/**
 * A team that an earlier process led, with the models that it had. Throws `unknown_team`, `not_allowed` for a team of
 * another program, and read errors.
 */
export async function prepareResumedTeam(
  { root, kind, folder }: TeamAddress,
  known: { goal: string | null; cwd: string | null; scripted: boolean },
  ports: StartPorts,
): Promise<ReadyTeam> {
  const store = createStore({ root, logger: ports.log });
  return releasedOnFailure(store, async () => {
    const past = kind === "lead" ? await readLeadPast(store, folder, known.goal) : await readPast(store, folder);
    const scripted = past.team === null ? known.scripted : past.lead.entry.model === DEMO_MODEL;
    const project = past.lead.entry.cwd ?? known.cwd ?? "";
    const engine = scripted ? await demoEngine(ports) : await apiEngine(store, project, ports);
    return readyTeam({ goal: past.goal ?? past.displayName, folder: project, store, engine, past, ports });
  });
}

/**
 * Where a team on disk works, without links in the path, and whether its models are scripted. Throws read errors, also of
 * the settings that it would run by (`corrupt`): with damaged ones it cannot go on.
 */
export async function workplaceOf(
  { root, folder }: TeamAddress,
  log: Logger,
): Promise<{ project: string; scripted: boolean }> {
  const store = createStore({ root, logger: log });
  try {
    const lead = (await store.teams.read(folder)).members.find(({ name }) => name === LEAD_NAME);
    const project = await store.pathFs.realpath(lead?.cwd ?? "");
    await store.settings.workspace(project);
    return { project, scripted: lead?.model === DEMO_MODEL };
  } finally {
    store.dispose();
  }
}

/** What a team's models are asked through, and the settings that go with it. */
interface Engine {
  model: Model;
  settings: TeamSettings;
  scripted: boolean;
  /** The key for teammates that are processes, and where the API is. */
  api: ProcessHost["api"];
  close(): Promise<void>;
}

async function apiEngine(store: Store, folder: string, ports: StartPorts): Promise<Engine> {
  const { settings } = ports;
  const model: Model = { stream: (request, signal) => apiModel(ports).stream(request, signal) };
  const saved = await modeOfFiles(store, await store.pathFs.realpath(folder), homeFolder());
  const permissionMode = settings.permissionMode === "default" ? saved : settings.permissionMode;
  const teamSettings: TeamSettings = {
    ...settings,
    permissionMode,
    budget: { team: settings["budget.team"], member: settings["budget.member"] },
    rules: { allow: [], ask: [], deny: [], additionalDirectories: [] },
    afterPlanMode: permissionMode === "acceptEdits" ? "acceptEdits" : "default",
  };
  const api = async () => ({ apiKey: (await keyFor(ports)) ?? null, baseUrl: ports.server() ?? null });
  return { model, settings: teamSettings, scripted: false, api, close: async () => {} };
}

async function demoEngine({ settings, log }: StartPorts): Promise<Engine> {
  const server = await startMessagesServer(createDemoScript());
  const model = createAnthropicModel({ apiKey: async () => "scripted", baseUrl: server.url });
  const teamSettings: TeamSettings = {
    ...DEFAULT_SETTINGS,
    ...DEMO_SETTINGS,
    models: settings.models,
  };
  const close = async () => {
    for (const failure of server.failures) log.error(`The demo's script did not get what it expects: ${failure}`);
    await server.close();
  };
  const api = async () => ({ apiKey: "scripted", baseUrl: server.url });
  return { model, settings: teamSettings, scripted: true, api, close };
}

interface Parts {
  goal: string;
  folder: string;
  store: Store;
  engine: Engine;
  past: SessionPast | null;
  ports: StartPorts;
}

async function readyTeam({ goal, folder, store, engine, past, ports }: Parts): Promise<ReadyTeam> {
  try {
    const project = await store.pathFs.realpath(folder);
    const unaccepted = loosenings(await store.settings.workspace(project));
    const findings = await settingsFindings(store, project);
    const { model, settings, scripted, api } = engine;
    const processes = processHost(ports, { root: store.paths.root, project, api });
    const session = createTeamSession(
      {
        ...{ store, model, settings, cwd: project, home: homeFolder(), scripted },
        ...(processes ? { processes } : {}),
        ...{ env: memberEnvironment(process.env), isSeen: ports.isSeen, clock: systemClock, logger: ports.log },
      },
      past,
    );
    const { readFile, log } = ports;
    const team = createLiveTeam({ session, goal, past, store, models: settings.models, readFile, log });
    const close = async () => {
      await engine.close();
      store.dispose();
    };
    const begin = async () => (past ? session.resume() : session.start(goal));
    return { team, store, goal, project, loosenings: unaccepted, findings, begin, close };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The API as the window's settings name it now: where a wrong address is mended, the next try of a team finds it. */
function apiModel(ports: StartPorts): Model {
  const baseUrl = ports.server();
  return createAnthropicModel({ apiKey: () => keyFor(ports), ...(baseUrl ? { baseUrl } : {}) });
}

/** A server of the person's own may need no key; the SDK wants one all the same. */
async function keyFor({ apiKey, server }: StartPorts): Promise<string | undefined> {
  return (await apiKey()) ?? (server() ? "none" : undefined);
}
