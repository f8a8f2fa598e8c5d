import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAnthropicModel } from "../../src/agent/anthropicModel.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { silentLogger } from "../../src/base/logger.ts";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import type { ScriptedTeam } from "../../src/demo/script.ts";
import type { TeamEvent } from "../../src/protocol/events.ts";
import type { Decision, PendingRequest } from "../../src/protocol/request.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import type { ProcessHost } from "../../src/team/backends/process.ts";
import type { ProcessStarter } from "../../src/team/backends/processStarter.ts";
import { ownProgram } from "../../src/team/backends/teammateProgram.ts";
import { DEFAULT_SETTINGS } from "../../src/team/defaultSettings.ts";
import { readLeadPast, readPast, type SessionPast } from "../../src/team/resume/past.ts";
import { createTeamSession } from "../../src/team/session.ts";
import type { Rest, SessionOptions, TeamSession, TeamSettings } from "../../src/team/types.ts";
import { expectHealthy } from "./healthy.ts";

/** A session with scripted models behind a real server, on files of its own. */
export interface TeamHost extends AsyncDisposable {
  /** The session that runs now. */
  readonly session: TeamSession;
  readonly store: Store;
  /** The server that answers now. */
  readonly server: MessagesServer;
  readonly cwd: string;
  readonly root: string;
  readonly events: TeamEvent[];
  /** The session's next rest; fails after 20 s. */
  rest(): Promise<Rest>;
  /** The first request that waits and fits; fails after 20 s. */
  request(fits?: (request: PendingRequest) => boolean): Promise<PendingRequest>;
  decide(request: PendingRequest, decision: Decision): Promise<void>;
  /** Resolves when `check` gives a value; fails after `patienceMs` (20 s). */
  until<T>(what: string, check: () => T | undefined | Promise<T | undefined>, patienceMs?: number): Promise<T>;
  /** What the model of a member was sent last, as text. */
  lastSent(member: string): string;
  /** What each request to the model of a member ended with, as text, the first one first. */
  sent(member: string): string[];
  /** Requests to the model of a member so far. */
  count(member: string): number;
  /** Suspends the session, as a host that reloads does, and goes on with a new one over the same files. */
  reload(): Promise<void>;
  /** The second half of `reload`; `in-process`: by a host that runs no teammates as processes. */
  resume(where?: "in-process"): Promise<void>;
  /** Ends the server and starts one with this script at the same address. */
  restartServer(script: ScriptedTeam): Promise<void>;
}

/** What a test may set up otherwise. */
export interface TeamHostOptions {
  /** How the name of its folder begins. */
  folderName?: string;
  /** What stands between the session and its files. */
  throughStore?(store: Store): Store;
  /** Tools beside the built-in ones. */
  tools?: SessionOptions["tools"];
  /** Whether a person sees the host; without it one always does. */
  isSeen?: SessionOptions["isSeen"];
  /** The session's time; by default the machine's. */
  clock?: Clock;
  /** How teammates run as processes, and `muster.mjs` or another program; without it they run in this process. */
  processes?: { starter: ProcessStarter; cli: string; program?: ProcessHost["program"] };
}

/** What is awaited may take this long on a busy machine; less than a test may, so that it says what did not come. */
const PATIENCE_MS = 50_000;

function processHost(
  { starter, cli, program }: NonNullable<TeamHostOptions["processes"]>,
  { root, folder, server }: { root: string; folder: string; server: () => MessagesServer },
): ProcessHost {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder };
  return {
    starter,
    program: program ?? ownProgram(process.execPath, cli, { root, env }),
    api: async () => ({ apiKey: "test-key", baseUrl: server().url }),
  };
}

/** Opens a host; nothing runs before `session.start`. */
export async function openTeamHost(
  script: ScriptedTeam,
  settings: Partial<TeamSettings> = {},
  {
    folderName = "muster-team-",
    throughStore = (store) => store,
    tools,
    processes,
    isSeen,
    clock = systemClock,
  }: TeamHostOptions = {},
): Promise<TeamHost> {
  const folder = await mkdtemp(path.join(tmpdir(), folderName));
  const cwd = path.join(folder, "project");
  const root = path.join(folder, "root");
  await mkdir(cwd);
  let server = await startMessagesServer(script);
  const store = createStore({ root });
  const parts: SessionOptions = {
    store: throughStore(store),
    model: createAnthropicModel({ apiKey: async () => "test-key", baseUrl: server.url }),
    settings: { ...DEFAULT_SETTINGS, afterPlanMode: "acceptEdits", ...settings },
    cwd,
    home: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    ...(tools ? { tools } : {}),
    ...(isSeen ? { isSeen } : {}),
    ...(processes ? { processes: processHost(processes, { root, folder, server: () => server }) } : {}),
    clock,
    logger: silentLogger,
  };
  const events: TeamEvent[] = [];
  const { processes: _, ...withoutProcesses } = parts;
  const open = (past: SessionPast | null, where?: "in-process") => {
    const opened = createTeamSession(where ? withoutProcesses : parts, past);
    opened.events((event) => events.push(event));
    return opened;
  };
  let session = open(null);
  let team: string | null = null;
  session.events((event) => {
    if (event.type === "team_created") team = event.team;
  });
  const sentTo = (member: string) => server.requests.filter((record) => record.member === member);

  const host: TeamHost = {
    ...{ store, cwd, root, events },
    get session() {
      return session;
    },
    get server() {
      return server;
    },
    rest: () => session.waitForRest(AbortSignal.timeout(PATIENCE_MS)),
    request: (fits = () => true) => host.until("a request", () => session.requests.pending.find(fits)),
    async decide(request, decision) {
      const result = await session.requests.decide(request.id, decision, "person");
      if (result !== "decided") throw new Error(`The request was not decided: ${result}.`);
    },
    async until(what, check, patienceMs = PATIENCE_MS) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const value = await check();
        if (value !== undefined && value !== false) return value as never;
        if (Date.now() > deadline)
          throw new Error(`Waited in vain for ${what}. Failures: ${server.failures.join("; ")}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    lastSent: (member) => host.sent(member).at(-1) ?? "",
    sent: (member) => sentTo(member).map(({ request }) => JSON.stringify(request.messages.at(-1)?.content ?? "")),
    count: (member) => sentTo(member).length,
    async reload() {
      await session.suspend();
      await host.resume();
    },
    async resume(where) {
      const past = team === null ? await readLeadPast(store, session.id, "Go.") : await readPast(store, team);
      session = open(past, where);
      await session.resume();
    },
    async restartServer(next) {
      const { port } = server;
      await server.close();
      server = await startMessagesServer(next, { port });
    },
    async [Symbol.asyncDispose]() {
      await session.end({ graceMs: 0, interrupted: true });
      if (processes) await expectHealthy(root); // every test with processes ends with the doctor
      await server.close();
      store.dispose();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  return host;
}
