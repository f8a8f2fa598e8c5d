import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { silentLogger } from "../../src/base/logger.ts";
import { steps, type Turn } from "../../src/demo/script.ts";
import { messageParts } from "../../src/extension/panel/messageParts.ts";
import { PanelFeed } from "../../src/extension/panel/panelFeed.ts";
import { sayMessage } from "../../src/extension/panel/sayPanel.ts";
import { createActivitySource } from "../../src/extension/teams/activitySource.ts";
import { openForeignTeam } from "../../src/extension/teams/foreignTeam.ts";
import type { ShownTeam } from "../../src/extension/teams/shownTeam.ts";
import { TeamFiles } from "../../src/extension/teams/teamFiles.ts";
import { type Intent, intentSchema } from "../../src/protocol/intents.ts";
import { LEAD_NAME } from "../../src/protocol/names.ts";
import type { PanelTab } from "../../src/protocol/panel.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { percentile } from "../stress/storeProcesses.ts";
import { startBrowser } from "../support/browser.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, message, spawn, task, team } from "../support/teamScripts.ts";
import { openTempStore, type TempStore } from "../support/tempStore.ts";
import { buildWebview, openStage, type Stage, type View } from "../webview/support/page.ts";
import { writeLargeTeam } from "./support/largeTeam.ts";

/**
 * Figures of the panel on a team of 8 members, 1,000 tasks and 10,000 messages: files, store, watcher and feed are the
 * real ones, the built webview runs in Chromium, and messages are handed over between the two. Then what a change costs the
 * host, the event loop while eight teammates work in this process, and the activation of `dist/extension.cjs`. Nothing is asserted.
 */
const STARTS = 9;
const CHANGES = 60;
const ACTIVATIONS = 15;
/** Changes before those that are measured: the first ones compile the code. */
const WARM_UPS = 20;
const TEAMMATES = Array.from({ length: 8 }, (_, index) => `member${index}`);
const ROUNDS = 12;
/** Milliseconds between two samples of the event loop; a sample holds them too. */
const SAMPLE_MS = 10;

/** What each tab shows once its data is there. */
const DATA: Readonly<Record<PanelTab, string>> = {
  conversation: ".conv .conv-text",
  tasks: ".task-row",
  inboxes: ".thr-head",
  activity: ".act",
};

console.log(
  `load ${os
    .loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")}`,
);
await panel();
await hostWork();
await eventLoop();
await activation();

/** The real feed behind a page of the real webview. */
interface Panel {
  readonly view: View;
  /** Largest message of each type so far, in bytes of JSON. */
  readonly largest: ReadonlyMap<string, number>;
}

async function panel(): Promise<void> {
  await using temp = await openTempStore();
  await writeLargeTeam(temp);
  const shown = await openForeignTeam(temp.store, { root: temp.root, kind: "team", folder: "demo" }, silentLogger);
  const bundle = await buildWebview();
  const browser = await startBrowser();
  const stage = await openStage(browser, bundle.folder, { keeps: false });
  try {
    const opened = await connect(await stage.open(), shown);
    await paints("first paint", stage, opened.view, null);
    for (const tab of ["conversation", "inboxes", "activity", "tasks"] as const) {
      await nodes(opened.view, tab);
      await paints("restore", stage, opened.view, await opened.view.kept());
    }
    await changes(opened.view, temp);
    for (const [type, bytes] of [...opened.largest].sort((one, other) => other[1] - one[1]))
      console.log(`largest message ${type}: ${(bytes / 1024).toFixed(0)} KB`);
  } finally {
    await stage.close();
    await browser.close();
    bundle.dispose();
    shown.dispose();
  }
}

/** From here on what the page posts reaches the feed, and what the feed posts reaches the page. */
async function connect(view: View, shown: ShownTeam): Promise<Panel> {
  const largest = new Map<string, number>();
  const post = (said: HostMessage) => {
    for (const part of messageParts(sayMessage(said, (sentence) => sentence))) {
      const text = JSON.stringify(part);
      largest.set(said.type, Math.max(largest.get(said.type) ?? 0, Buffer.byteLength(text)));
      const handOver = (given: string) => window.postMessage(JSON.parse(given), "*");
      void view.page.evaluate(handOver, text).catch(() => {}); // the page was left meanwhile
    }
  };
  const feed = new PanelFeed(post, () => ({ screen: "loading" }));
  feed.show(shown);
  await view.page.exposeFunction("tellHost", (posted: unknown) => take(feed, intentSchema.parse(posted)));
  await view.page.addInitScript(watchPage);
  return { view, largest };
}

