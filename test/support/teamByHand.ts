import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import type { ScriptedTeam } from "../../src/demo/script.ts";
import { createStore } from "../../src/store/store.ts";
import type { CliHome } from "./runCli.ts";
import { createDemo } from "./tempStore.ts";

/** How alice of the team demo is started by hand. */
export const ALICE = "teammate --agent-id alice@demo --agent-name alice --team-name demo --agent-type general-purpose";

/** A team on disk in which alice has a prompt, and a server that answers her; no lead lives. Close the server. */
export async function teamByHand(
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
