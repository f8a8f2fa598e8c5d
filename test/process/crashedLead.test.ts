import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../src/agent/anthropicModel.ts";
import { systemClock } from "../../src/base/clock.ts";
import { silentLogger } from "../../src/base/logger.ts";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call, type Turn } from "../../src/demo/script.ts";
import type { TeamEvent } from "../../src/protocol/events.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { DEFAULT_SETTINGS } from "../../src/team/defaultSettings.ts";
import { readPast } from "../../src/team/resume/past.ts";
import { createTeamSession } from "../../src/team/session.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { eventually } from "../support/eventually.ts";
import { expectHealthy } from "../support/healthy.ts";
import { type CliHome, cliHome, startCli } from "../support/runCli.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();
const MEMBERS = ["alice", "bob", "carol"];
let home: CliHome;
let store: Store;
let server: MessagesServer;

/** What the lead does when the person says so. */
function orders({ incoming }: Turn) {
  const stopAll = call("SendMessage", { to: "*", message: { type: "shutdown_request", reason: "All done." } });
  if (incoming.text.includes("Delete it.")) return calls(call("TeamDelete", {}));
  return incoming.text.includes("Stop all.") ? calls(stopAll) : "Fine.";
}

beforeEach(async () => {
  home = cliHome();
  store = createStore({ root: home.root });
  const works = () => script(calls(call("Bash", { command: "sleep 60" })), "I stopped.");
  const spawns = MEMBERS.map((name) => spawn(name));
  server = await startMessagesServer(
    team({
      "team-lead": script(calls(createTeam), calls(...spawns), "Waiting.", ...Array.from({ length: 20 }, () => orders)),
      ...Object.fromEntries(MEMBERS.map((name) => [name, works()])),
    }),
  );
});
afterEach(async () => {
  await store.close();
  await server.close();
  try {
    await expectHealthy(home.root);
  } finally {
    home.remove();
  }
});

/** Starts a lead, and kills it once all members work. */
async function crash(): Promise<void> {
  const api = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: server.url };
  const args = ["run", "Go.", "--json", "--permission-mode", "bypassPermissions"];
  const running = startCli(cli.file, home, args, { env: api });
  const working = new Set<string>();
  running.onLine((line) => {
    const event = JSON.parse(line);
    if (event.type === "tool_start" && event.name === "Bash") working.add(event.member);
  });
  await eventually("all members to work", () => working.size === MEMBERS.length);
  running.kill("SIGKILL");
  await running.result();
}

/** The session that takes the team up. */
async function adopt() {
  const session = createTeamSession(
    {
      ...{ store, cwd: home.project, home: home.home, env: home.env, clock: systemClock, logger: silentLogger },
      model: createAnthropicModel({ apiKey: async () => "k", baseUrl: server.url }),
      settings: { ...DEFAULT_SETTINGS, permissionMode: "bypassPermissions" },
    },
    await readPast(store, "demo"),
  );
  const events: TeamEvent[] = [];
  session.events((event) => events.push(event));
  await session.resume();
  return { session, events };
}

/** Path → text of every file below the folder. */
async function filesOf(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const files = new Map<string, string>();
  for (const name of names) {
    const file = path.join(folder, name);
    if ((await stat(file)).isFile()) files.set(name, await readFile(file, "utf8"));
  }
  return files;
}

describe("a team whose lead was killed with three members at work", () => {
  it("is led on by the next session, which can delete it, and nothing else goes (row 52)", async () => {
    const lead = { leadSessionId: crypto.randomUUID(), leadModel: "sonnet", leadAgentType: "team-lead" };
    await store.teams.create({ name: "other", ...lead, cwd: "/project", now: Date.now() });
    await store.tasks.create("other", { subject: "Of the other team", description: "" });
    const others = async () => [
      await filesOf(path.join(home.root, "teams/other")),
      await filesOf(path.join(home.root, "tasks/other")),
      await filesOf(home.project),
    ];
    const before = await others();
    await crash();
    const { session, events } = await adopt();
    try {
      const names = () => session.members().map(({ name }) => name);
      expect(names()).toEqual(["team-lead", ...MEMBERS]);
      await session.waitForRest(AbortSignal.timeout(50_000));
      await session.say("team-lead", "Delete it.");
      await eventually("the refusal", () => sentToLead().includes("is_error"));
      expect((await store.teams.read("demo")).members).toHaveLength(4); // they live: nothing has changed
      await session.say("team-lead", "Stop all.");
      await eventually("all members to leave", () => names().length === 1);
      await session.waitForRest(AbortSignal.timeout(50_000));
      await session.say("team-lead", "Delete it.");
      await eventually("the end of the team", () => events.some(({ type }) => type === "team_deleted"));
    } finally {
      await session.end({ graceMs: 0, interrupted: false });
    }
    expect(await readdir(path.join(home.root, "teams"))).toEqual(["other"]);
    expect(await readdir(path.join(home.root, "tasks"))).toEqual(["other"]);
    expect(await others()).toEqual(before);
  });

  function sentToLead(): string {
    return JSON.stringify(server.requests.findLast(({ member }) => member === "team-lead")?.request.messages.at(-1));
  }
});
