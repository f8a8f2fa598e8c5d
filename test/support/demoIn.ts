import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SAMPLE_EDITS } from "../../src/demo/sampleProject.ts";
import { demoPlace, untilDemoEnds } from "./demoPlace.ts";
import { eventually } from "./eventually.ts";
import { runSuite } from "./sampleFolder.ts";
import { teamView } from "./teamView.ts";
import { type OpenedWindow, SMALL_WORKSPACE, useWindow } from "./window.ts";
import { reload, runCommand, screenshot, terminalNames, terminalText, typeInTerminal } from "./workbench.ts";

/** The demo with teammates in places of their own. Each test is the next thing that a person does. */
export function describeDemoIn(mode: "terminal" | "tmux"): void {
  describe(`teammates in ${mode}`, { timeout: 150_000 }, () => demoIn(mode));
}

function demoIn(mode: "terminal" | "tmux"): void {
  let window: OpenedWindow;
  useWindow(
    { ...SMALL_WORKSPACE, settings: { "muster.teammateMode": mode } },
    (opened) => {
      window = opened;
    },
    { height: 1000 },
  );
  const place = demoPlace(() => window.host);
  const view = () => teamView(window.workbench);

  it("work and ask as in the window itself, and open no terminal by themselves", async () => {
    const { workbench } = window;
    await runCommand(workbench, "Agent Teams: Run the Demo Team");
    await view().request("Run npm test");
    await view().request("Plan:");
    expect(teammateProcesses()).toHaveLength(2);
    expect(await terminalNames(workbench)).toEqual([]);
    expect(workbench.watch.toasts()).toEqual([]);
  });

  it("are opened by a click, and take what is typed", async () => {
    const { workbench } = window;
    await view().memberMenu("theo", "Open Terminal");
    await eventually("the terminal", async () =>
      (await terminalNames(workbench)).some((name) => name.includes("theo")),
    );
    await eventually("its transcript", async () => (await terminalText(workbench)).includes("npm test"));
    await typeInTerminal(workbench, "Mind the tabs.\r", "npm test");
    await eventually("the words below it", async () => (await terminalText(workbench)).includes("Mind the tabs."));
    await screenshot(workbench, `terminal-of-${mode}-dark`);
    await view().memberMenu("theo", "Open Terminal");
    expect((await terminalNames(workbench)).filter((name) => name.includes("theo"))).toHaveLength(1);
  });

  it("go on after a reload of the window, each once, with what waited, and no terminal twice (row 87)", async () => {
    const before = teammateProcesses();
    await reload(window.workbench);
    const requests = (await view().frame()).locator(".req");
    for (const title of ["Run npm test", "Plan:"])
      await requests.filter({ hasText: title }).waitFor({ timeout: 40_000 });
    await eventually("two new processes", () => {
      const now = teammateProcesses();
      if (now.length === 2 && now.every((pid) => !before.includes(pid))) return true;
      throw new Error(`before: ${before}; now: ${now}`);
    });
    // the one that was opened went with its window; VS Code may show a shell in its place
    expect((await terminalNames(window.workbench)).filter((name) => name.includes("theo"))).toEqual([]);
  });

  it("finish the job, and leave no process and no terminal", async () => {
    await view().press(await view().request("Plan:"), "Approve");
    await view().press(await view().request("Run npm test"), "Allow Once");
    await untilDemoEnds(view());
    expect(await view().text()).toMatch(/Tasks\s+3 of 3/);
    for (const edit of Object.values(SAMPLE_EDITS).flat()) expect(place.sample(edit.path)).toContain(edit.to.trim());
    expect((await runSuite(place.project)).exit).toBe(0);
    const records = place.ownFile("muster/transcripts/theo.jsonl").trim().split("\n");
    const heard = records.filter((line) => JSON.parse(line).kind === "input" && line.includes("Mind the tabs."));
    expect(heard).toHaveLength(1); // what was typed before the reload
    await eventually("the end of every process", () => teammateProcesses().length === 0);
    expect(existsSync(`${place.stateRoot}/teams/corner-bakery`)).toBe(false);
  });

  /** Process ids of this host's teammates. */
  function teammateProcesses(): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => isTeammate(pid))
      .map(Number);
  }

  function isTeammate(pid: string): boolean {
    try {
      const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const ours = argv.some((one) => one.startsWith(window.host.root));
      return ours && argv.some((one) => one.endsWith("muster.mjs")) && argv.includes("teammate");
    } catch {
      return false; // it has gone
    }
  }
}
