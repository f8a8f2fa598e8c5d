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
import { reachOf } from "../process/longRows.ts";
import { eventually } from "../support/eventually.ts";
import { expectHealthy } from "../support/healthy.ts";
import type { Host } from "../support/host.ts";
import { calls, script, spawn, task, team, update } from "../support/teamScripts.ts";
import { type TeamView, teamView } from "../support/teamView.ts";
import { filesLeft, isRunning, processesOf, type Trace } from "../support/traces.ts";
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
/** What is to be gone by then is looked for so long; the longest that it took is told. */
const PATIENCE_MS = 15_000;
/** The program that runs in the person's own terminal. */
const PERSONS_OWN = "sleep 1000";

/** Where a teammate's process is; `muster.teammateMode`. */
const PLACES = ["terminal", "tmux"] as const;
type Place = (typeof PLACES)[number];

/** One team of the window: its folder, and its processes while its member works. */
interface Round {
  name: string;
  before: Trace[];
}

/** A way out of a team: what it does to the window, whether its members rest by then, and how they are ended. */
interface Way {
  way: string;
  /** Where alice is, whose end is not hers alone: carol is in the window. Default: in a terminal, alone. */
  place?: Place;
  closesWindow?: true;
  rests(round: number): boolean;
  end(round: Round): Promise<void>;
}

/**
 * The ways out of a team whose teammate is the process of a terminal, in one window, each with a team of its own; the end
 * of the window and of its host also where it is in tmux, each beside a member of the window itself. In the first of each
 * two rounds the person has opened the member's terminal, in the other one nobody has seen it.
 */
