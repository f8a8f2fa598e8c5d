import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isoTime } from "../../src/base/clock.ts";
import { messageId } from "../../src/protocol/message.ts";
import type { Store } from "../../src/store/store.ts";
import { addMember, createDemo, LEAD_SESSION } from "../support/tempStore.ts";

/** A change of the store that is made as a whole or not at all. */
export interface StoreOperation {
  name: string;
  /** What has to be there before, besides the team `demo` of `prepareAll`. */
  prepare?(store: Store, root: string): Promise<void>;
  run(store: Store): Promise<unknown>;
  /** Made of several changes that stand by themselves: what is between before and after is allowed. */
  stepwise?: true;
  /** The next start makes up for it, whatever happened. */
  recovers?: true;
}

const session = (text: string) => ({ kind: "session", at: "x", sessionId: text, agent: "alice" }) as const;
const alice = { team: "demo", agent: "alice" };
const agent = (by: string) => ({ by, isAgent: true });
const oldEntries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    from: "alice",
    text: `old ${index}`,
    timestamp: "2026-01-01T00:00:00.000Z",
    msg_id: `old-${index}`,
    read: true,
  }));

/** The state before every operation. */
export async function prepareAll(store: Store): Promise<void> {
  await createDemo(store, "alice", "bob");
  await store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "earlier" });
  await store.inboxes.send("demo", { from: "bob", to: ["team-lead"], text: "earlier" });
  await store.tasks.create("demo", { subject: "one" });
  await store.tasks.create("demo", { subject: "two", blockedBy: ["1"] });
  await store.tasks.create("demo", { subject: "three", owner: "alice" });
  await store.transcripts.append(alice, session("earlier"));
}

const broken =
  '[\n  {\n    "from": "alice",\n    "text": "whole",\n    "timestamp": "x",\n    "msg_id": "w"\n  },\n  {\n    "fr';

/** Every operation that changes files. */
export const OPERATIONS: readonly StoreOperation[] = [
  { name: "send", run: (store) => store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "new" }) },
  {
    name: "send to two",
    stepwise: true,
    run: (store) => store.inboxes.send("demo", { from: "alice", to: ["bob", "team-lead"], text: "new" }),
  },
  {
    name: "send what must arrive",
    async run(store) {
      await store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "new", mustArrive: true });
      await store.inboxes.settled();
    },
  },
  {
    name: "send a large body",
    run: (store) => store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "large ".repeat(12_000) }),
  },
  {
    name: "send past the bound",
    prepare: (_store, root) =>
      writeFile(join(root, "teams/demo/inboxes/bob.json"), JSON.stringify(oldEntries(1_000), null, 2)),
    run: (store) => store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "new" }),
  },
  {
    name: "send what a process had left",
    recovers: true,
    async prepare(store, root) {
      const by = { pid: 4_194_998, host: "walk", startTime: "0" };
      const entry = { from: "alice", text: "left", timestamp: "x", msg_id: "left-1", read: false };
      const line = { op: "send", msg_id: "left-1", to: "bob", mustArrive: false, by, entry };
      await store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "before" });
      await writeFile(join(root, "teams/demo/muster/outbox/alice.jsonl"), `${JSON.stringify(line)}\n`);
    },
    run: (store) => store.inboxes.replayOutbox("demo", "alice"),
  },
  {
    name: "mark as read",
    async run(store) {
      const { entries } = await store.inboxes.read("demo", "bob");
      await store.inboxes.markRead("demo", "bob", entries.map(messageId));
    },
  },
  {
    name: "append a record",
    run: (store) => store.inboxes.appendRecord("demo", "alice", { from: "team-lead", text: "{}" }),
  },
  { name: "retire an inbox", run: (store) => store.inboxes.retire("demo", "bob") },
  {
    name: "read a damaged inbox",
    prepare: (_store, root) => writeFile(join(root, "teams/demo/inboxes/alice.json"), broken),
    run: (store) => store.inboxes.read("demo", "alice"),
  },
  {
    name: "create a task",
    run: (store) => store.tasks.create("demo", { subject: "new", blockedBy: ["1", "2"], blocks: ["3"] }),
  },
  {
    name: "add edges",
    run: (store) =>
      store.tasks.update(
        "demo",
        "3",
        { addBlockedBy: ["1", "2"], subject: "changed", metadata: { a: 1 } },
        agent("alice"),
      ),
  },
  { name: "complete a task", run: (store) => store.tasks.update("demo", "1", { status: "completed" }, agent("bob")) },
  {
    name: "delete a task",
    run: (store) => store.tasks.update("demo", "1", { status: "deleted" }, agent("team-lead")),
  },
  {
    name: "bring back a deleted task",
    prepare: async (store) => {
      await store.tasks.update("demo", "1", { status: "deleted" }, agent("team-lead"));
    },
    run: (store) => store.tasks.restore("demo", "1"),
  },
  { name: "claim a task", run: (store) => store.tasks.claim("demo", "next", { by: "bob", hasTool: () => true }) },
  {
    name: "release tasks",
    stepwise: true,
    prepare: async (store) => {
      await store.tasks.claim("demo", "1", { by: "alice", hasTool: () => true });
    },
    run: (store) => store.tasks.releaseOwner("demo", "alice"),
  },
  { name: "add a member", run: (store) => addMember(store, "demo", "carol") },
  {
    name: "add a member of an old name",
    prepare: async (store) => {
      await store.teams.removeMember("demo", "bob");
    },
    run: (store) => addMember(store, "demo", "bob"),
    stepwise: true,
  },
  { name: "change a member", run: (store) => store.teams.updateMember("demo", "bob", { mode: "plan" }) },
  { name: "remove a member", run: (store) => store.teams.removeMember("demo", "bob") },
  { name: "rebind the lead", run: (store) => store.teams.rebindLead("demo", "next-session") },
  {
    name: "read a damaged configuration",
    prepare: (_store, root) => writeFile(join(root, "teams/demo/config.json"), ""),
    run: (store) => store.teams.read("demo"),
  },
  {
    name: "create a team",
    run: (store) =>
      store.teams.create({
        name: "second",
        leadSessionId: LEAD_SESSION,
        leadModel: "m",
        leadAgentType: "team-lead",
        cwd: "/project",
        now: 0,
      }),
  },
  {
    name: "delete a team",
    run: (store) => store.teams.delete("demo", { keepHistory: true, now: 0 }),
  },
  { name: "append to a transcript", run: (store) => store.transcripts.append(alice, session("new")) },
  {
    name: "move a lead's transcript",
    prepare: (store) => store.transcripts.append({ leadSession: "s-1" }, session("as lead")),
    run: (store) => store.transcripts.moveLead("s-1", "demo"),
  },
  {
    name: "write presence",
    run: (store) =>
      store.presence.write("demo", "bob", {
        incarnation: "i",
        state: "idle",
        since: 1,
        beat: 2,
        pid: 3,
        host: "h",
        startTime: null,
      }),
  },
  { name: "record a pause", run: (store) => store.audit.append(alice, { event: "paused", at: isoTime(0) }) },
  { name: "take the lead", run: (store) => store.leads.acquire("demo", LEAD_SESSION) },
  { name: "save a rule", run: (store) => store.settings.addPermissions({ allow: ["Bash(npm test)"] }) },
  { name: "write a plan", run: (store) => store.plans.write(join(store.paths.plans, "a-b-c.md"), "# Plan") },
];

