import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../scripts/project.ts";
import { percentile } from "../stress/storeProcesses.ts";
import { startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type Host, startHost } from "../support/host.ts";
import { SMALL_WORKSPACE } from "../support/window.ts";
import { openWorkbench, reload, runCommand, type Workbench } from "../support/workbench.ts";
import { reportLoad } from "./support/teammateFigures.ts";

/**
 * The activation of the packaged extension, as it was built last, in a real extension host: what VS Code itself records
 * (*Developer: Startup Performance*), over reloads of a window without a team, each of which starts a new host. Nothing
 * is asserted.
 */
const RELOADS = 11;
const EVENT = "onStartupFinished";

/**
 * What VS Code recorded of one activation, in ms. `load`: from the moment at which the activation began until the code
 * was loaded; `finish`: what `activate` left to wait for. VS Code begins all activations of one event before it loads
 * the first extension, so `load` holds what others that came before took: `others`.
 */
interface Activation {
  load: number;
  others: number;
  call: number;
  finish: number;
}

const { publisher, name } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
reportLoad();
const host = await startHost(SMALL_WORKSPACE);
try {
  report(await activations(host));
} finally {
  await host.stop();
}

async function activations(host: Host): Promise<Activation[]> {
  const browser = await startBrowser();
  try {
    const workbench = await openWorkbench(browser, host);
    const recorded: Activation[] = [];
    for (let n = 0; n < RELOADS; n += 1) {
      await reload(workbench);
      recorded.push(await eventually("the record of the activation", () => recordOf(workbench), 60_000));
    }
    return recorded;
  } finally {
    await browser.close();
  }
}

/** The extension's row of *Extension Activation Stats*: Extension, Eager, Load Code, Call Activate, Finish Activate, Event, By. */
async function recordOf(workbench: Workbench): Promise<Activation | undefined> {
  const { page } = workbench;
  await runCommand(workbench, "Developer: Startup Performance");
  const editor = page.locator(".editor-instance .view-lines").first();
  await editor.waitFor();
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+C");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await runCommand(workbench, "View: Close All Editors");
  return activationIn(text);
}

function activationIn(text: string): Activation | undefined {
  const rows = text.split("\n").flatMap((line) => {
    const [, id = "", , load, call, finish, event] = line.split("|").map((cell) => cell.trim());
    return event === EVENT ? [{ id, load: Number(load), call: Number(call), finish: Number(finish) }] : [];
  });
  const own = rows.find(({ id }) => id === `${publisher}.${name}`);
  if (!own) return undefined;
  const before = rows.filter((row) => row !== own && row.load <= own.load);
  return { ...own, others: Math.max(0, ...before.map(({ load }) => load)) };
}

function report(recorded: readonly Activation[]): void {
  const at = (share: number, part: (one: Activation) => number) => percentile(recorded.map(part), share).toFixed(0);
  const whole = ({ load, call, finish }: Activation) => load + call + finish;
  const own = (one: Activation) => whole(one) - one.others;
  const parts = `loading ${at(0.5, ({ load }) => load)}, calling ${at(0.5, ({ call }) => call)}, waiting ${at(0.5, ({ finish }) => finish)}`;
  const spread = (part: (one: Activation) => number) =>
    `median ${at(0.5, part)} ms, min ${at(0, part)} ms, p95 ${at(0.95, part)} ms`;
  console.log(
    `activation in a real extension host, as VS Code records it: ${spread(whole)}, of ${recorded.length} (${parts})`,
  );
  console.log(`without the extensions that it loaded before ours for the same event: ${spread(own)}`);
}
