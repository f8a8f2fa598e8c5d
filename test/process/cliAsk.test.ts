import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call, type ScriptedTeam } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { eventually } from "../support/eventually.ts";
import { expectHealthy } from "../support/healthy.ts";
import { type CliHome, cliHome } from "../support/runCli.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";
import { type TmuxScreen, tmuxScreen } from "../support/tmuxScreen.ts";

const cli = useBuiltCli();
let home: CliHome;
let server: MessagesServer | undefined;
let screen: TmuxScreen | undefined;

beforeEach(() => {
  home = cliHome();
});
afterEach(async () => {
  screen?.close();
  screen = undefined;
  await server?.close();
  try {
    await expectHealthy(home.root);
  } finally {
    home.remove();
  }
});

/** `muster run` on a terminal; its exit code goes to a file. */
async function onTerminal(scripts: ScriptedTeam, options = "", columns = 100): Promise<TmuxScreen> {
  server = await startMessagesServer(scripts);
  const env = { ...home.env, ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: server.url };
  const command = `cd '${home.project}' && '${process.execPath}' '${cli.file}' run 'The goal.' --teammate-mode in-process ${options} > '${home.dir}/out'; echo $? > '${home.dir}/code'`;
  screen = tmuxScreen(command, env, columns);
  return screen;
}

const exitCode = () =>
  eventually(
    "the end of the run",
    () => (existsSync(`${home.dir}/code`) && readFileSync(`${home.dir}/code`, "utf8").trim()) || undefined,
  );
const command = (text: string) => calls(call("Bash", { command: text }));