function take(feed: PanelFeed, intent: Intent): void {
  const { view } = feed;
  if (intent.type === "ready") {
    feed.setView(null);
    feed.setView({ tab: intent.tab, member: intent.member });
  } else if (intent.type === "showTab") feed.setView({ tab: intent.tab, member: view?.member ?? null });
  else if (intent.type === "openThread") feed.changes.openThread(intent.thread);
  else if (intent.type === "openTask") feed.changes.openTask(intent.task);
  else if (intent.type === "selectMember") feed.setView({ tab: view?.tab ?? "conversation", member: intent.member });
}

interface WatchedWindow {
  posted: unknown[];
  tellHost(posted: unknown): void;
  /** Ms since the page began at which a selector first had a frame. */
  painted(selector: string): Promise<number>;
  /** The machine's time, in ms, of the first frame that has this text. */
  seen(text: string): Promise<number>;
}

/** Runs in the page before its script: passes on what is posted, and notes frames. */
function watchPage(): void {
  const page = window as unknown as WatchedWindow;
  const push = page.posted.push.bind(page.posted);
  page.posted.push = (...given) => {
    for (const one of given) page.tellHost(one);
    return push(...given);
  };
  const frameOf = (isThere: () => boolean) =>
    new Promise<number>((resolve) => {
      const look = () => {
        if (!isThere()) return void requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0)); // the frame is drawn
      };
      look();
    });
  const shows = (text: string) => document.getElementById("root")?.textContent?.includes(text) ?? false;
  page.painted = (selector) => frameOf(() => document.querySelector(selector) !== null);
  page.seen = async (text) => performance.timeOrigin + (await frameOf(() => shows(text)));
}

/** From the start of the webview's script to the first frame with data: that is a row of the tab that is on show. */
async function paints(what: string, { origin }: Stage, view: View, kept: unknown): Promise<void> {
  const { tab } = { tab: "conversation" as PanelTab, ...(kept as { tab?: PanelTab } | null) };
  const times: number[] = [];
  for (let index = 0; index < STARTS; index += 1) {
    await view.page.goto(`${origin}/nothing`);
    await view.page.evaluate((state) => sessionStorage.setItem("kept", state), JSON.stringify(kept));
    await view.page.goto(`${origin}/`, { waitUntil: "commit" });
    times.push(
      await view.page.evaluate(async (selector) => {
        const painted = await (window as unknown as WatchedWindow).painted(selector);
        const script = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/main.js"));
        return painted - (script as PerformanceResourceTiming).responseEnd;
      }, DATA[tab]),
    );
  }
  report(`${what}, ${tab}, script → frame with data`, times);
}

/** Elements of a tab; of the inboxes with their first thread open. */
async function nodes({ page }: View, tab: PanelTab): Promise<void> {
  await page.locator(`[role=tab][data-tab=${tab}]`).click();
  await page.locator(DATA[tab]).first().waitFor();
  if (tab === "inboxes") {
    await page.locator(".thr-head").first().click();
    await page.locator(".msg").first().waitFor();
  }
  await page.waitForTimeout(1_000); // what is kept is written, and late parts are there
  const count = await page.evaluate(() => document.querySelectorAll("*").length);
  console.log(`elements, ${tab}: ${count}`);
}

/** A task that is on show gets another subject, by another store over the same files. */
async function changes(view: View, temp: TempStore): Promise<void> {
  await using other = await openTempStoreBeside(temp);
  const id = (await view.page.locator("[data-task]").first().getAttribute("data-task")) ?? "";
  const times: number[] = [];
  for (let index = 0; index < CHANGES; index += 1) {
    const subject = `Changed ${index}.`;
    const seen = view.page.evaluate((text) => (window as unknown as WatchedWindow).seen(text), subject);
    const begun = performance.timeOrigin + performance.now();
    await other.store.tasks.update("demo", id, { subject }, { by: "user", isAgent: false });
    times.push((await seen) - begun);
    await view.page.waitForTimeout(150 + ((index * 37) % 100));
  }
  report("file change by another store (call of the write) → frame of the panel", times);
}

async function openTempStoreBeside({ root }: TempStore): Promise<{ store: TempStore["store"] } & AsyncDisposable> {
  const { store } = await openTempStore({ root });
  return { store, [Symbol.asyncDispose]: async () => store.dispose() };
}

