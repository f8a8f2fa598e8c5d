import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call, type ScriptedTeam } from "../../src/demo/script.ts";
import { createStore } from "../../src/store/store.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { eventually } from "../support/eventually.ts";
import { expectHealthy } from "../support/healthy.ts";
import { type CliHome, cliHome, startCli } from "../support/runCli.ts";
import { calls, script, team } from "../support/teamScripts.ts";
import { createDemo } from "../support/tempStore.ts";
import { tmuxScreen } from "../support/tmuxScreen.ts";

const cli = useBuiltCli();
let home: CliHome;
let server: MessagesServer | undefined;

beforeEach(() => {
  home = cliHome();
});
afterEach(async () => {
  await server?.close();
  try {
    await expectHealthy(home.root);
  } finally {
    home.remove();
  }
});

/** A team on disk in which alice has a prompt, and a server that answers her; no lead lives. */
async function prepared(scripts: ScriptedTeam): Promise<Record<string, string>> {
  server = await startMessagesServer(scripts);
  const store = createStore({ root: home.root });
  await createDemo(store, "alice", "bob");
  await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "You are alice. Say hello." });
  await store.close();
  return { ...home.env, ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: server.url };
}

const sent = () => JSON.stringify(server?.requests.at(-1)?.request.messages ?? "");
const ALICE = "teammate --agent-id alice@demo --agent-name alice --team-name demo --agent-type general-purpose";

describe("a teammate that a person starts by hand", () => {
  it.each([40, 200])(
    "shows what it does on a terminal of %i columns, takes typed lines, and Ctrl-C ends it",
    async (columns) => {
      const env = await prepared(
        team({
          alice: script("Hello from alice, in a sentence that is longer than forty columns are wide.", "I heard you."),
        }),
      );
      const code = path.join(home.dir, "code");
      const screen = tmuxScreen(
        `cd '${home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --root '${home.root}'; echo $? > '${code}'`,
        env,
        columns,
      );
      try {
        await screen.shows("You are alice. Say hello.");
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
        screen.press("C-c");
        await eventually("its end", () => existsSync(code) && readFileSync(code, "utf8").trim() !== "");
        expect(readFileSync(code, "utf8").trim()).toBe("1");
      } finally {
        screen.close();
      }
    },
  );

  it("keeps what was typed while it ends for its next process, and hears it once", async () => {
    const env = await prepared(
      team({ alice: script(calls(call("Bash", { command: "sleep 60" })), "Slept.", "Fine.") }),
    );
    const command = `cd '${home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --dangerously-skip-permissions --root '${home.root}'`;
    const inbox = path.join(home.root, "teams/demo/inboxes/alice.json");
    const first = tmuxScreen(command, env, 80);
    try {
      await first.shows("Bash sleep 60");
      first.type("Mind the gap.");
    } finally {
      first.close();
    }
    await eventually("the words in its inbox", () => readFileSync(inbox, "utf8").includes("Mind the gap."));
    const next = tmuxScreen(command, env, 80);
    try {
      await next.shows("Slept.");
      await eventually("its words to be heard", () => sent().includes("Mind the gap."));
      next.type("And now?");
      await eventually("the next words", () => sent().includes("And now?"));
      expect(sent().split("Mind the gap.")).toHaveLength(2);
    } finally {
      next.close();
    }
  });

  it("has a run interrupted by the first Ctrl-C, and ends at the next", async () => {
    const env = await prepared(team({ alice: script(calls(call("Bash", { command: "sleep 60" })), "Slept.") }));
    const code = path.join(home.dir, "code");
    const command = `cd '${home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --dangerously-skip-permissions --root '${home.root}'; echo $? > '${code}'`;
    const screen = tmuxScreen(command, env, 80);
    try {
      await screen.shows("Bash sleep 60");
      screen.press("C-c");
      await screen.shows("nterrupted");
      expect(existsSync(code)).toBe(false);
      screen.press("C-c");
      await eventually("its end", () => existsSync(code));
    } finally {
      screen.close();
    }
  });

  it("prints plain lines where its output is no terminal, and stops when it is asked and agrees", async () => {
    const env = await prepared(team({ alice: script("Hello.") }));
    const running = startCli(cli.file, home, [...ALICE.split(" "), "--root", home.root], { env });
    const lines: string[] = [];
    running.onLine((line) => lines.push(line));
    await eventually("its answer", () => lines.includes("Hello."));
    const store = createStore({ root: home.root });
    const request = { type: "shutdown_request", requestId: "shutdown-1@alice", from: "team-lead", reason: "Done." };
    const text = JSON.stringify({ ...request, timestamp: new Date().toISOString() });
    await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text });
    await store.close();
    expect((await running.result()).code).toBe(0);
    expect(lines.join("\n")).not.toContain("\x1b");
  });
});
