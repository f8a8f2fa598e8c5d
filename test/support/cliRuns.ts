import { afterEach, beforeEach } from "vitest";
import type { MessagesServer } from "../../src/demo/messagesServer.ts";
import { useBuiltCli } from "./buildCli.ts";
import { type RunEvent, runEvent } from "./cliContract.ts";
import { expectHealthy } from "./healthy.ts";
import { type CliHome, type CliResult, cliHome, type RunningCli, startCli } from "./runCli.ts";
import { useServers } from "./servers.ts";

/** What tests of `muster run` have: the built program, a home for each test, and scripted servers. */
export interface CliRuns {
  /** muster.mjs */
  readonly file: string;
  readonly home: CliHome;
  serve: ReturnType<typeof useServers>;
  /** Starts a run whose events are JSON Lines. */
  start(server: MessagesServer, ...args: string[]): RunningCli;
}

/** Sets up runs for the tests of a file; after each test its files must be healthy. */
export function useCliRuns(): CliRuns {
  const cli = useBuiltCli();
  let home: CliHome;
  beforeEach(() => {
    home = cliHome();
  });
  // hooks run from the last one on: the servers, which come below, are closed first
  afterEach(async () => {
    try {
      await expectHealthy(home.root);
    } finally {
      home.remove();
    }
  });
  return {
    get file() {
      return cli.file;
    },
    get home() {
      return home;
    },
    serve: useServers(),
    start: (server, ...args) => startCli(cli.file, home, ["run", "The goal.", "--json", ...args], { env: api(server) }),
  };
}

/** The variables that send a run to this server. */
export const api = (server: MessagesServer, key = "key-of-the-test") => ({
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_BASE_URL: server.url,
});

/** The events of a run, each checked against the contract. */
export const events = (result: CliResult): RunEvent[] => result.lines().map((line) => runEvent.parse(line));

/** Those events of a run that have this type. */
export const ofType = <T extends RunEvent["type"]>(all: readonly RunEvent[], type: T) =>
  all.filter((one): one is Extract<RunEvent, { type: T }> => one.type === type);

/** The last event of a run, which says how it ended. */
export const runFinished = (all: readonly RunEvent[]) => {
  const event = all.at(-1);
  if (event?.type !== "run_finished") throw new Error(`The last event is ${event?.type}.`);
  return event;
};

/** Waits for an event of a run that goes on. */
export function nextEvent(running: RunningCli, fits: (event: RunEvent) => boolean): Promise<RunEvent> {
  return new Promise((resolve) => {
    running.onLine((line) => {
      const event = runEvent.parse(JSON.parse(line));
      if (fits(event)) resolve(event);
    });
  });
}
