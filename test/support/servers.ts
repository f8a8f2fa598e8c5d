import { afterEach } from "vitest";
import { type MessagesServer, type MessagesServerOptions, startMessagesServer } from "../../src/demo/messagesServer.ts";
import type { ScriptedTeam } from "../../src/demo/script.ts";

/** Starts scripted servers; those of a test are closed after it. */
export function useServers(): (scripts: ScriptedTeam, options?: MessagesServerOptions) => Promise<MessagesServer> {
  const servers: MessagesServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  return async (scripts, options = {}) => {
    const server = await startMessagesServer(scripts, options);
    servers.push(server);
    return server;
  };
}
