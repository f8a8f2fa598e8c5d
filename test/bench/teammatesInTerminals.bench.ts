import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { percentile } from "../stress/storeProcesses.ts";
import { startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type Host, startHost } from "../support/host.ts";
import { teamView } from "../support/teamView.ts";
import { SMALL_WORKSPACE } from "../support/window.ts";
import { answerInput, openWorkbench, runCommand, type Workbench } from "../support/workbench.ts";
import {
  deliveryTimes,
  idleShares,
  namedTeam,
  now,
  percent,
  report,
  reportIdle,
  reportLoad,
  reportProcessMemory,
  STARTS,
  settle,
  startOf,
  WAITING,
} from "./support/teammateFigures.ts";

/**
 * Figures of teammates that are integrated terminals of a real VS Code: the packaged extension as it was built last,
 * with a model that answers at once. Its page is only typed into: times are those of requests to the model and of writes
 * to files. Nothing is asserted. Linux only: memory and CPU are read from /proc.
 */
const PATIENCE_MS = 60_000;

/** A window that leads a team whose teammates are terminals. */
interface Window {
  host: Host;
  browser: Browser;
  workbench: Workbench;
  server: MessagesServer;
  store: Store;
}

const window = await open();
reportLoad();
try {
  await starts();
  await deliveries();
  await waiting();
} finally {
  await close();
}

async function open(): Promise<Window> {
  const server = await startMessagesServer(namedTeam());
  const settings = { "muster.teammateMode": "terminal" };
  const host = await startHost({ ...SMALL_WORKSPACE, settings, env: { ANTHROPIC_BASE_URL: server.url } });
  const browser = await startBrowser();
  const workbench = await openWorkbench(browser, host);
  await runCommand(workbench, "Agent Teams: New Team…");
  await answerInput(workbench, "New Team", "Measure.");
  const store = createStore({ root: host.stateRoot });
  const opened = { host, browser, workbench, server, store };
  await eventually("the team", () => existsSync(store.paths.team("demo").config));
  await untilIdle(opened, "team-lead");
  return opened;
}

async function close(): Promise<void> {
  const { host, browser, server, store } = window;
  await browser.close();
  await host.stop();
  await server.close();
  await store.close();
}

async function tellLead(text: string): Promise<void> {
  const composer = await teamView(window.workbench).composer();
  await composer.fill(text);
  await composer.press("Enter");
}

async function spawnMembers(...names: string[]): Promise<void> {
  await tellLead(`Spawn ${names.join(" ")}.`);
  await untilIdle(window, ...names, "team-lead");
}

/** Idle by their own word: a member has written its state, and so has the lead. */
async function untilIdle({ store }: Pick<Window, "store">, ...names: string[]): Promise<void> {
  const areIdle = async () => {
    const { presence, config } = await store.snapshots.read("demo");
    return names.every(
      (name) => presence.get(name)?.state === "idle" && config.members.some((member) => member.name === name),
    );
  };
  await eventually(`${names.join(", ")} to be idle`, areIdle, PATIENCE_MS);
}

/** From the end of the reply with the lead's tool call to the teammate's first request to the model. */
async function starts(): Promise<void> {
  const { server, store } = window;
  const times: number[] = [];
  const untilProcess: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    await spawnMembers("alice");
    const called = server.requests.findLastIndex(({ reply }) =>
      reply?.some((block) => block.type === "tool_use" && block.name === "Task"),
    );
    const asked = server.requests.slice(called).find(({ member }) => member === "alice");
    const begun = server.requests[called]?.endedAt ?? Number.NaN;
    times.push((asked?.at ?? Number.NaN) - begun);
    const { presence } = await store.snapshots.read("demo");
    untilProcess.push(startOf(presence.get("alice")?.pid ?? 0) - begun);
    await tellLead("Stop alice.");
    const hasLeft = async () => !(await store.teams.read("demo")).members.some(({ name }) => name === "alice");
    await eventually("alice to leave", hasLeft, PATIENCE_MS);
    await untilIdle(window, "team-lead");
  }
  report("spawn → first request", times, "start", "terminal");
  console.log(`of that until VS Code has started the process: median ${percentile(untilProcess, 0.5).toFixed(0)} ms`);
}

async function deliveries(): Promise<void> {
  await spawnMembers("alice");
  const times = await deliveryTimes({
    ...{ store: window.store, member: "alice", nextRequest: () => nextRequest("alice") },
    until: (what, check) => eventually(what, check, PATIENCE_MS),
    isIdle: async () => (await window.store.snapshots.read("demo")).presence.get("alice")?.state === "idle",
  });
  report("delivery by another process, write → request", times, "delivery", "terminal");
}

/** Memory and CPU of teammates that have nothing to do. */
async function waiting(): Promise<void> {
  const names = Array.from({ length: WAITING - 1 }, (_, index) => `member${index}`);
  await spawnMembers(...names);
  const { presence, lead } = await window.store.snapshots.read("demo");
  const pids = ["alice", ...names].map((name) => presence.get(name)?.pid ?? 0);
  await settle();
  reportProcessMemory(pids, "terminal");
  const [host = 0, ...shares] = await idleShares([lead?.pid ?? 0, ...pids]);
  const together = shares.reduce((sum, one) => sum + one, 0);
  reportIdle(together, `, their window's extension host ${percent(host)}`, "terminal");
}

/** When the next request of a member comes in. */
function nextRequest(member: string): Promise<number> {
  return new Promise((resolve) => {
    const subscription = window.server.onRequest((record) => {
      if (record.member !== member) return;
      subscription.dispose();
      resolve(now());
    });
  });
}