describe("--approve ask, the default on a terminal", () => {
  test("shows the whole command, preselects nothing, and takes allow, always allow and deny with a reason", async () => {
    const long = `touch one # ${"and then ".repeat(40)}the tail`;
    const terminal = await onTerminal(
      team({
        "team-lead": script(command(long), command("touch two"), command("touch two"), command("touch three"), "Done."),
      }),
    );
    await terminal.shows("[n] deny");
    expect(terminal.text().replace(/\s+/g, " ")).toContain("the tail");
    terminal.type("");
    await terminal.shows("Nothing is no answer here: type y, s, a or n, then Enter.");
    terminal.type("maybe");
    await terminal.shows('"maybe" is no answer here: type y, s, a or n, then Enter.');
    expect(existsSync(path.join(home.project, "one"))).toBe(false);
    terminal.type("y");
    await terminal.shows("$ touch two");
    await terminal.shows("always allow Bash(touch two)");
    terminal.type("a");
    await terminal.shows("always allow Bash(touch three)"); // the second `touch two` was not asked for
    terminal.type("n");
    await terminal.shows("Why not?");
    terminal.type("no third one");
    expect(await exitCode()).toBe("0");
    expect(readdirSync(home.project).sort()).toEqual(["one", "two"]);
    expect(readFileSync(`${home.dir}/out`, "utf8")).toBe("Done.\n");
    expect(JSON.stringify(server?.requests.at(-1)?.request.messages)).toContain("no third one");
    expect(JSON.parse(readFileSync(path.join(home.root, "muster/settings.json"), "utf8")).permissions.allow).toEqual([
      "Bash(touch two)",
    ]);
  });

  test.each(["with Enter", "without"])("what was typed before a request was shown decides nothing, %s", async (how) => {
    const terminal = await onTerminal(
      team({ "team-lead": script(command("sleep 3"), command("touch one"), "Done.") }),
      "--allowedTools 'Bash(sleep 3)'",
    );
    await eventually("the first command", () => (server?.requests.length ?? 0) > 0);
    if (how === "with Enter") terminal.type("a");
    else terminal.press("a");
    await terminal.shows("[n] deny");
    await new Promise((resolve) => setTimeout(resolve, 500));
    terminal.press("Enter");
    await terminal.shows("Nothing is no answer here");
    expect(readdirSync(home.project)).toEqual([]);
    expect(existsSync(path.join(home.root, "muster/settings.json"))).toBe(false);
    terminal.type("n");
    await terminal.shows("Why not?");
    terminal.type("");
    expect(await exitCode()).toBe("0");
    expect(readdirSync(home.project)).toEqual([]);
  });

  test("a change that is cut is shown whole before it can be allowed", async () => {
    const content = Array.from({ length: 2_040 }, (_, at) => `line ${at + 1}`).join("\n");
    const write = calls(call("Write", { file_path: `${home.project}/long.txt`, content }));
    const terminal = await onTerminal(team({ "team-lead": script(write, "Done.") }));
    await terminal.shows("[m] show the other 40 lines");
    await terminal.shows("[n] deny");
    expect(terminal.text()).not.toContain("allow once");
    terminal.type("y");
    await eventually("the question again", () => terminal.text().split("[m] show").length > 2);
    expect(terminal.text()).not.toContain("line 2040");
    terminal.type("m");
    await terminal.shows("allow once");
    expect(terminal.text()).toContain("line 2040");
    const choices = terminal.text().replace(/\s+/g, " "); // what is allowed for longer is the mode, not this change
    expect(choices).toContain("[s] allow, and work in mode Accept edits for this session");
    expect(choices).toContain("[a] allow, and work in mode Accept edits from now on, in later teams too");
    expect(readdirSync(home.project)).toEqual([]);
    terminal.type("y");
    expect(await exitCode()).toBe("0");
    expect(readFileSync(`${home.project}/long.txt`, "utf8")).toBe(content);
  });

  for (const columns of [40, 200])
    test(`shows a plan at ${columns} columns, sends it back with comments, approves it with a mode`, async () => {
      const exitPlan = calls(call("ExitPlanMode", { plan: "# Plan\n\nChange \u001b[2Jeverything." }));
      const terminal = await onTerminal(
        team({
          "team-lead": script(calls(createTeam, spawn("alice", { mode: "plan" })), "I wait.", "Good."),
          alice: script(exitPlan, exitPlan, "Done."),
        }),
        "",
        columns,
      );
      await terminal.shows("send back with comments");
      expect(terminal.text()).toContain("Change \\x1b[2Jeverything.");
      await eventually("the prompt", () => /^>\s*$/m.test(terminal.text()) || undefined);
      expect(terminal.text()).not.toMatch(/^> *\S/m); // no prompt before the choices
      terminal.type("n");
      await terminal.shows("What should change? (Enter: back)");
      terminal.type(""); // a slip of the key before
      await eventually("the choices again", () => terminal.text().split("send back with").length === 3 || undefined);
      terminal.type("n");
      await eventually("the comment", () => terminal.text().split("What should change?").length === 3 || undefined);
      terminal.type("Less.");
      await terminal.shows("version 2");
      await terminal.shows("sent back");
      await eventually("the second question", () => terminal.text().split("send back with").length === 4);
      terminal.type("y");
      expect(await exitCode()).toBe("0");
      expect(terminal.text()).toMatch(/approved/);
      expect(
        JSON.stringify(
          server?.requests.filter(({ member }) => member === "alice").map(({ request }) => request.messages.at(-1)),
        ),
      ).toContain("Less.");
    });

  test("breaks its choices between words in a pane as narrow as tmux makes the lead's", async () => {
    const terminal = await onTerminal(team({ "team-lead": script(command("touch one"), "Done.") }), "", 23);
    await terminal.shows("[n] deny");
    expect(terminal.text()).toMatch(/^\[s\] allow for this\s*\n {2}session\s*$/m);
    terminal.type("y");
    expect(await exitCode()).toBe("0");
  });

  test("the end of the input says no", async () => {
    const terminal = await onTerminal(team({ "team-lead": script(command("touch one"), "I cannot.") }));
    await terminal.shows("[n] deny");
    terminal.press("C-d");
    expect(await exitCode()).toBe("0");
    expect(readFileSync(`${home.dir}/out`, "utf8")).toBe("I cannot.\n");
    expect(readdirSync(home.project)).toEqual([]);
  });

  /** Alice's plan is asked about, and Ctrl-C was pressed once at the question. */
  async function interruptedAtPlan() {
    const terminal = await onTerminal(
      team({
        "team-lead": script(calls(createTeam, spawn("alice", { mode: "plan" })), "I wait.", "Good."),
        alice: script(calls(call("ExitPlanMode", { plan: "# Plan" })), "Done."),
      }),
    );
    await terminal.shows("send back with comments");
    await eventually("the prompt", () => /^>\s*$/m.test(terminal.text()) || undefined);
    terminal.press("C-c");
    await terminal.shows("Ctrl-C again within 3 s ends the team.\n>");
    return terminal;
  }

  test("Ctrl-C at a teammate's question says what it did on a line of its own, and the question goes on", async () => {
    const terminal = await interruptedAtPlan();
    expect(terminal.text()).toMatch(/^>\s*\nmuster: (?:The lead is interrupted\. )?Ctrl-C again/m);
    terminal.type("y");
    await terminal.shows("approved");
    expect(await exitCode()).toMatch(/^(?:0|130)$/);
  });

  test("Ctrl-C twice at a teammate's question asks nothing more", async () => {
    const terminal = await interruptedAtPlan();
    terminal.press("C-c");
    await terminal.shows("Ending the team: members have 10 s to stop.");
    expect(await exitCode()).toBe("130");
    expect(terminal.text()).toMatch(/^>\s*\nmuster: Ending the team: members have 10 s to stop\.\n(?!>)/m);
  });

  test("Ctrl-C at a question interrupts the lead and takes the question away", async () => {
    const terminal = await onTerminal(team({ "team-lead": script(command("touch one"), "Not reached.") }));
    await terminal.shows("[n] deny");
    terminal.press("C-c");
    expect(await exitCode()).toBe("130");
    expect(terminal.text()).toContain("No longer needed.");
    expect(readdirSync(home.project)).toEqual([]);
  });
});
