import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createActivitySource } from "../../../../src/extension/teams/activitySource.ts";
import { TeamFiles } from "../../../../src/extension/teams/teamFiles.ts";
import { LEAD_NAME } from "../../../../src/protocol/names.ts";
import { type TranscriptRecord, ZERO_USAGE } from "../../../../src/protocol/transcript.ts";
import type { Store } from "../../../../src/store/store.ts";
import { addMember, createDemo, openTempStore } from "../../../support/tempStore.ts";

const STEPS = 200;
const NAMES = ["alice", "bob", "carol"];
const USER = { by: "user", isAgent: false } as const;
const AUDIT = { team: "demo", agent: LEAD_NAME };

type Random = (below: number) => number;
type Transcripts = Map<string, TranscriptRecord[]>;

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One thing that happens in the team; what it was. */
async function step(store: Store, transcripts: Transcripts, index: number, random: Random): Promise<string> {
  const name = NAMES[random(NAMES.length)] ?? "";
  const peer = NAMES[random(NAMES.length)] ?? "";
  const { tasks } = await store.tasks.list("demo");
  const id = [...tasks.keys()][random(Math.max(tasks.size, 1))] ?? "";
  const at = new Date().toISOString();
  switch (random(10)) {
    case 0:
      await store.inboxes.send("demo", { from: name, to: [peer], text: `Words ${index}` });
      return "word";
    case 1:
      await store.inboxes.send("demo", { from: LEAD_NAME, to: NAMES, text: `Words to all ${random(5)}` });
      return "word to all";
    case 2: {
      const idle = { type: "idle_notification", from: name, timestamp: at, idleReason: "available" };
      await store.inboxes.send("demo", { from: name, to: [LEAD_NAME], text: JSON.stringify(idle) });
      return "idle";
    }
    case 3:
      return `create ${(await store.tasks.create("demo", { subject: `Task ${index}`, description: "" })).id}`;
    case 4:
      await store.tasks.update("demo", id, { status: "in_progress", owner: name }, USER);
      return "start";
    case 5:
      await store.tasks.update("demo", id, { status: random(2) === 0 ? "completed" : "deleted" }, USER);
      return "end of a task";
    case 6: {
      await store.audit.append(AUDIT, { event: random(2) === 0 ? "paused" : "resumed", at });
      return "line of the log";
    }
    case 7: {
      const call = `call-${index}`;
      const input = { subject: `Own ${index}` };
      const content = [{ type: "tool_use" as const, id: call, name: "TaskCreate", input }];
      const result = { type: "tool_result" as const, tool_use_id: call, content: `Task #${900 + index} created` };
      transcripts.set(name, transcripts.get(name) ?? []);
      transcripts
        .get(name)
        ?.push(
          { kind: "reply", at, model: "haiku", content, stopReason: "tool_use", usage: ZERO_USAGE },
          { kind: "tool_result", at, result, ms: 1 },
        );
      return "call";
    }
    case 8: {
      const file = store.paths.team("demo").inbox(name);
      const entries: { text: string }[] = JSON.parse(await readFile(file, "utf8"));
      const other = entries.map((entry, place) => (place === 0 ? { ...entry, text: `Other words ${index}` } : entry));
      await writeFile(file, JSON.stringify(random(2) === 0 ? other : other.slice(1)));
      return "another program";
    }
    default:
      if ((await store.teams.read("demo")).members.some((member) => member.name === peer))
        await store.teams.removeMember("demo", peer);
      else await addMember(store, "demo", peer);
      return "member";
  }
}

it("the activity that is kept up equals the one from scratch, after each of 200 random steps", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store, ...NAMES);
  const files = new TeamFiles();
  const transcripts: Transcripts = new Map();
  const parts = { files, audit: store.audit, owners: () => [AUDIT], transcripts: () => transcripts };
  const kept = createActivitySource(parts);
  const random = numbers(11);
  const done = new Set<string>();
  for (let index = 0; index < STEPS; index += 1) {
    done.add(await step(store, transcripts, index, random).catch((error: Error) => `refused: ${error.message}`));
    files.take(await store.snapshots.read("demo"));
    const facts = await kept();
    expect(facts, `step ${index}`).toEqual(await createActivitySource(parts)());
    expect(new Set(facts.map(({ id }) => id)).size, `step ${index}: each thing once`).toBe(facts.length);
    const order = facts.map(({ at }) => at);
    expect(order, `step ${index}: newest first`).toEqual(order.toSorted((one, other) => other - one));
  }
  const whats = new Set((await kept()).map(({ event }) => event.what));
  expect([...whats]).toEqual(
    expect.arrayContaining(["wrote", "idle", "created", "started", "finished", "paused", "joined"]),
  );
  expect([...done].filter((what) => !/^(refused|create)/.test(what)).length).toBe(9);
  files.dispose();
});

it("what happened before is the same object after a change elsewhere", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store, ...NAMES);
  await store.inboxes.send("demo", { from: LEAD_NAME, to: ["alice"], text: "First." });
  const files = new TeamFiles();
  const parts = { files, audit: store.audit, owners: () => [AUDIT], transcripts: () => new Map() };
  const kept = createActivitySource(parts);
  const look = async (text: string) => {
    files.take(await store.snapshots.read("demo"));
    return (await kept()).find(({ event }) => event.what === "wrote" && event.text === text);
  };
  const first = await look("First.");
  await store.inboxes.send("demo", { from: "bob", to: ["alice"], text: "Second." });
  expect(first).toBeDefined();
  expect(await look("First.")).toBe(first);
  expect(await look("Second.")).toBeDefined();
  files.dispose();
});
