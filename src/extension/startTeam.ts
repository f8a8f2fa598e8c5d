import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createAnthropicModel } from "../agent/anthropicModel.ts";
import type { Model } from "../agent/types.ts";
import { systemClock } from "../base/clock.ts";
import { releasedOnFailure } from "../base/disposable.ts";
import type { Logger } from "../base/logger.ts";
import { createDemoScript, DEMO_GOAL, DEMO_MODEL } from "../demo/demoTeam.ts";
import { startMessagesServer } from "../demo/messagesServer.ts";
import { SAMPLE_PROJECT } from "../demo/sampleProject.ts";
import { newUuid } from "../protocol/ids.ts";
import { resolveMode } from "../protocol/mode.ts";
import type { PendingRequest } from "../protocol/request.ts";
import { createStore, type Store } from "../store/store.ts";
import { memberEnvironment } from "../team/memberEnvironment.ts";
import { createTeamSession } from "../team/session.ts";
import type { TeamSettings } from "../team/types.ts";
import { createLiveTeam, type LiveTeam } from "./liveTeam.ts";
import type { Settings } from "./settings.ts";

/** What a new team needs of the window. */
export interface StartPorts {
  settings: Settings;
  apiKey(): Promise<string | undefined>;
  /** The text of the file that a request would change. */
  readFile(request: PendingRequest): Promise<string | null>;
  log: Logger;
}

/** A team that is ready: nothing ran yet. */
export interface ReadyTeam {
  team: LiveTeam;
  store: Store;
  goal: string;
  /** The folder that it works in. */
  project: string;
  /** Releases what the team needed beside its session, after the session's end. */
  close(): Promise<void>;
}

/** A team for the person's goal, with the API. `folder` must exist. Throws `corrupt` where saved rules are damaged. */
export async function prepareApiTeam(goal: string, folder: string, ports: StartPorts): Promise<ReadyTeam> {
  const { settings, log } = ports;
  const store = createStore({ root: settings.stateRoot, logger: log });
  return releasedOnFailure(store, async () => {
    const { baseUrl } = settings;
    const model = createAnthropicModel({ apiKey: () => keyFor(ports), ...(baseUrl ? { baseUrl } : {}) });
    const saved = await store.settings.personRules();
    const savedMode = saved.defaultMode === undefined ? "default" : resolveMode(saved.defaultMode);
    const permissionMode = settings.permissionMode === "default" ? savedMode : settings.permissionMode;
    const teamSettings: TeamSettings = {
      ...settings,
      permissionMode,
      rules: { allow: [], ask: [], deny: [], additionalDirectories: saved.additionalDirectories },
      afterPlanMode: permissionMode === "acceptEdits" ? "acceptEdits" : "default",
    };
    return readyTeam({ goal, folder, store, model, teamSettings, scripted: false, ports, close: async () => {} });
  });
}

/** The demo team: scripted models on a loopback server, a fresh copy of the sample project, a state root of its own. */
export async function prepareDemoTeam(ports: StartPorts): Promise<ReadyTeam> {
  const place = join(tmpdir(), `muster-demo-${newUuid().slice(0, 8)}`);
  const store = createStore({ root: join(place, "state"), logger: ports.log });
  return releasedOnFailure(store, () => demoTeam(store, join(place, "corner-bakery"), ports));
}

async function demoTeam(store: Store, folder: string, ports: StartPorts): Promise<ReadyTeam> {
  await store.texts.writeProject(folder, SAMPLE_PROJECT);
  const server = await startMessagesServer(createDemoScript());
  const model = createAnthropicModel({ apiKey: async () => "scripted", baseUrl: server.url });
  const teamSettings: TeamSettings = {
    ...ports.settings,
    ...{ model: DEMO_MODEL, thinking: "off", permissionMode: "acceptEdits", approvalTarget: "user", autoClaim: true },
    ...{ maxMembers: 8, requestLimit: 4, keepHistory: true, afterPlanMode: "acceptEdits" },
    rules: { allow: [], ask: [], deny: [], additionalDirectories: [] },
  };
  const close = async () => {
    for (const failure of server.failures) ports.log.error(`The demo's script did not get what it expects: ${failure}`);
    await server.close();
  };
  try {
    return await readyTeam({ goal: DEMO_GOAL, folder, store, model, teamSettings, scripted: true, ports, close });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  goal: string;
  folder: string;
  store: Store;
  model: Model;
  teamSettings: TeamSettings;
  scripted: boolean;
  ports: StartPorts;
  close(): Promise<void>;
}

async function readyTeam(parts: Parts): Promise<ReadyTeam> {
  const { goal, store, model, teamSettings: settings, scripted, ports } = parts;
  const project = await store.pathFs.realpath(parts.folder);
  const session = createTeamSession({
    ...{ store, model, settings, cwd: project, home: homedir(), scripted },
    ...{ env: memberEnvironment(process.env), clock: systemClock, logger: ports.log },
  });
  const team = createLiveTeam({
    session,
    goal,
    store,
    models: settings.models,
    readFile: ports.readFile,
    log: ports.log,
  });
  const close = async () => {
    await parts.close();
    store.dispose();
  };
  return { team, store, goal, project, close };
}

/** A server of the person's own may need no key; the SDK wants one all the same. */
async function keyFor({ apiKey, settings }: StartPorts): Promise<string | undefined> {
  return (await apiKey()) ?? (settings.baseUrl ? "none" : undefined);
}
