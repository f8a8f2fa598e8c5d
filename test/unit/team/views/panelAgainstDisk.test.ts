import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { snapshotFacts } from "../../../../src/extension/teams/snapshotFacts.ts";
import type { MemberState } from "../../../../src/protocol/team.ts";
import { createStore, type Store } from "../../../../src/store/store.ts";
import { openTeamWatch } from "../../../../src/team/teamWatch.ts";
import { factsOfPresence } from "../../../../src/team/views/memberRows.ts";
import { panelState } from "../../../../src/team/views/panelState.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { addMember, createDemo, openTempStore } from "../../../support/tempStore.ts";

const STEPS = 200;
const NAMES = ["alice", "bob", "carol", "dave"];
const STATES: MemberState[] = ["idle", "working", "waiting", "failed"];

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One change by another program: members come and go, tell how they are, write, and change tasks. */
async function step(store: Store, random: (below: number) => number): Promise<string> {
  const name = NAMES[random(NAMES.length)] ?? "";
  const members = (await store.teams.read("demo")).members.map((member) => member.name);
  const isThere = members.includes(name);
  const user = { by: "user", isAgent: false } as const;
  const { tasks } = await store.tasks.list("demo");
  const id = [...tasks.keys()][random(Math.max(tasks.size, 1))];
  switch (random(7)) {
    case 0: {
      if (!isThere) return `join ${(await addMember(store, "demo", name)).name}`;
      await store.tasks.releaseOwner("demo", name);
      await store.teams.removeMember("demo", name);
      await store.presence.remove("demo", name);
      return `remove ${name}`;
    }
    case 1: {
      if (!isThere) return "nothing";
      const state = STATES[random(STATES.length)] ?? "idle";
      const at = Date.now();
      await store.presence.write("demo", name, {
        ...{ incarnation: "x", state, since: at, beat: at, tokens: random(1_000), ...store.process },
      });
      return `${name} is ${state}`;
    }
    case 2: {
      if (!isThere) return "nothing";
      await store.inboxes.send("demo", { from: "team-lead", to: [name], text: `Message ${random(1_000)}` });
      return `write to ${name}`;
    }
    case 3: {
      const { entries } = await store.inboxes.read("demo", name);
      await store.inboxes.markRead(
        "demo",
        name,
        entries.slice(0, 2).flatMap(({ msg_id }) => msg_id ?? []),
      );
      return `${name} reads`;
    }
    case 4:
      return `create #${(await store.tasks.create("demo", { subject: `Task ${random(99)}`, description: "" })).id}`;
    case 5: {
      if (id === undefined) return "nothing";
      const status = (["pending", "in_progress", "completed"] as const)[random(3)] ?? "pending";
      await store.tasks.update("demo", id, { status, ...(isThere ? { owner: name } : {}) }, user);
      return `#${id} is ${status}`;
    }
    default: {
      if (id === undefined || random(3) > 0) return "nothing";
      await store.tasks.update("demo", id, { status: "deleted" }, user);
      return `delete #${id}`;
    }
  }
}

/** What the files say, read without any code of ours. */
async function onDisk(root: string) {
  const json = async (file: string) => JSON.parse(await readFile(file, "utf8").catch(() => "null"));
  const team = path.join(root, "teams/demo");
  const { members } = await json(path.join(team, "config.json"));
  const taskFiles = (await readdir(path.join(root, "tasks/demo"))).filter((name) => /^\d+\.json$/.test(name));
  const tasks = await Promise.all(taskFiles.map((name) => json(path.join(root, "tasks/demo", name))));
  const rows = members.map(async ({ name }: { name: string }) => {
    const presence = await json(path.join(team, "muster/presence", `${name}.json`));
    const inbox: { read?: boolean }[] = (await json(path.join(team, "inboxes", `${name}.json`))) ?? [];
    return {
      name,
      state: presence?.state ?? "unknown",
      tokens: presence?.tokens ?? 0,
      unread: inbox.filter(({ read }) => !read).length,
    };
  });
  const open = tasks.filter(({ status }) => status !== "completed").length;
  return { members: await Promise.all(rows), tasks: { open, total: tasks.length } };
}

it("what the panel shows is what the files say, after each of 200 random changes by another program (row 53)", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const other = createStore({ root: temp.root });
  const watch = await openTeamWatch(temp.store, "demo", silentLogger);
  const random = numbers(53);
  const done = new Set<string>();
  for (let index = 0; index < STEPS; index += 1) {
    const what = await step(other, random).catch((error: Error) => `refused: ${error.message}`);
    done.add(what.replace(/[#\d].*|alice|bob|carol|dave/g, "").trim());
    const { config, presence, ...rest } = await watch.refresh();
    const people = peopleOf(config.members.map(({ name }) => ({ name, displayName: name, color: null })));
    const shown = panelState({
      ...snapshotFacts({ config, presence, ...rest }),
      ...{ team: "demo", readOnly: null, canContinue: false, scripted: false, folder: null, people, requests: [] },
      members: config.members.map(({ name }) =>
        factsOfPresence(name, presence.get(name) ?? null, "in-process", Date.now()),
      ),
      ...{ previews: new Map(), paused: null, answer: null, tokens: 0, cost: null, finished: null },
    });
    const members = shown.members.map(({ name, state, tokens, unread }) => ({ name, state, tokens, unread }));
    expect({ members, tasks: shown.tasks }, `step ${index}: ${what}`).toEqual(await onDisk(temp.root));
  }
  expect(done.size).toBeGreaterThan(8); // every kind of change was among them
  watch.dispose();
  other.dispose();
});
