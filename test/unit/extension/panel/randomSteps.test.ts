import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { PanelFeed } from "../../../../src/extension/panel/panelFeed.ts";
import { openForeignTeam } from "../../../../src/extension/teams/foreignTeam.ts";
import type { PanelTab } from "../../../../src/protocol/panel.ts";
import { createStore, type Store } from "../../../../src/store/store.ts";
import { createHostData, type HostData } from "../../../../webview/state/hostData.ts";
import { addMember, createDemo, openTempStore } from "../../../support/tempStore.ts";

const STEPS = 200;
const SEED = 206;
const LEAD = "team-lead";
const NAMES = ["alice", "bob", "carol", "dave"];

type Random = (below: number) => number;
interface Entry {
  from: string;
  text: string;
  timestamp: string;
  read: boolean;
}
interface DiskTask {
  id: string;
  subject: string;
  status: string;
  owner?: string;
  blockedBy: string[];
}
interface DiskMember {
  name: string;
}

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function json<T>(file: string, otherwise: T): Promise<T> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? otherwise : JSON.parse(text);
}

/** Another program's write: in place, or by rename. */
async function put(file: string, value: unknown, random: Random): Promise<string> {
  const text = JSON.stringify(value, null, 2);
  if (random(2) === 0) {
    await writeFile(file, text);
    return "in place";
  }
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return "by rename";
}

/** One change that our own store makes. */
async function ownStep(store: Store, random: Random): Promise<string> {
  const name = NAMES[random(NAMES.length)] ?? "";
  const isThere = (await store.teams.read("demo")).members.some((member) => member.name === name);
  const ids = [...(await store.tasks.list("demo")).tasks.keys()];
  const id = ids[random(Math.max(ids.length, 1))];
  const user = { by: "user", isAgent: false } as const;
  switch (random(5)) {
    case 0:
      if (!isThere) await addMember(store, "demo", name);
      else await store.teams.removeMember("demo", name);
      return `${isThere ? "remove" : "add"} ${name}`;
    case 1:
      if (isThere) await store.inboxes.send("demo", { from: LEAD, to: [name], text: `Own ${random(999)}` });
      return `write to ${name}`;
    case 2: {
      const { entries } = await store.inboxes.read("demo", name);
      const some = entries.slice(0, 2).flatMap(({ msg_id }) => msg_id ?? []);
      await store.inboxes.markRead("demo", name, some);
      return `${name} reads`;
    }
    case 3:
      await store.tasks.create("demo", { subject: `Own ${random(999)}`, description: "" });
      return "create";
    default: {
      if (id === undefined) return "nothing";
      const status = (["in_progress", "completed", "deleted"] as const)[random(3)] ?? "completed";
      const owner = isThere ? name : LEAD;
      await store.tasks.update("demo", id, status === "deleted" ? { status } : { status, owner }, user);
      return `#${id} ${status}`;
    }
  }
}

/** One change by a program that knows the files and nothing else. */
async function foreignStep(root: string, random: Random): Promise<string> {
  const name = NAMES[random(NAMES.length)] ?? "";
  const team = path.join(root, "teams/demo");
  const inbox = path.join(team, "inboxes", `${name}.json`);
  const entries = await json<Entry[]>(inbox, []);
  const folder = path.join(root, "tasks/demo");
  const ids = await taskIds(root);
  const id = ids[random(Math.max(ids.length, 1))] ?? "1";
  const file = path.join(folder, `${id}.json`);
  switch (random(6)) {
    case 0: {
      const config = await json<{ members: DiskMember[] }>(path.join(team, "config.json"), { members: [] });
      const others = config.members.filter((member) => member.name !== name);
      const member = { agentId: `${name}@demo`, name, agentType: "general-purpose", model: "haiku", prompt: "" };
      const rest = { joinedAt: 1_790_000_000_000, tmuxPaneId: "", cwd: "/project", subscriptions: [] };
      const members = others.length < config.members.length ? others : [...others, { ...member, ...rest }];
      return `member ${name} ${await put(path.join(team, "config.json"), { ...config, members }, random)}`;
    }
    case 1: {
      const from = [LEAD, ...NAMES.filter((other) => other !== name)][random(NAMES.length)] ?? LEAD;
      const entry = { from, text: `Foreign ${random(999)}`, timestamp: new Date().toISOString() };
      return `message to ${name} ${await put(inbox, [...entries, { ...entry, read: false }], random)}`;
    }
    case 2:
      return `all of ${name} read ${await put(
        inbox,
        entries.map((entry) => ({ ...entry, read: true })),
        random,
      )}`;
    case 3:
      return `oldest of ${name} gone ${await put(inbox, entries.slice(1), random)}`;
    case 4: {
      const used = await highWaterMark(root);
      const next = String(Math.max(used, ...ids.map(Number)) + 1);
      const task = { id: next, subject: `Foreign ${random(999)}`, description: "", status: "pending" };
      const value = { ...task, blocks: [], blockedBy: [] };
      return `task ${next} ${await put(path.join(folder, `${next}.json`), value, random)}`;
    }
    default: {
      if (ids.length === 0) return "nothing";
      if (random(3) === 0) {
        const used = Math.max(await highWaterMark(root), Number(id));
        await writeFile(path.join(folder, ".highwatermark"), String(used));
        await rm(file);
        return `task ${id} removed`;
      }
      const task = await json<Record<string, unknown>>(file, {});
      return `task ${id} ${await put(file, { ...task, subject: `Changed ${random(999)}`, owner: name }, random)}`;
    }
  }
}

/** The largest id that was deleted: the reference never uses it again. */
async function highWaterMark(root: string): Promise<number> {
  return Number(await readFile(path.join(root, "tasks/demo/.highwatermark"), "utf8").catch(() => "0"));
}

