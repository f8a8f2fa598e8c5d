import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import type { ScriptedTeam } from "../../src/demo/script.ts";
import { createStore } from "../../src/store/store.ts";
import { expectHealthy } from "./healthy.ts";
import { type CliHome, cliHome } from "./runCli.ts";
import { createDemo } from "./tempStore.ts";
import { untilEnded } from "./traces.ts";

/** How alice of the team demo is started by hand. */
export const ALICE = "teammate --agent-id alice@demo --agent-name alice --team-name demo --agent-type general-purpose";

/** A team on disk in which alice has a prompt, and a server that answers her; no lead lives. Close the server. */
async function teamByHand(
  home: CliHome,
  scripts: ScriptedTeam,
): Promise<{ server: MessagesServer; env: Record<string, string> }> {
  const server = await startMessagesServer(scripts);
  const store = createStore({ root: home.root });
  await createDemo(store, "alice", "bob");
  await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "You are alice. Say hello." });
  await store.close();
  return { server, env: { ...home.env, ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: server.url } };
}

/** A home for each test of a file, in which nothing runs at the test's end, and the files are whole. */
export interface TeamsByHand {
  readonly home: CliHome;
  /** What `prepared` has opened; undefined before. */
  readonly server: MessagesServer | undefined;
  /** As `teamByHand` in this home: the environment of what is started. */
  prepared(scripts: ScriptedTeam): Promise<Record<string, string>>;
}

/** Sets up homes for the tests of a file. `settle`: what is done at a test's end before the files are looked at. */
export function useTeamByHand(settle: (root: string) => Promise<void> = async () => {}): TeamsByHand {
  let home: CliHome;
  let server: MessagesServer | undefined;
  beforeEach(() => {
    home = cliHome();
  });
  afterEach(async () => {
    await server?.close();
    try {
      await untilEnded(path.dirname(home.root)); // a terminal that is closed ends its program in the program's own time
      await settle(home.root);
      await expectHealthy(home.root);
    } finally {
      home.remove();
    }
  });
  return {
    get home() {
      return home;
    },
    get server() {
      return server;
    },
    async prepared(scripts) {
      const opened = await teamByHand(home, scripts);
      server = opened.server;
      return opened.env;
    },
  };
}
