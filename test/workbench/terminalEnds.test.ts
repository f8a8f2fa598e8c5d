import { type ChildProcess, spawn as spawnProcess, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installHost } from "../../scripts/host/installHost.ts";
import { MAY_HAVE_RUN } from "../../src/agent/messages.ts";
import { GUARD_NAME } from "../../src/agent/tools/commandGuard.ts";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call } from "../../src/demo/script.ts";
import { eventually } from "../support/eventually.ts";
import { goneInTime } from "../support/goneInTime.ts";
import { expectHealthy } from "../support/healthy.ts";
import type { Host } from "../support/host.ts";
import { reachOf } from "../support/longRows.ts";
import { calls, script, spawn, task, team, update } from "../support/teamScripts.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { filesLeft, isRunning, kill, processesOf, type Trace } from "../support/traces.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import {
  answerInput,
  quickPickRow,
  reload,
  reopen,
  runCommand,
  terminalNames,
  typeInTerminal,
  type Workbench,
} from "../support/workbench.ts";

const reach = reachOf("terminal-ends");
/** The program that runs in the person's own terminal. */
const PERSONS_OWN = "sleep 9000";

/** Where teammates' processes are; `muster.teammateMode`. */
const PLACES = ["terminal", "tmux"] as const;
type Place = (typeof PLACES)[number];

/**
 * The members of each team: three go while it runs, one goes through the ends of its host and window as a process, and
 * one in the window itself. The command of each has a number of its own at its end.
 */
const MEMBERS = ["alice", "bob", "dan", "erin", "carol"] as const;
type Member = (typeof MEMBERS)[number];
const PROCESSES: readonly Member[] = ["alice", "bob", "dan", "erin"];
const IN_WINDOW: Member = "carol";
const STAYING: readonly Member[] = ["erin", IN_WINDOW];

/**
 * The ways out of a team whose teammates are processes, one after the other: of a member alone, of all with their host and
 * with their window, and with the team's end. In the first of each two rounds the person has opened the members' terminals,
 * in the other one nobody has seen them.
 */
