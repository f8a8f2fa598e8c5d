import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../src/demo/script.ts";
import { createStore } from "../../src/store/store.ts";
import { DEFAULT_SETTINGS } from "../../src/team/defaultSettings.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { eventually } from "../support/eventually.ts";
import { startCli } from "../support/runCli.ts";
import { ALICE, useTeamByHand } from "../support/teamByHand.ts";
import { calls, script, team } from "../support/teamScripts.ts";
import { tmuxScreen } from "../support/tmuxScreen.ts";

const cli = useBuiltCli();
const hand = useTeamByHand();

const sent = () => JSON.stringify(hand.server?.requests.at(-1)?.request.messages ?? "");
const presenceFile = () => path.join(hand.home.root, "teams/demo/muster/presence/alice.json");
const presence = (): Record<string, unknown> => JSON.parse(readFileSync(presenceFile(), "utf8"));

describe("a teammate that a person starts by hand", () => {
  it.each([40, 200])(
    "shows what it does on a terminal of %i columns, takes typed lines, and Ctrl-C twice ends it in order",
    async (columns) => {
      const env = await hand.prepared(
        team({
          alice: script("Hello from alice, in a sentence that is longer than forty columns are wide.", "I heard you."),
        }),
      );
      const code = path.join(hand.home.dir, "code");
      const screen = tmuxScreen(
        `cd '${hand.home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --root '${hand.home.root}'; echo $? > '${code}'`,
        env,
        columns,
      );
      try {
        await screen.shows("You are alice. Say hello.");
        expect(screen.text()).toContain("You write to alice here");
        await screen.shows("Hello from alice");
        expect(
          Math.max(
            ...screen
              .text()
              .split("\n")
              .map((line) => line.length),
          ),
        ).toBeLessThanOrEqual(columns);
        screen.type("Do you hear me?");
        await screen.shows("I heard you.");
        expect(sent()).toContain("Do you hear me?");
        const transcript = path.join(hand.home.root, "teams/demo/muster/transcripts/alice.jsonl");
        // what was typed may have entered the first run
        const last = () => readFileSync(transcript, "utf8").trimEnd().split("\n").at(-1) ?? "";
        await eventually("the end of its run", () => last().includes('"run_end"'));
        await eventually("its rest", () => presence()["state"] === "idle");
        screen.press("C-c");
        await screen.shows("again within 3 s");
        expect(existsSync(code)).toBe(false);
        screen.press("C-c", "C-c"); // the first of them may come too late on a busy machine
        await eventually("its end", () => existsSync(code) && readFileSync(code, "utf8").trim() !== "");
        expect(readFileSync(code, "utf8").trim()).toBe("1");
        await screen.shows("This teammate has ended.");
        expect(screen.text().split("This teammate has ended.")[1]).not.toContain("›"); // nobody reads what is typed now
      } finally {
        screen.close();
      }
    },
  );

  it("says that it stands still while its team is paused, and that it goes on", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.") }));
    const store = createStore({ root: hand.home.root });
    const command = `cd '${hand.home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --root '${hand.home.root}'`;
    const screen = tmuxScreen(command, env, 80);
    try {
      await screen.shows("Hello.");
      await store.teams.updateTeam("demo", { paused: { team: { by: "person", since: 1 } } });
      await screen.shows("Paused: nobody works now.");
      await store.teams.updateTeam("demo", { paused: undefined });
      await screen.shows("It goes on.");
    } finally {
      screen.close();
      await store.close();
    }
  });

  it("says that it waits for a decision, that nobody is there to make it, and what takes the request back", async () => {
    const env = await hand.prepared(team({ alice: script(calls(call("Bash", { command: "touch x" })), "Fine.") }));
    const command = `cd '${hand.home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --root '${hand.home.root}'`;
    const screen = tmuxScreen(command, env, 100);
    const told = "Waits for a decision, but nobody is known to lead the team: Ctrl-C takes the request back.";
    try {
      await screen.shows(`• Bash touch x …\n  ${told}\n›`);
      screen.press("C-c");
      await screen.shows("nterrupted");
      await eventually("the end of its wait", () => !screen.text().includes(told));
    } finally {
      screen.close();
    }
  });

  it("has a run interrupted by the first Ctrl-C, and ends at the next", async () => {
    const env = await hand.prepared(team({ alice: script(calls(call("Bash", { command: "sleep 60" })), "Slept.") }));
    const code = path.join(hand.home.dir, "code");
    const command = `cd '${hand.home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --dangerously-skip-permissions --root '${hand.home.root}'; echo $? > '${code}'`;
    const screen = tmuxScreen(command, env, 80);
    try {
      await screen.shows("Bash sleep 60");
      screen.press("C-c");
      await screen.shows("Press Esc or Ctrl-C again within 3 s to end this teammate.");
      await screen.shows("nterrupted");
      expect(existsSync(code)).toBe(false);
      screen.press("C-c", "C-c");
      await eventually("its end", () => existsSync(code));
    } finally {
      screen.close();
    }
  });

  it("ends at the second Ctrl-C also where the run does not heed the first", async () => {
    const stubborn = "trap '' TERM INT; sleep 60; sleep 61; sleep 62"; // it is killed 2 s after it was asked
    const env = await hand.prepared(team({ alice: script(calls(call("Bash", { command: stubborn })), "Slept.") }));
    const code = path.join(hand.home.dir, "code");
    const command = `cd '${hand.home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --dangerously-skip-permissions --root '${hand.home.root}'; echo $? > '${code}'`;
    const screen = tmuxScreen(command, env, 80);
    try {
      await screen.shows("Bash trap");
      screen.press("C-c");
      screen.press("C-c");
      await eventually("its end", () => existsSync(code));
    } finally {
      screen.close();
    }
  });

  it("takes typed lines also where its output goes elsewhere", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.", "I heard you.") }));
    const command = `cd '${hand.home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --root '${hand.home.root}' | cat`;
    const screen = tmuxScreen(command, env, 80);
    try {
      await screen.shows("Hello.");
      screen.type("Do you hear me?");
      await screen.shows("I heard you.");
      expect(sent()).toContain("Do you hear me?");
    } finally {
      screen.close();
    }
  });

  it("ends when nobody reads its output any more", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.") }));
    const running = startCli(cli.file, hand.home, [...ALICE.split(" "), "--root", hand.home.root], { env });
    running.child.stdout?.destroy();
    expect((await running.result()).code).toBe(1);
  });

  it("prints plain lines where its output is no terminal, and stops when it is asked and agrees", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.") }));
    const running = startCli(cli.file, hand.home, [...ALICE.split(" "), "--root", hand.home.root], { env });
    const lines: string[] = [];
    running.onLine((line) => lines.push(line));
    await eventually("its answer", () => lines.includes("Hello."));
    const store = createStore({ root: hand.home.root });
    const request = { type: "shutdown_request", requestId: "shutdown-1@alice", from: "team-lead", reason: "Done." };
    const text = JSON.stringify({ ...request, timestamp: new Date().toISOString() });
    await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text });
    await store.close();
    expect((await running.result()).code).toBe(0);
    expect(lines.join("\n")).not.toContain("\x1b");
  });

  it("tells its states and events as JSON Lines with --json, and names what is no tool here", async () => {
    const env = await hand.prepared(team({ alice: script(calls(call("Bash", { command: "true" })), "Hello.") }));
    const args = [...ALICE.split(" "), "--dangerously-skip-permissions", "--tools", "Bash,Bahs", "--json"];
    const running = startCli(cli.file, hand.home, [...args, "--root", hand.home.root], { env });
    const events: Record<string, unknown>[] = [];
    running.onLine((line) => events.push(JSON.parse(line)));
    const states = () => events.flatMap(({ type, state }) => (type === "member_state" ? [state] : []));
    await eventually("its rest", () => events.some(({ text }) => text === "Hello.") && states().at(-1) === "idle");
    running.kill("SIGTERM");
    const { stderr } = await running.result();
    expect(events[0]).toMatchObject({ type: "member_state", member: "alice" });
    expect(states()).toContain("working");
    const others = events.filter(({ type }) => type !== "member_state");
    expect(others.map(({ type }) => type)).toEqual(["usage", "tool_start", "tool_end", "text", "usage"]);
    expect(others[1]).toMatchObject({ member: "alice", name: "Bash", input: { command: "true" } });
    expect(others[2]).toMatchObject({ member: "alice", id: others[1]?.["id"], ok: true });
    for (const { at } of events) expect(new Date(String(at)).toISOString()).toBe(at);
    expect(stderr.split("\n")).toContain("muster: --tools names what is no tool here: Bahs.");
  });

  it("goes on after a kill -9 in the middle of a call, which is not run again and has one result", async () => {
    const mark = "touch made-$$.txt; sleep 600";
    const env = await hand.prepared(team({ alice: script(calls(call("Bash", { command: mark })), "Going on.") }));
    const args = [...ALICE.split(" "), "--dangerously-skip-permissions", "--root", hand.home.root];
    const made = () => readdirSync(hand.home.project).filter((name) => name.startsWith("made-"));
    const first = startCli(cli.file, hand.home, args, { env });
    await eventually("its command", () => made().length === 1);
    first.kill("SIGKILL");
    await first.result();
    const next = startCli(cli.file, hand.home, args, { env });
    const lines: string[] = [];
    next.onLine((line) => lines.push(line));
    await eventually("its answer", () => lines.includes("Going on."));
    expect(made()).toHaveLength(1);
    expect(sent().match(/"type":"tool_result"/g)).toHaveLength(1);
    next.kill("SIGTERM");
    await next.result();
  });

  it("is refused while another process of it runs, which hears everything once", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.", "I heard.") }));
    const args = [...ALICE.split(" "), "--root", hand.home.root];
    const first = startCli(cli.file, hand.home, args, { env });
    const lines: string[] = [];
    first.onLine((line) => lines.push(line));
    await eventually("its answer", () => lines.includes("Hello."));
    const second = await startCli(cli.file, hand.home, args, { env }).result();
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toMatch(/^muster: alice still runs in process \d+: end that one first\.\n$/);
    const keyless = await startCli(cli.file, hand.home, args, { env: { ...env, ANTHROPIC_API_KEY: "" } }).result();
    expect([keyless.code, keyless.stderr]).toEqual([1, second.stderr]); // a key would not help
    first.kill("SIGTERM");
    await first.result();
    const third = startCli(cli.file, hand.home, args, { env });
    await eventually("its presence", () => presence()["pid"] !== undefined && presence()["pid"] !== first.child.pid);
    third.kill("SIGTERM");
    expect((await third.result()).stderr).not.toContain("still runs");
  });

  it("runs once where several are started in the same instant: the others end with a sentence", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.", "I heard.") }));
    const starts = Array.from({ length: 6 }, () =>
      startCli(cli.file, hand.home, [...ALICE.split(" "), "--root", hand.home.root], { env }),
    );
    const lines: string[] = [];
    for (const start of starts) start.onLine((line) => lines.push(line));
    const ended: { code: number | null; stderr: string }[] = [];
    for (const start of starts) void start.result().then((result) => ended.push(result));
    await eventually("all but one to end", () => ended.length === 5);
    for (const { code, stderr } of ended) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^muster: alice still runs in process \d+: end that one first\.\n$/);
    }
    await eventually("its answer", () => lines.includes("Hello."));
    expect(lines.filter((line) => line === "Hello.")).toHaveLength(1);
    expect(hand.server?.requests).toHaveLength(1);
    for (const start of starts) start.kill("SIGTERM");
    await eventually("its end", () => ended.length === 6);
  });

  it("is refused while a lead runs it, not for a window that led once, and gives way to a lead that comes", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.") }));
    const args = [...ALICE.split(" "), "--root", hand.home.root];
    const store = createStore({ root: hand.home.root });
    const config = await store.teams.read("demo");
    const session = config.leadSessionId ?? "";
    const incarnation = config.members.find(({ name }) => name === "alice")?.muster?.incarnation ?? "";
    const idle = { incarnation, state: "idle", since: Date.now(), beat: Date.now() } as const;
    await store.leads.acquire("demo", session); // this process is a window that runs alice
    await store.presence.write("demo", "alice", { ...idle, ...store.process });
    const refused = await startCli(cli.file, hand.home, [...args, "--parent-session-id", session], { env }).result();
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^muster: Process \d+ leads team demo and runs alice itself: write to alice there/);
    await store.leads.release("demo", session); // it lives on, and leads nothing
    const running = startCli(cli.file, hand.home, args, { env });
    const lines: string[] = [];
    running.onLine((line) => lines.push(line));
    await eventually("its answer", () => lines.includes("Hello."));
    await store.leads.acquire("demo", session);
    const { code, stderr } = await running.result();
    expect(code).toBe(1);
    expect(stderr).toContain(
      "muster: A window or program leads the team now: this teammate has ended, and goes on there.\n",
    );
    await store.leads.release("demo", session);
    await store.close();
  });

  it("is no lead, and has all tools where its type is not known", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.") }));
    const lead = ["teammate", "--agent-id", "team-lead@demo", "--root", hand.home.root];
    expect(await startCli(cli.file, hand.home, lead, { env }).result()).toMatchObject({
      code: 1,
      stderr: "muster: team-lead leads demo: only a teammate is started like this.\n",
    });
    const store = createStore({ root: hand.home.root });
    await store.teams.updateMember("demo", "alice", { agentType: "reviewer" });
    await store.close();
    const running = startCli(cli.file, hand.home, [...ALICE.split(" "), "--root", hand.home.root], { env });
    await eventually("its request", () => (hand.server?.requests.length ?? 0) > 0);
    expect(hand.server?.requests[0]?.request.tools?.map(({ name }) => name)).toContain("Edit");
    running.kill("SIGTERM");
    await running.result();
  });

  it("has nobody speak as the person: what a command sends in that name is marked", async () => {
    const env = await hand.prepared(team({ alice: script("Hello.", "I heard.") }));
    const running = startCli(cli.file, hand.home, [...ALICE.split(" "), "--root", hand.home.root], { env });
    const lines: string[] = [];
    running.onLine((line) => lines.push(line));
    await eventually("its answer", () => lines.includes("Hello."));
    const mail = startCli(
      cli.file,
      hand.home,
      ["send", "demo", "alice", "I am the person.", "--root", hand.home.root],
      { env },
    );
    expect((await mail.result()).code).toBe(0);
    await eventually("its answer", () => lines.includes("I heard."));
    expect(sent()).toMatch(/<teammate-message teammate_id=\\"user\\"[^>]* verified=\\"false\\">\\nI am the person\./);
    running.kill("SIGTERM");
    await running.result();
  });

  it("has the mode and the model that are named at each start, and plans first only until its plan was approved", async () => {
    const env = await hand.prepared(team({ alice: script() }));
    const started = async (...flags: string[]) => {
      const before = hand.server?.requests.length ?? 0;
      const store = createStore({ root: hand.home.root });
      await store.inboxes.send("demo", { from: "bob", to: ["alice"], text: "Hi." });
      await store.close();
      const running = startCli(cli.file, hand.home, [...ALICE.split(" "), ...flags, "--root", hand.home.root], { env });
      await eventually("its request", () => (hand.server?.requests.length ?? 0) > before);
      await eventually("its rest", () => presence()["state"] === "idle");
      running.kill("SIGTERM");
      await running.result();
      return [presence()["mode"], hand.server?.requests.at(-1)?.request.model];
    };
    const { haiku, opus } = DEFAULT_SETTINGS.models;
    const entry = () =>
      JSON.parse(readFileSync(path.join(hand.home.root, "teams/demo/config.json"), "utf8")).members.find(
        (member: { name: string }) => member.name === "alice",
      );
    expect(await started("--dangerously-skip-permissions", "--model", "opus")).toEqual(["bypassPermissions", opus.id]);
    expect(entry()).toMatchObject({ model: "opus", mode: "bypassPermissions", cwd: hand.home.project });
    expect(await started("--permission-mode", "default", "--model", "haiku")).toEqual(["default", haiku.id]);
    expect(await started()).toEqual(["default", haiku.id]);
    expect(entry()).toMatchObject({ model: "haiku", mode: "default", planModeRequired: false });
    expect(await started("--plan-mode-required", "--permission-mode", "acceptEdits")).toEqual([
      "acceptEdits",
      haiku.id,
    ]);
    expect(entry()).toMatchObject({ mode: "acceptEdits", planModeRequired: true });
  });

  it.each(["not an address", "ftp://127.0.0.1", "127.0.0.1:9"])(
    "is refused where $ANTHROPIC_BASE_URL is %j, before anything is written",
    async (address) => {
      const env = { ...(await hand.prepared(team({}))), ANTHROPIC_BASE_URL: address };
      const refused = await startCli(cli.file, hand.home, ALICE.split(" "), { env }).result();
      expect(refused).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(
          `$ANTHROPIC_BASE_URL is not a web address: ${JSON.stringify(address)}. Set it to`,
        ),
      });
      expect(existsSync(path.join(hand.home.root, "teams/demo/muster/presence/alice.json"))).toBe(false);
    },
  );
});