/** Everything that the store says, without ids and times that differ from run to run. */
export async function stateOf(store: Store): Promise<unknown> {
  const teams = await Promise.all((await store.teams.list()).map((team) => teamState(store, team.name)));
  return {
    teams,
    finished: (await store.history.list()).filter((one) => !one.team.endsWith("-leftover")).map((one) => one.team),
    lead: (await store.transcripts.read({ leadSession: "s-1" })).map(sessionOf),
    rules: await store.settings.personRules(),
    plan: await store.plans.read(join(store.paths.plans, "a-b-c.md")),
  };
}

async function teamState(store: Store, team: string): Promise<unknown> {
  const snapshot = await store.snapshots.read(team);
  const agents = new Set([...snapshot.inboxes.keys(), ...snapshot.config.members.map((member) => member.name)]);
  const mail = await Promise.all(
    [...agents].sort().map(async (name) => {
      const { entries } = await store.inboxes.readAll(team, name);
      return [name, entries.map((entry) => [entry.from, entry.text, entry.read])];
    }),
  );
  const transcripts = await Promise.all(
    ["alice", "team-lead"].map(async (name) => (await store.transcripts.read({ team, agent: name })).map(sessionOf)),
  );
  return {
    team,
    leadSession: snapshot.config.leadSessionId,
    members: snapshot.config.members.map(({ name, color, mode }) => [name, color, mode]),
    mail,
    tasks: [...snapshot.graph.tasks.values()].map((task) => ({
      ...{ id: task.id, subject: task.subject, status: task.status, owner: task.owner },
      metadata: Object.keys(task.metadata ?? {}),
      blockers: [...(snapshot.graph.blockers.get(task.id) ?? [])].sort(),
    })),
    presence: [...snapshot.presence.values()].map((presence) => presence.state),
    leads: snapshot.lead?.sessionId,
    transcripts,
    audit: await store.audit.read({ team, agent: "team-lead" }),
  };
}

function sessionOf(record: { kind: string; sessionId?: unknown }): unknown {
  return record.sessionId;
}
