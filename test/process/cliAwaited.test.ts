import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { call, steps } from "../../src/demo/script.ts";
import { api, useCliRuns } from "../support/cliRuns.ts";
import { eventually } from "../support/eventually.ts";
import { agreeable, calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";
import { type TmuxScreen, tmuxScreen } from "../support/tmuxScreen.ts";

const runs = useCliRuns();
let screen: TmuxScreen | undefined;
afterEach(() => {
  screen?.close();
  screen = undefined;
});
const WAITS =
  "alice was interrupted at its terminal: the run waits for what you type there. Ctrl-C twice ends the team.";

/** A run on a terminal whose alice works in a pane on Muster's own server until she is interrupted there. */
async function interruptedRun(...options: string[]) {
  const server = await runs.serve(
    team({
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "I see."),
      alice: steps([calls(call("Bash", { command: "echo works > mark; sleep 1000" }))], agreeable),
    }),
  );
  const { dir, project, env } = runs.home;
  const args = ["--teammate-mode", "tmux", "--permission-mode", "bypassPermissions", ...options].join(" ");
  screen = tmuxScreen(
    `unset TMUX TMUX_PANE; cd '${project}' && '${process.execPath}' '${runs.file}' run 'The goal.' ${args} > '${dir}/out'; echo $? > '${dir}/code'`,
    { ...env, ...api(server) },
    120,
  );
  const terminal = screen;
  const tmux = (...command: string[]) =>
    execFileSync("tmux", ["-L", "muster", ...command], {
      encoding: "utf8",
      env: { ...env, TMUX_TMPDIR: env["TMPDIR"] },
    });
  await eventually("alice to work", () => existsSync(`${project}/mark`)).catch((error) => {
    throw new Error(`${error.message}:\n${terminal.text()}`);
  });
  const pane = tmux("list-panes", "-a", "-F", "#{pane_id}").trim();
  const alice = {
    press: (key: string) => void tmux("send-keys", "-t", pane, key),
    type: (text: string) => void tmux("send-keys", "-t", pane, "-l", text),
    text: () => tmux("capture-pane", "-p", "-J", "-S", "-", "-t", pane),
  };
  alice.press("Escape");
  const ended = () => existsSync(`${dir}/code`);
  const code = () => eventually("the end", () => ended() && readFileSync(`${dir}/code`, "utf8").trim());
  return { server, terminal, alice, ended, code };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a run waits for the words of a person who interrupted a member at its terminal, and then ends by itself", async () => {
  const { server, terminal, alice, ended, code } = await interruptedRun();
  await terminal.shows(WAITS);
  alice.type("please use ");
  await pause(3_000);
  expect(ended()).toBe(false);
  alice.type("node --test");
  alice.press("Enter");
  expect(await code()).toBe("0");
  const sent = server.requests.filter(({ member }) => member === "alice").map(({ request }) => request.messages);
  expect(JSON.stringify(sent)).toContain("please use node --test");
  expect(terminal.text().split(WAITS)).toHaveLength(2);
});

test("where the person ends the member that is waited for, the run ends", async () => {
  const { terminal, alice, code } = await interruptedRun();
  await terminal.shows(WAITS);
  await pause(3_200); // a press that has to do with the interruption would end it already
  alice.press("Escape");
  await eventually("the warning", () => alice.text().trimEnd().split("again within 3 s").length > 2);
  alice.press("Escape");
  expect(await code()).toBe("0");
  expect(terminal.text()).toContain("alice left: ended by the person");
});

test("Ctrl-C twice ends a run that waits for words", async () => {
  const { terminal, code } = await interruptedRun();
  await terminal.shows(WAITS);
  terminal.press("C-c");
  await terminal.shows("muster: Ctrl-C again within 3 s ends the team.");
  terminal.press("C-c");
  await terminal.shows("muster: Ending the team: members have 10 s to stop.");
  expect(await code()).toBe("130");
});

test.each(["all", "none"])("with --approve %s nobody is waited for", async (approve) => {
  const { terminal, code } = await interruptedRun("--approve", approve);
  expect(await code()).toBe("0");
  expect(terminal.text()).not.toContain("the run waits");
});