describe.skipIf(process.platform !== "linux")("after a teammate that a window runs as a process", () => {
  let server: MessagesServer;
  let host: Host;
  let workbench: Workbench;
  let view: TeamView;
  let bystander: ChildProcess;
  let teams = 0;
  let mode: Place = "terminal";
  /** Whether who has gone through the end of the window rests then. */
  let restsAtEnd = false;
  let longest = 0;

  beforeAll(() => {
    bystander = spawnProcess("sleep", ["9001"], { detached: true, stdio: "ignore" });
  });
  afterAll(async () => {
    bystander?.kill("SIGKILL");
    await server?.close();
  });
  useWindow(
    async () => {
      server = await startMessagesServer(scripts(), { keep: 10_000 });
      return { ...SMALL_WORKSPACE, settings: settingsFor("terminal"), env: { ANTHROPIC_BASE_URL: server.url } };
    },
    (opened) => {
      ({ host, workbench } = opened);
      view = teamView(workbench);
    },
    { height: 1000 },
  );

  /** Each begins with a call that leaves a program that left its group, and an output that is kept in a file. */
  function scripts() {
    const createTeam = () => calls(call("TeamCreate", { team_name: nameOf(teams), description: "It ends." }));
    const leaves = (name: Member) =>
      call("Bash", { command: `setsid ${restOf(name)} > /dev/null 2>&1 & sleep 0.2; yes | head -c 40000` });
    const works = (name: Member) => calls(call("Bash", { command: workOf(name) }));
    // Once for the host that is killed, once for the window that is closed, once for the end.
    const stays = (name: Member) =>
      script(...[1, 2].flatMap(() => [calls(leaves(name)), works(name)]), calls(leaves(name)), () =>
        restsAtEnd ? "Ready." : works(name),
      );
    const starts = calls(update("1", { owner: "alice", status: "in_progress" }), leaves("alice"));
    return team({
      "team-lead": script(createTeam, calls(task("First"), ...PROCESSES.map((name) => spawn(name))), "Waiting."),
      alice: script(starts, works("alice")),
      bob: script(calls(leaves("bob")), "Ready."),
      dan: script(calls(leaves("dan")), works("dan")),
      ...Object.fromEntries(STAYING.map((name) => [name, stays(name)])),
    });
  }

  it.for(PLACES)(
    "nothing is left after each way out, %s (row 54)",
    { timeout: reach.timeout(420_000) }, // twelve ends
    async (place) => {
      const until = reach.until();
      await useMode(place);
      for (let round = 0; round < reach.pick(2, 20) && Date.now() < until; round += 1) {
        longest = 0;
        restsAtEnd = round % 2 === 1;
        if (reach.isLong && round > 0) await reload(workbench); // a window starts a host that was killed three times only
        const name = await openTeam();
        if (round % 2 === 0) await openTerminals();
        const besides = personsProgram();
        await agreedShutdown("bob");
        await forcedEnd("dan");
        await killInACall("alice", name);
        await killOfTheHost(name);
        expect(personsProgram()).toEqual(besides);
        await closedWindow();
        await endOfTeam(name);
        expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
        await expectHealthy(host.stateRoot);
        console.log(`round ${round}: the longest until nothing was left: ${Math.round(longest)} ms`);
      }
      expect(server.failures).toEqual([]);
      expect(workbench.watch.toasts()).toEqual([]);
    },
  );

  async function agreedShutdown(name: Member): Promise<void> {
    await leavesAlone(name, () => view.memberMenu(name, "Ask to Stop"));
  }

  async function forcedEnd(name: Member): Promise<void> {
    await leavesAlone(name, async () => {
      await runCommand(workbench, "Agent Teams: Shut Down a Teammate…");
      await workbench.watch.asPerson(() => quickPickRow(workbench.page, name).click());
      await answer("End It Now");
    });
  }

  async function killInACall(name: Member, team: string): Promise<void> {
    const told = untilTold(`${name} has failed`, "team-lead");
    const member = ownProcesses().find((trace) => isProcessOf(name, trace));
    await leavesAlone(name, async () => kill(member?.pid));
    await told();
    expect(JSON.parse(stored(`tasks/${team}/1.json`))).toMatchObject({ status: "pending" });
    const records = stored(`teams/${team}/muster/transcripts/${name}.jsonl`).trimEnd().split("\n");
    expect(JSON.parse(records.at(-1) ?? "")).toMatchObject({ kind: "tool_start", name: "Bash" });
  }

  async function killOfTheHost(team: string): Promise<void> {
    const told = untilStayingAreTold(MAY_HAVE_RUN);
    const [processes, files] = [ownProcesses(), traces()];
    kill(leaderOf(team));
    await timed(() => isGone(processes, files));
    await told();
    await membersWork(STAYING, workOf);
    reach.reached(1);
  }

  async function closedWindow(): Promise<void> {
    const told = untilStayingAreTold(MAY_HAVE_RUN);
    const before = ownProcesses();
    await workbench.watch.asPerson(() => workbench.page.goto("about:blank"));
    await timed(() => isNothingLeft(before));
    await reopen(workbench);
    await runCommand(workbench, "Agent Teams: Focus on Team View");
    await told();
    await membersWork(STAYING, restsAtEnd ? restOf : workOf);
    reach.reached(1);
  }

  async function endOfTeam(name: string): Promise<void> {
    await openPersonsTerminal();
    const [before, besides] = [ownProcesses(), personsProgram()];
    await runCommand(workbench, "Agent Teams: Shut Down Team");
    await answer("Shut Down Team");
    await eventually(`the end of ${name}`, async () => (await (await view.frame()).locator(".fin").count()) > 0);
    await timed(() => isNothingLeft(before));
    expect(personsProgram()).toEqual(besides);
    reach.reached(1);
  }

  /** Ends a member, and waits until nothing of it is there; what the others do goes on. */
  async function leavesAlone(name: Member, end: () => Promise<void>): Promise<void> {
    const before = ownProcesses();
    const member = before.find((trace) => isProcessOf(name, trace));
    const its = before.filter((trace) => isOf(name, trace) || trace.parent === member?.pid); // its guard is its child
    const others = before.filter((trace) => MEMBERS.some((other) => other !== name && isOf(other, trace)));
    await end();
    await timed(() => memberHasLeft(name, its));
    expect(others.filter((trace) => !isRunning(trace))).toEqual([]);
    reach.reached(1);
  }

  /** Starts a team beside the person's own terminal, and waits until the commands of its members run; gives its name. */
  async function openTeam(): Promise<string> {
    await openPersonsTerminal();
    teams += 1;
    await runCommand(workbench, "Agent Teams: New Team…");
    await answerInput(workbench, "New Team", `Begin ${nameOf(teams)}.`);
    const commandOf = (name: Member) => (name === "bob" ? restOf(name) : workOf(name));
    await membersWork(PROCESSES, commandOf);
    expect(panes()).toHaveLength(mode === "tmux" ? PROCESSES.length : 0);
    await spawnInWindow(IN_WINDOW);
    await membersWork(MEMBERS, commandOf);
    return nameOf(teams);
  }

  async function openTerminals(): Promise<void> {
    for (const name of PROCESSES) {
      await view.memberMenu(name, "Open Terminal");
      await eventually(`${name}'s terminal`, async () => (await terminalsOf(name)).length > 0);
    }
  }

  /** Waits until these members run their commands, and there is what they leave, of no others. */
  async function membersWork(names: readonly Member[], commandOf: (name: Member) => string): Promise<void> {
    await eventually(`the commands of ${names.join(", ")}, and what they leave`, () => {
      const own = ownProcesses();
      const runs = (name: Member) =>
        own.some((trace) => trace.command === restOf(name)) && own.some((trace) => trace.command === commandOf(name));
      const guards = own.filter((trace) => trace.command.includes(GUARD_NAME));
      const outputs = traces().filter((file) => file.startsWith("muster-output-"));
      const guarded = 1 + names.filter((name) => PROCESSES.includes(name)).length; // the host, and each process
      return names.every(runs) && guards.length === guarded && outputs.length === names.length;
    });
  }

  async function spawnInWindow(name: Member): Promise<void> {
    await runCommand(workbench, "Agent Teams: Spawn a Teammate…");
    await answerInput(workbench, "Spawn a Teammate", name);
    await answerInput(workbench, `What ${name} is told`, "Begin.");
    for (const choice of ["Allow everything", "In this window"])
      await workbench.watch.asPerson(() => quickPickRow(workbench.page, choice).click());
  }

  /** From now on teammates are processes there. */
  async function useMode(next: Place): Promise<void> {
    if (next === mode) return;
    mode = next;
    const file = path.join(host.profile.userData, "User/settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...settings, ...settingsFor(mode) }));
    await reload(workbench);
  }

  /** VS Code ends the person's own terminals with their window: after that they open another one. */
  async function openPersonsTerminal(): Promise<void> {
    if (personsProgram()) return;
    const before = (await terminalNames(workbench)).length;
    await runCommand(workbench, "Terminal: Create New Terminal");
    await eventually("a terminal", async () => (await terminalNames(workbench)).length > before);
    await eventually("its program", async () => {
      await typeInTerminal(workbench, `${PERSONS_OWN}\r`);
      return eventually("the program", personsProgram, 3_000);
    });
  }

  async function answer(button: string): Promise<void> {
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await workbench.watch.asPerson(() => dialog.getByRole("button", { name: button }).click());
  }

  /** Waits for a request of this member's model from now on that tells it this. */
  function untilTold(text: string, member: string): () => Promise<unknown> {
    const before = server.requests.length;
    const told = () =>
      server.requests
        .slice(before)
        .some((record) => record.member === member && JSON.stringify(record.request).includes(text));
    return () => eventually(`${member} to be told: ${text}`, told, 60_000);
  }

  function untilStayingAreTold(text: string): () => Promise<unknown> {
    const told = STAYING.map((member) => untilTold(text, member));
    return () => Promise.all(told.map((wait) => wait()));
  }

  /** Waits until `left` gives nothing, within the bound of a way out that was now; the longest time of a way is told. */
  async function timed(left: () => Promise<unknown[]> | unknown[]): Promise<void> {
    longest = Math.max(longest, await goneInTime(performance.now(), left));
  }

  /** What is there of an incarnation that has ended: its processes, and the files that it had. */
  function isGone(before: readonly Trace[], files: readonly string[]): unknown[] {
    const now = traces();
    return [...before.filter(isRunning), ...files.filter((file) => now.includes(file))];
  }

  /** What is left of a member whose team goes on: its processes, its pane, and its terminal. */
  async function memberHasLeft(name: Member, before: readonly Trace[]): Promise<unknown[]> {
    const own = ownProcesses();
    const itsOwn = own.filter((trace) => isOf(name, trace));
    const pane = panes().slice(own.filter(isTeammate).length); // each other member has one
    return [...before.filter(isRunning), ...itsOwn, ...pane, ...(await terminalsOf(name))];
  }

  /** All that is there of Muster, and what is left of before, beside the person's own program. */
  async function isNothingLeft(before: readonly Trace[]): Promise<unknown[]> {
    const terminals = await Promise.all(MEMBERS.map(terminalsOf));
    return [...before.filter(isRunning), ...ownProcesses(), ...terminals.flat(), ...panes(), ...traces()];
  }

  async function terminalsOf(name: Member): Promise<string[]> {
    return (await terminalNames(workbench)).filter((terminal) => terminal.includes(name));
  }

  /** Processes of this window that are neither VS Code's own programs nor the person's. */
  function ownProcesses(): Trace[] {
    const { node, entry } = installHost();
    const scripts = path.resolve(entry, "../../../lib/vscode");
    const isCode = ({ command }: Trace) => command.startsWith(node) || command.includes(scripts);
    return processesOf(host.root).filter(
      (trace) => isTeammate(trace) || !(isCode(trace) || trace.command === PERSONS_OWN),
    );
  }

  function personsProgram(): Trace | undefined {
    return processesOf(host.root).find(({ command }) => command === PERSONS_OWN);
  }

  /** Locks and temporary files of ours. */
  function traces(): string[] {
    return filesLeft(host.stateRoot, [path.join(host.root, "tmp")]);
  }

  /** The panes of the tmux server that Muster started. */
  function panes(): string[] {
    const socket = path.join(host.root, "tmp", `tmux-${userInfo().uid}`, "muster");
    const { stdout } = spawnSync("tmux", ["-S", socket, "list-panes", "-a", "-F", "#{pane_id}"], { encoding: "utf8" });
    return stdout.split("\n").filter(Boolean);
  }

  /** The process that leads a team. */
  function leaderOf(name: string): number {
    return JSON.parse(stored(`teams/${name}/muster/lead.json`)).pid;
  }

  /** Text of a file below the state root. */
  function stored(file: string): string {
    return readFileSync(path.join(host.stateRoot, file), "utf8");
  }
});

function settingsFor(mode: Place) {
  return {
    "muster.teammateMode": mode,
    "muster.permissionMode": "bypassPermissions",
    "muster.autoClaim": false,
  };
}

function nameOf(count: number): string {
  return `ends-${count}`;
}

/** What it has left, and runs beside all else. */
function restOf(name: Member): string {
  return `sleep 986${MEMBERS.indexOf(name)}`;
}

/** What it runs for long. */
function workOf(name: Member): string {
  return `sleep 987${MEMBERS.indexOf(name)}`;
}

function isTeammate({ command }: Trace): boolean {
  return command.includes("muster.mjs teammate ");
}

function isProcessOf(name: Member, trace: Trace): boolean {
  return isTeammate(trace) && trace.command.includes(`--agent-name ${name} `);
}

/** Whether it is the process of this member, or runs a command of its. */
function isOf(name: Member, trace: Trace): boolean {
  return isProcessOf(name, trace) || trace.command === restOf(name) || trace.command === workOf(name);
}