/** CPU of the host's thread for one change of the large team: its read, and the tab *Activity* after it. */
async function hostWork(): Promise<void> {
  await using temp = await openTempStore();
  const { store } = temp;
  await writeLargeTeam(temp);
  const files = new TeamFiles();
  const owners = () => [{ team: "demo", agent: LEAD_NAME }];
  const activity = createActivitySource({ files, audit: store.audit, owners, transcripts: () => new Map() });
  const send = (n: number) => store.inboxes.send("demo", { from: LEAD_NAME, to: ["member-1"], text: `News ${n}.` });
  const rename = (n: number) =>
    store.tasks.update("demo", "500", { subject: `Changed ${n}.` }, { by: "user", isAgent: false });
  for (const [what, change] of [["a task", rename] as const, ["a message", send] as const]) {
    const work = { read: 0, activity: 0 };
    for (let index = -WARM_UPS; index < CHANGES; index += 1) {
      await change(index);
      await new Promise((resolve) => setTimeout(resolve, 60)); // a file that changed just now is read twice
      const begun = process.threadCpuUsage();
      files.take(await store.snapshots.read("demo", (id) => id !== "500"));
      const read = process.threadCpuUsage(begun);
      await activity();
      const all = process.threadCpuUsage(begun);
      if (index < 0) continue;
      work.read += read.user + read.system;
      work.activity += all.user + all.system - read.user - read.system;
    }
    const each = (sum: number) => (sum / CHANGES / 1_000).toFixed(1);
    console.log(`CPU of the host's thread for ${what}: read ${each(work.read)} ms, activity ${each(work.activity)} ms`);
  }
  files.dispose();
}

/** The event loop of a host in which eight teammates work and a panel is fed; the scripted server runs in it too. */
async function eventLoop(): Promise<void> {
  const work = TEAMMATES.map((name, at) => {
    const next = TEAMMATES[(at + 1) % TEAMMATES.length] ?? name;
    const turns = Array.from({ length: ROUNDS }, (_, round) =>
      calls(task(`Part ${round} of ${name}`), message(next, `News ${round} of ${name}. ${"More. ".repeat(40)}`)),
    );
    return [name, steps([...turns, "Done."], () => "Nothing to do.")] as const;
  });
  const startAll = ({ incoming }: Turn) =>
    incoming.text.includes("Begin.") ? calls(...TEAMMATES.map((name) => spawn(name))) : "Fine.";
  const lead = steps([calls(createTeam), "Ready."], startAll);
  await using host = await openTeamHost(team({ "team-lead": lead, ...Object.fromEntries(work) }));
  host.session.start("Measure.");
  await host.rest();
  const shown = await openForeignTeam(host.store, { root: host.root, kind: "team", folder: "demo" }, silentLogger);
  const feed = new PanelFeed(
    (said) => void JSON.stringify(said),
    () => ({ screen: "loading" }),
  );
  feed.show(shown);
  feed.setView({ tab: "inboxes", member: null });
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  const worked = watchWork();
  const begun = performance.now();
  await host.session.say("team-lead", "Begin.");
  const atWork = () => TEAMMATES.every((name) => host.count(name) > ROUNDS);
  await host.until("all of the work", atWork, 120_000);
  await host.rest();
  delay.disable();
  const sampled = worked();
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const at = (share: number) => (delay.percentile(share) / 1e6 - SAMPLE_MS).toFixed(1);
  console.log(
    `event loop, eight teammates at work (${seconds} s, ${host.server.requests.length} requests): delay median ${at(50)} ms, p99 ${at(99)} ms, max ${(delay.max / 1e6 - SAMPLE_MS).toFixed(1)} ms`,
  );
  console.log(
    `event loop, CPU of its thread between two samples (a bound of one run on a machine of its own): p99 ${percentile(sampled, 0.99).toFixed(1)} ms, max ${percentile(sampled, 1).toFixed(1)} ms`,
  );
  feed.dispose();
  shown.dispose();
}

/** Samples what this thread works, in ms of CPU: other programs of the machine make no run longer in that. */
function watchWork(): () => number[] {
  const worked: number[] = [];
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    worked.push((user + system) / 1_000);
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return worked;
  };
}

/** `dist/extension.cjs` as it was built last, in a new process each time, without VS Code's own part. */
async function activation(): Promise<void> {
  const file = path.resolve(import.meta.dirname, "../../dist/extension.cjs");
  const child = path.join(import.meta.dirname, "children/activate.ts");
  const home = await mkdtemp(path.join(os.tmpdir(), "muster-activation-"));
  const times: number[] = [];
  for (let index = 0; index < ACTIVATIONS; index += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [child, file], { env: { HOME: home } });
    times.push(Number(stdout));
  }
  await rm(home, { recursive: true });
  report("activation, dist/extension.cjs loaded and activated beside a stand-in for VS Code", times);
}

function report(what: string, times: readonly number[]): void {
  const at = (share: number) => percentile(times, share).toFixed(0);
  console.log(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms, of ${times.length}`);
}