async function taskIds(root: string): Promise<string[]> {
  const names = await readdir(path.join(root, "tasks/demo"));
  return names.flatMap((name) => /^([1-9]\d*)\.json$/.exec(name)?.[1] ?? []).sort((a, b) => Number(a) - Number(b));
}

/** The two who write to each other, and one message of theirs. */
function line(pair: string, ...message: string[]): string {
  return JSON.stringify([pair, ...message]);
}

function pairOf(one: string, other: string): string {
  return [one, other].sort().join(" and ");
}

function deliveryOf(read: boolean, hasReader: boolean): string {
  if (read) return "read";
  return hasReader ? "delivered" : "dead";
}

/** What the files say, read without any code of ours. */
async function onDisk(root: string) {
  const team = path.join(root, "teams/demo");
  const { members } = await json<{ members: DiskMember[] }>(path.join(team, "config.json"), { members: [] });
  const names = new Set(members.map(({ name }) => name));
  const messages: string[] = [];
  const unread = new Map<string, number>();
  for (const file of await readdir(path.join(team, "inboxes")).catch(() => [])) {
    if (!file.endsWith(".json")) continue;
    const to = file.slice(0, -".json".length);
    const entries = await json<Entry[]>(path.join(team, "inboxes", file), []);
    unread.set(to, entries.filter(({ read }) => !read).length);
    for (const { from, text, read } of entries)
      messages.push(line(pairOf(from, to), from, to, text, deliveryOf(read, names.has(to))));
  }
  for (const file of await readdir(path.join(team, "muster/archive")).catch(() => [])) {
    const to = file.slice(0, -".jsonl".length); // what an earlier member of this name got
    const lines = (await readFile(path.join(team, "muster/archive", file), "utf8")).split("\n").filter(Boolean);
    const archived: Entry[] = lines.map((line) => JSON.parse(line));
    for (const { from, text, read } of archived)
      messages.push(line(pairOf(from, to), from, to, text, deliveryOf(read, false)));
  }
  const tasks = await Promise.all(
    (await taskIds(root)).map(async (id) => json<DiskTask | null>(path.join(root, "tasks/demo", `${id}.json`), null)),
  );
  const rows = members.map(({ name }) => [name, unread.get(name) ?? 0]);
  return {
    members: rows,
    besideThreads: rows,
    tasks: tasks.map((task) => [task?.id, task?.subject, task?.status, task?.owner || null]),
    messages: messages.sort(),
    waiting: messages.filter((message) => message.endsWith(',"delivered"]')).length,
  };
}

function membersOf({ panel }: HostData) {
  const state = panel.peek();
  return state.screen === "team" ? state.members.map(({ name, unread }) => [name, unread]) : null;
}

/** What the webviews hold. */
function held(tasks: HostData, threads: HostData) {
  const messages = (threads.threads.peek() ?? []).flatMap(({ a, b, messages: some }) =>
    some.map(({ from, to, text, delivery }) => line(pairOf(a.name, b.name), from, to, text, delivery)),
  );
  return {
    members: membersOf(tasks),
    besideThreads: membersOf(threads),
    tasks: tasks.tasks.peek()?.map(({ id, subject, status, owner }) => [id, subject, status, owner?.name ?? null]),
    messages: messages.sort(),
    waiting: (threads.threads.peek() ?? []).reduce((sum, { unread }) => sum + unread, 0),
  };
}

it(`the panel holds what the files say after each of ${STEPS} random steps (seed ${SEED})`, {
  timeout: 60_000,
}, async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice", "bob");
  const other = createStore({ root: temp.root });
  const shown = await openForeignTeam(temp.store, { root: temp.root, kind: "team", folder: "demo" }, silentLogger);
  const panels = [0, 1].map(() => {
    const data = createHostData();
    const feed = new PanelFeed(
      (message) => {
        data.receive(structuredClone(message));
        for (const { id, unsent } of data.threads.peek() ?? [])
          if (unsent) queueMicrotask(() => feed.changes.openThread(id));
      },
      () => ({ screen: "loading" }),
    );
    feed.show(shown);
    return { data, feed, to: (tab: PanelTab) => feed.setView({ tab, member: null }) };
  });
  const random = numbers(SEED);
  const kinds = new Set<string>();
  const refused: string[] = [];
  for (let index = 0; index < STEPS; index += 1) {
    const turn = Math.floor(index / 10) % 2;
    const [first, second] = [panels[turn], panels[1 - turn]];
    if (!first || !second) throw new Error("two panels");
    if (index % 10 === 0) for (const { to } of panels) to(index % 20 === 0 ? "conversation" : "activity");
    const byUs = random(2) === 0;
    const what = await (byUs ? ownStep(other, random) : foreignStep(temp.root, random)).catch(
      (error: Error) => `refused: ${error.message}`,
    );
    if (index % 10 === 0) {
      first.to("tasks");
      second.to("inboxes");
    }
    if (what.startsWith("refused")) refused.push(what);
    kinds.add(`${byUs} ${what.replace(/\d+|alice|bob|carol|dave/g, "")}`);
    const disk = await onDisk(temp.root);
    await expect
      .poll(() => held(first.data, second.data), {
        message: `seed ${SEED}, step ${index}, ${byUs ? "own" : "foreign"}: ${what}`,
        timeout: 8_000,
        interval: 5,
      })
      .toEqual(disk);
  }
  expect(refused.length, refused.join("\n")).toBeLessThan(STEPS / 20);
  expect(kinds.size).toBeGreaterThan(15); // every kind of change was among them
  for (const { feed } of panels) feed.dispose();
  shown.dispose();
  other.dispose();
});
