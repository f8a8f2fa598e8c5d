import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { SAMPLE_EDITS, SAMPLE_PROJECT } from "../../src/demo/sampleProject.ts";
import { demoPlace, untilDemoEnds } from "../support/demoPlace.ts";
import { eventually } from "../support/eventually.ts";
import type { Host } from "../support/host.ts";
import { runSuite } from "../support/sampleFolder.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import {
  activeEditor,
  badge,
  openContainer,
  openWalkthrough,
  paletteOffers,
  quickPickRow,
  reload,
  screenshot,
  setTheme,
  terminalNames,
  terminalText,
  treeRow,
  typeInTerminal,
  type Workbench,
} from "../support/workbench.ts";

/** The demo as a person goes through it by mouse, in one window. Each test is the next thing that they do. */
describe("the demo team in a real window", { timeout: 120_000 }, () => {
  let host: Host;
  let workbench: Workbench;
  let view: TeamView;
  const demo = demoPlace(() => host);

  useWindow(
    SMALL_WORKSPACE,
    (opened) => {
      ({ host, workbench } = opened);
      view = teamView(workbench);
    },
    { height: 1000 },
  );

  it("is started by a click in its view, without a key", async () => {
    await openContainer(workbench, "Agent Teams");
    await clickInView("Run the Demo Team");
    const frame = await view.frame();
    await frame.getByText("The models of this demo are scripted.").waitFor();
    await frame.getByTitle(demo.project).waitFor();
  });

  it("asks for a plan's approval; sent back with a comment, the plan comes back revised", async () => {
    const request = await view.request("Plan:");
    await screenshot(workbench, "demo-plan-dark");
    await view.press(request, "Send Back…");
    await view.fill(request, "Say which tests prove it.");
    await view.press(request, "Send Back");
    await eventually("the second plan", () => transcript("nora").split('"ExitPlanMode"').length > 2);
    const revised = await view.request("Plan:");
    await revised.locator(".plan-version", { hasText: "Version 2" }).waitFor();
    expect(await revised.innerText()).toContain("Say which tests prove it.");
  });

  it("counts what waits on the badge, in the status bar and in the members' lines", async () => {
    await eventually("two things that wait", async () => (await badge(workbench, "Agent Teams")) === "2");
    const status = workbench.page.locator(".statusbar-item#muster\\.muster\\.muster\\.status");
    expect(await status.getAttribute("aria-label")).toMatch(/^Agent Teams, corner-bakery: .*2 waiting for you$/);
    const rows = await (await view.frame()).locator(".mem-row").allInnerTexts();
    expect(rows.map((row) => row.split("\n").slice(0, 2).join(" "))).toEqual([
      expect.stringContaining("team-lead"),
      "nora Needs you",
      "theo Needs you",
    ]);
  });

  it("shows what another program writes: a message and a changed task", async () => {
    await view.showTab("Inboxes");
    const frame = await view.frame();
    const message = {
      from: "reviewer",
      text: "Mind the empty table.",
      timestamp: new Date().toISOString(),
      read: false,
    };
    const written = foreignWrite(`teams/corner-bakery/inboxes/theo.json`, `content.push(${JSON.stringify(message)})`);
    await frame.locator(".thr", { hasText: "reviewer" }).getByText("Mind the empty table.").waitFor();
    console.log(`a foreign message is on show after ${Date.now() - written} ms`);
    await view.showTab("Tasks");
    const task = frame.locator(".task", { hasText: "Let the receipt say what the customer saved" });
    await task.getByText("after #1, #2").waitFor();
    const renamed = foreignWrite("tasks/corner-bakery/3.json", 'content.subject += " (reviewed)"');
    await task.getByText("(reviewed)").waitFor();
    console.log(`a foreign change of a task is on show after ${Date.now() - renamed} ms`);
    await view.showTab("Conversation");
  });

  it("goes on after the approval, into the mode that the person chose", async () => {
    const request = await view.request("Plan:");
    const mode = request.locator("vscode-single-select");
    expect(await mode.evaluate((select: HTMLInputElement) => select.value)).toBe("acceptEdits");
    await view.press(request, "Approve");
    await eventually("the change of the offers", () =>
      demo.sample("src/offers.js").includes(SAMPLE_EDITS.offers[0].to),
    );
  });

  it("tells the model why a command was denied, and the run goes on to ask once more", async () => {
    const request = await view.request("Run npm test");
    expect(await request.innerText()).toContain(demo.project);
    await view.press(request, "Deny…");
    await view.fill(request, "Look at the test first.");
    await view.press(request, "Deny");
    await eventually("the reason in the transcript", () => transcript("theo").includes("Look at the test first."));
    const again = await view.request("Run npm test");
    await screenshot(workbench, "demo-command-dark");
    await view.press(again, "Allow Once");
    await eventually(
      "the tests' output",
      () => transcript("theo").includes("every column") || transcript("theo").includes("# pass"),
    );
  });

  it("shows a member's conversation when it is clicked", async () => {
    await view.chooseMember("theo");
    const frame = await view.frame();
    const conversation = frame.locator("#tab-panel");
    await conversation.getByText("I take my task and read the table and its tests.").waitFor();
    await conversation.getByText("src/table.js").first().waitFor();
    await view.chooseMember("nora");
    await conversation.getByText("I take my task and read the offers and their tests.").waitFor();
  });

  it("opens a teammate's terminal when asked, with the transcript in it, and takes what is typed", async () => {
    expect(await terminalNames(workbench)).toEqual([]);
    await view.memberMenu("theo", "Open Terminal");
    await eventually("the terminal", async () => /Task #2 is done|and it fits/.test(await terminalText(workbench)));
    expect(await terminalNames(workbench)).toEqual(["theo"]);
    await screenshot(workbench, "demo-terminal-dark");
    await view.memberMenu("theo", "Open Terminal");
    expect(await terminalNames(workbench)).toEqual(["theo"]);
    await typeInTerminal(workbench, "Mind the tabs.\n");
    await eventually("the person's words", () => transcript("theo").includes("Mind the tabs."));
  });

  it("lists the members in the native tree too", async () => {
    const header = workbench.page.locator(".pane-header", { hasText: "Members" });
    if ((await header.getAttribute("aria-expanded")) !== "true") await workbench.watch.asPerson(() => header.click());
    await treeRow(workbench.page, "nora").waitFor();
    await screenshot(workbench, "demo-members-dark");
    await workbench.watch.asPerson(() => treeRow(workbench.page, "team-lead").click());
    const frame = await view.frame();
    await frame.locator("#tab-panel").getByText("Two modules are broken").first().waitFor();
  });

  it("finishes: the third task was claimed by itself, the files are right, the suite passes", async () => {
    await untilDemoEnds(view);
    const text = await view.text();
    expect(text).toContain("corner-bakery is finished");
    expect(text).toContain("Nothing is left open.");
    expect(text).toMatch(/Tasks\s+3 of 3/);
    for (const edit of Object.values(SAMPLE_EDITS).flat()) expect(demo.sample(edit.path)).toContain(edit.to.trim());
    expect((await runSuite(demo.project)).exit).toBe(0);
    expect(existsSync(path.join(demo.stateRoot, "teams/corner-bakery"))).toBe(false);
    await screenshot(workbench, "demo-finished-dark");
    await setTheme(workbench, "Light Modern");
    await workbench.page.waitForTimeout(500); // the picture is taken when every part has the new colours
    await screenshot(workbench, "demo-finished-light");
  });

  it("took under a minute of the machine's time", () => {
    const [from, to] = span();
    const machine = to - from - waitedForPerson();
    console.log(`the demo took ${Math.round(machine / 1000)} s of the machine's time`);
    expect(machine).toBeLessThan(60_000);
  });

  it("stays on the finished team, to be read, after a reload of the window", async () => {
    await reload(workbench);
    const frame = await view.frame();
    await frame.getByText("corner-bakery is finished").waitFor();
    await view.showTab("Tasks");
    await workbench.watch.asPerson(() => frame.locator(".task-group-head", { hasText: "Done" }).click());
    await frame.locator(".task", { hasText: "(reviewed)" }).waitFor();
    const members = workbench.page.locator(".pane", {
      has: workbench.page.locator(".pane-header", { hasText: "Members" }),
    });
    await eventually("the members' view", async () =>
      (await members.innerText()).includes("Nobody is in this team any more."),
    );
    expect(await members.innerText()).not.toContain("key");
    expect(await paletteOffers(workbench, "Agent Teams: Shut Down Team")).not.toContain("Agent Teams: Shut Down Team");
  });

  it("has raised no toast and taken no focus that nobody asked for", async () => {
    expect(workbench.watch.toasts()).toEqual([]);
    expect(workbench.watch.unaskedFocus()).toEqual([]);
    expect(await activeEditor(workbench)).toBe("");
    expect(existsSync(host.stateRoot)).toBe(false);
  });

  it("shows what the members changed as one diff of many files", async () => {
    const { page, watch } = workbench;
    await clickInView("Show Changes");
    await watch.asPerson(() => quickPickRow(page, "All members").click());
    const files = new Set(Object.values(SAMPLE_EDITS).flatMap((edits) => edits.map((edit) => edit.path)));
    const title = `Changes of corner-bakery (${files.size} files)`;
    await eventually("the changes", async () => (await activeEditor(workbench)) === title);
    const first = page.locator(".editor-group-container.active").getByText("CHANGELOG.md", { exact: true }).first(); // those below are drawn when they are scrolled to
    await first.waitFor();
    await screenshot(workbench, "demo-changes-light");
  });

  it("takes back what one of them changed, byte for byte", async () => {
    const { page, watch } = workbench;
    await clickInView("Undo a Member's Changes…");
    await watch.asPerson(() => quickPickRow(page, "theo").click());
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByText(/^Undo what theo changed in/).waitFor();
    const named = (await dialog.innerText()).split("\n").filter((line) => Object.hasOwn(SAMPLE_PROJECT, line));
    await screenshot(workbench, "demo-undo-light");
    await watch.asPerson(() => dialog.getByRole("button", { name: "Undo", exact: true }).click());
    expect(named.length).toBeGreaterThan(0);
    for (const file of named)
      await eventually(
        `the undo of ${file}`,
        () => demo.sample(file) === (SAMPLE_PROJECT as Record<string, string>)[file],
      );
    expect(
      named.some((file) =>
        Object.values(SAMPLE_EDITS)
          .flat()
          .some((edit) => edit.path === file),
      ),
    ).toBe(true);
  });

  it("has ticked off its steps of the walkthrough, and not those that need a key", async () => {
    const steps = await openWalkthrough(workbench);
    const ticks = () =>
      steps.locator("[role=checkbox]").evaluateAll((boxes) => boxes.map((box) => box.getAttribute("aria-checked")));
    await eventually("the ticks", async () => `${await ticks()}` === "true,false,false,true,true");
    await screenshot(workbench, "walkthrough-ticked-light");
  });

  async function clickInView(button: string): Promise<void> {
    const found = (await view.frame()).getByRole("button", { name: button });
    await workbench.watch.asPerson(() => found.click());
  }

  function transcript(member: string): string {
    return demo.ownFile(`muster/transcripts/${member}.jsonl`);
  }

  /** Changes one file of the state root as another program does; gives the time of the write (ms). */
  function foreignWrite(file: string, code: string): number {
    const script = path.join(projectRoot, "test/support/scripts/foreignWriter.mjs");
    const writer = spawnSync(process.execPath, [script, path.join(demo.stateRoot, file), code], { encoding: "utf8" });
    expect(writer.stderr).toBe("");
    return Number(writer.stdout);
  }

  /** First and last time in the lead's transcript, in ms. */
  function span(): [number, number] {
    const times = transcript("team-lead")
      .trim()
      .split("\n")
      .map((line) => Date.parse(JSON.parse(line).at));
    return [Math.min(...times), Math.max(...times)];
  }

  /** Milliseconds in which at least one request waited. */
  function waitedForPerson(): number {
    let waiting = 0;
    let since = 0;
    let sum = 0;
    for (const { at, event } of demo.audit()) {
      if (event === "asked" && waiting++ === 0) since = Date.parse(at);
      if (event === "decided" && --waiting === 0) sum += Date.parse(at) - since;
    }
    return sum;
  }
});