describe.skipIf(process.platform !== "linux")("after a teammate that a window runs as a process", () => {
  let server: MessagesServer;
  let host: Host;
  let workbench: Workbench;
  let view: TeamView;
  let bystander: ChildProcess;
  let teams = 0;
  let mode: Place = "terminal";
  let rests = false;
  let longest = 0;

  beforeAll(() => {
    bystander = spawnProcess("sleep", ["1001"], { detached: true, stdio: "ignore" });
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

  /** Its first call leaves a program that left its group, and an output that is kept in a file. */
  function scripts() {
    const leaving = call("Bash", { command: "setsid sleep 986 > /dev/null 2>&1 & sleep 0.2; yes | head -c 40000" });
    const long = calls(call("Bash", { command: "sleep 987" }));
    const works = () => (rests ? "Ready." : long);
    const createTeam = () => calls(call("TeamCreate", { team_name: nameOf(teams), description: "It ends." }));
    return team({
      "team-lead": script(createTeam, calls(task("First"), spawn("alice")), "Waiting."),
      alice: script(calls(update("1", { owner: "alice", status: "in_progress" }), leaving), works),
      carol: script(calls(leaving), works),
    });
  }

  const ways: Way[] = [
    {
      way: "an agreed shutdown",
      rests: () => true,
      async end({ name, before }) {
        await view.memberMenu("alice", "Ask to Stop");
        await timed(() => memberHasLeft(before));
        await endTeam(name);
      },
    },
    {
      way: "a forced end",
      rests: () => false,
      async end({ name, before }) {
        await runCommand(workbench, "Agent Teams: Shut Down a Teammate…");
        await workbench.watch.asPerson(() => quickPickRow(workbench.page, "alice").click());
        await answer("End It Now");
        await timed(() => memberHasLeft(before));
        await endTeam(name);
      },
    },
    { way: "the end of the team", rests: (round) => round % 2 === 1, end: ({ name }) => endTeam(name) },
    {
      way: "a kill -9 of the teammate in the middle of a call",
      rests: () => false,
      async end({ name, before }) {
        const told = untilTold("alice has failed", "team-lead");
        const [member] = before.filter(isTeammate);
        process.kill(member?.pid ?? 0, "SIGKILL");
        await timed(() => memberHasLeft(before));
        await told();
        expect(JSON.parse(stored(`tasks/${name}/1.json`))).toMatchObject({ status: "pending" });
        const records = stored(`teams/${name}/muster/transcripts/alice.jsonl`).trimEnd().split("\n");
        expect(JSON.parse(records.at(-1) ?? "")).toMatchObject({ kind: "tool_start", name: "Bash" });
        await endTeam(name);
      },
    },
    ...PLACES.flatMap((place): Way[] => [
      {
        way: "a kill -9 of the extension host",
        place,
        rests: () => false,
        async end({ name, before }) {
          const told = untilAllTold(MAY_HAVE_RUN);
          const files = traces();
          rests = true; // what it does once it is taken up again: a busy one is ended by the way before
          process.kill(leaderOf(name), "SIGKILL");
          await timed(() => isGone(before, files));
          await told();
          await endTeam(name);
        },
      },
      {
        way: "a window that is closed",
        place,
        closesWindow: true,
        rests: () => false,
        async end({ name }) {
          const told = untilAllTold(MAY_HAVE_RUN);
          rests = true;
          await workbench.watch.asPerson(() => workbench.page.goto("about:blank"));
          await timed(() => isNothingLeft([]));
          await reopen(workbench);
          await runCommand(workbench, "Agent Teams: Focus on Team View");
          await told();
          await endTeam(name);
        },
      },
    ]),
  ];

  it.for(ways.map((way) => ({ ...way, where: way.place ?? "terminal" })))(
    "nothing is left by $way, $where (row 54)",
    { timeout: reach.timeout(180_000) },
    async (way) => {
      longest = 0;
      const until = reach.until();
      await useMode(way.where);
      for (let round = 0; round < reach.pick(2, 20) && Date.now() < until; round += 1) {
        rests = way.rests(round);
        if (reach.isLong && round > 0) await reload(workbench); // a window starts a host that was killed three times only
        const team = await openTeam({ opensTerminal: round % 2 === 0, hasCarol: way.place !== undefined });
        const besides = personsProgram();
        await way.end(team);
        await timed(() => isNothingLeft(team.before));
        if (!way.closesWindow) expect(personsProgram()).toEqual(besides);
        expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
        await expectHealthy(host.stateRoot);
        reach.reached(1);
      }
      expect(server.failures).toEqual([]);
      expect(workbench.watch.toasts()).toEqual([]);
      console.log(`the longest until nothing was left: ${Math.round(longest)} ms`);
    },
  );

  /** Starts a team beside the person's own terminal, and waits until the commands of its members run. */
  async function openTeam({ opensTerminal, hasCarol }: { opensTerminal: boolean; hasCarol: boolean }): Promise<Round> {
    await openPersonsTerminal();
    teams += 1;
    const name = nameOf(teams);
    await runCommand(workbench, "Agent Teams: New Team…");
    await answerInput(workbench, "New Team", `Begin ${name}.`);
    await membersWork(1);
    expect(panes()).toHaveLength(mode === "tmux" ? 1 : 0);
    if (hasCarol) {
      await spawnInWindow("carol");
      await membersWork(2);
    }
    if (opensTerminal) {
      await view.memberMenu("alice", "Open Terminal");
      await eventually("its terminal", async () => (await terminalNames(workbench)).some(isAlices));
    }
    return { name, before: ownProcesses() };
  }

  /** Waits until the commands of so many members run, and what they leave is there. */
  async function membersWork(count: number): Promise<void> {
    const command = rests ? "sleep 986" : "sleep 987";
    await eventually(`${command} of each member, and what it leaves`, () => {
      const own = ownProcesses();
      const guards = own.filter((trace) => trace.command.includes(GUARD_NAME)); // the host's, alice's
      const works = own.some(isTeammate) && own.filter((trace) => trace.command === command).length === count;
      const outputs = traces().filter((file) => file.startsWith("muster-output-"));
      return works && guards.length === 2 && outputs.length === count;
    });
  }

  async function spawnInWindow(name: string): Promise<void> {
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

  async function endTeam(name: string): Promise<void> {
    await runCommand(workbench, "Agent Teams: Shut Down Team");
    await answer("Shut Down Team");
    await eventually(`the end of ${name}`, async () => (await (await view.frame()).locator(".fin").count()) > 0);
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

  function untilAllTold(text: string): () => Promise<unknown> {
    const told = ["alice", "carol"].map((member) => untilTold(text, member));
    return () => Promise.all(told.map((wait) => wait()));
  }

  /** Waits until `left` gives nothing; the longest time of a way is told. */
  async function timed(left: () => Promise<unknown[]> | unknown[]): Promise<void> {
    const begun = performance.now();
    let found: unknown[] = [];
    await eventually(
      "nothing to be left",
      async () => {
        found = await left();
        return found.length === 0;
      },
      PATIENCE_MS,
    ).catch((error) => Promise.reject(new Error(`left: ${JSON.stringify(found)}`, { cause: error })));
    longest = Math.max(longest, performance.now() - begun);
  }

  /** What is there of an incarnation that has ended: its processes, and the files that it had. */
  function isGone(before: readonly Trace[], files: readonly string[]): unknown[] {
    const now = traces();
    return [...before.filter(isRunning), ...files.filter((file) => now.includes(file))];
  }

  /** What is left of a member whose team goes on: its processes, and its terminal. */
  async function memberHasLeft(before: readonly Trace[]): Promise<unknown[]> {
    const members = before.filter((trace) => isTeammate(trace) || /^sleep 98[67]$/.test(trace.command));
    return [...members.filter(isRunning), ...(await terminalNames(workbench)).filter(isAlices)];
  }

  /** All that is there of Muster, beside the person's own program. */
  async function isNothingLeft(before: readonly Trace[]): Promise<unknown[]> {
    const terminals = (await terminalNames(workbench)).filter(isAlices);
    return [...before.filter(isRunning), ...ownProcesses(), ...terminals, ...panes(), ...traces()];
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

function isTeammate({ command }: Trace): boolean {
  return command.includes("muster.mjs teammate ");
}

function isAlices(terminal: string): boolean {
  return terminal.includes("alice");
}
