import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SAMPLE_EDITS } from "../../src/demo/sampleProject.ts";
import { eventually } from "../support/eventually.ts";
import type { Host } from "../support/host.ts";
import { runSuite } from "../support/sampleFolder.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import {
  activeEditor,
  badge,
  openContainer,
  quickPickRow,
  reload,
  reopen,
  runCommand,
  screenshot,
  setTheme,
  terminalNames,
  type Workbench,
  webviewFrame,
} from "../support/workbench.ts";

/** The demo in a window that is reloaded, and whose extension host is killed. Each test is the next thing that happens. */
describe("a team whose window goes away", { timeout: 120_000 }, () => {
  let host: Host;
  let workbench: Workbench;
  let view: TeamView;
  let planId: string | undefined;

  useWindow(
    SMALL_WORKSPACE,
    async (opened) => {
      ({ host, workbench } = opened);
      view = teamView(workbench);
      await runCommand(workbench, "Agent Teams: Run the Demo Team");
    },
    { height: 1000 },
  );

  it("keeps a plan that waits, and what was typed about it, over a reload", async () => {
    const before = await view.request("Plan:");
    planId = (await before.getAttribute("data-request")) ?? undefined;
    await view.press(before, "Send Back…");
    await view.fill(before, "Say which tests prove it.");
    await reload(workbench);
    const after = await view.request("Plan:");
    expect(await after.getAttribute("data-request")).toBe(planId);
    await view.press(after, "Send Back…");
    expect(await after.locator("textarea").inputValue()).toBe("Say which tests prove it.");
    await screenshot(workbench, "reload-plan-dark");
    await view.press(after, "Send Back");
    const revised = await view.request("Plan:");
    await revised.locator(".plan-version", { hasText: "Version 2" }).waitFor();
  });

  it("keeps the Team Board, with its graph and what was chosen there", async () => {
    const { watch } = workbench;
    const board = () => webviewFrame(workbench, "Team Board");
    const shown = async () => (await board()).locator(".bd-col-head h2").allInnerTexts();
    const isDrawn = () =>
      eventually("the graph", async () => (await (await board()).locator(".bd-node").count()) === 3);
    await runCommand(workbench, "Agent Teams: Open Team Board");
    await isDrawn();
    await eventually("the lead's words", async () => (await (await board()).locator(".bd-col .conv-text").count()) > 0);
    const [first = "", ...others] = await shown();
    await watch.asPerson(async () => (await board()).getByRole("button", { name: `Close ${first}` }).click());
    await watch.asPerson(async () => (await board()).locator(".bd-node").first().click());
    await screenshot(workbench, "board-dark");
    await setTheme(workbench, "Light Modern");
    await screenshot(workbench, "board-light");
    await setTheme(workbench, "Dark Modern");
    await reload(workbench);
    await isDrawn();
    expect(await activeEditor(workbench)).toContain("Team Board: ");
    expect(await shown()).toEqual(others);
    expect(await (await board()).locator(".bd-task").getAttribute("aria-label")).toBe("#1");
    await watch.asPerson(async () => (await board()).getByRole("button", { name: /waits?$/ }).click());
    await eventually("the request in the view Team", async () => {
      const view = await webviewFrame(workbench, "Team");
      return view.evaluate(() => document.activeElement?.classList.contains("req-head") ?? false);
    });
    await runCommand(workbench, "View: Close All Editors");
  });

  it("keeps a draft and a place over hiding, showing and a reload, a filter too, and opens nothing (row 87)", async () => {
    const { page, watch } = workbench;
    const draft = "Half of what I wanted to say";
    await watch.asPerson(async () => (await view.composer()).fill(draft));
    const wheel = (pixels: number) =>
      watch.asPerson(async () => {
        await (await view.frame()).locator("#tab-panel").hover();
        await page.mouse.wheel(0, pixels);
      });
    await wheel(40);
    await eventually("the wheel's effect", async () => (await scrollTop()) > 0);
    await page.waitForTimeout(300); // a wheel's way is kept at most every 150 ms
    const place = await scrollTop();
    const asItWas = async () => {
      await eventually("the draft", async () => (await (await view.composer()).inputValue()) === draft);
      await eventually("the place", async () => Math.abs((await scrollTop()) - place) <= 2);
    };
    await openContainer(workbench, "Explorer");
    await openContainer(workbench, "Agent Teams");
    await asItWas();
    await reload(workbench);
    await asItWas();
    await view.showTab("Tasks");
    const filter = async () => (await view.frame()).locator(".task-filter input");
    await watch.asPerson(async () => (await filter()).fill("receipt"));
    await openContainer(workbench, "Explorer");
    await openContainer(workbench, "Agent Teams");
    await eventually("the filter", async () => (await (await filter()).inputValue()) === "receipt");
    expect(await (await view.frame()).locator(".task").allInnerTexts()).toEqual([expect.stringContaining("receipt")]);
    await screenshot(workbench, "reload-tasks-dark");
    await watch.asPerson(async () => (await filter()).fill(""));
    await view.showTab("Conversation");
    await wheel(-5_000);
    expect(await terminalNames(workbench)).toEqual([]);
  });

  it("keeps both requests when its extension host is killed and the page is loaded again", async () => {
    await view.request("Run npm test");
    const asked = questions();
    process.kill(leader(), "SIGKILL");
    await reopen(workbench);
    await eventually("two things that wait", async () => (await badge(workbench, "Agent Teams")) === "2");
    expect(questions()).toEqual(asked);
  });

  it("has both decided in quick picks, without its view", async () => {
    const titles = [await decideNext(), await decideNext()].sort();
    expect(titles).toEqual([expect.stringMatching(/^Plan: .* · nora/), expect.stringMatching(/^Run npm test · theo/)]);
    await eventually("the change of the offers", () => sample("src/offers.js").includes(SAMPLE_EDITS.offers[0].to));
    const documents = workbench.page.frames().map((frame) => frame.title().catch(() => ""));
    expect(await Promise.all(documents)).not.toContain("Team");
  });

  it("goes on to the end: nothing was done twice, the suite passes", async () => {
    await openContainer(workbench, "Agent Teams");
    const frame = await view.frame();
    await eventually(
      "the end of the team",
      async () => {
        if ((await frame.locator(".fin").count()) > 0) return true;
        if ((await frame.locator(".req", { hasText: "Run npm test" }).count()) > 0)
          await view.press(await view.request("Run npm test"), "Allow Once");
        return false;
      },
      90_000,
    );
    expect(await view.text()).toMatch(/Tasks\s+3 of 3/);
    for (const edit of Object.values(SAMPLE_EDITS).flat()) expect(sample(edit.path)).toContain(edit.to.trim());
    expect((await runSuite(project())).exit).toBe(0);
    expect(decided()).toEqual([...new Set(decided())]);
    expect(await terminalNames(workbench)).toEqual([]);
  });

  /** Pixels above what the view shows. */
  async function scrollTop(): Promise<number> {
    return (await view.frame()).locator(".scroller").evaluate((box) => box.scrollTop);
  }

  /** Decides the request that waits longest, in its quick pick, with a yes; gives the title of the pick. */
  async function decideNext(): Promise<string> {
    const title = workbench.page.locator(".quick-input-title", { hasText: " · " });
    await runCommand(workbench, "Agent Teams: Review Next Request");
    const text = await title.innerText();
    const yes = quickPickRow(workbench.page, text.startsWith("Plan:") ? "Approve" : "Allow Once");
    await workbench.watch.asPerson(() => yes.click());
    return text;
  }

  function place(): string {
    const [found] = globSync("muster-demo-*", { cwd: path.join(host.root, "tmp") });
    return path.join(host.root, "tmp", found ?? "none");
  }

  function project(): string {
    return path.join(place(), "corner-bakery");
  }

  function sample(file: string): string {
    return readFileSync(path.join(project(), file), "utf8");
  }

  /** A file of the team's own folder, while it lives and after it. */
  function ownFile(name: string): string {
    const state = path.join(place(), "state");
    const [found] = globSync([`teams/corner-bakery/${name}`, `muster/history/*/${name}`], { cwd: state });
    return readFileSync(path.join(state, found ?? name), "utf8");
  }

  /** The process that leads the team. */
  function leader(): number {
    return JSON.parse(ownFile("muster/lead.json")).pid;
  }

  function audit(): { event: string; id?: string; request?: { id: string } }[] {
    return ownFile("muster/audit.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  /** Ids of all requests so far, each once. */
  function questions(): string[] {
    return [...new Set(audit().flatMap(({ event, request }) => (event === "asked" && request ? [request.id] : [])))];
  }

  function decided(): string[] {
    return audit().flatMap(({ event, id }) => (event === "decided" && id ? [id] : []));
  }
});
