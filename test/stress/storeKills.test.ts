import { expect, test } from "vitest";
import { reachOf } from "../support/longRows.ts";
import { createDemo, openTempStore } from "../support/tempStore.ts";
import { fastRoot, finished, startChild } from "./storeProcesses.ts";

/** What the senders said, by text: `invoke` before a send, `ok` or `fail` after it, nothing where they were killed. */
type History = Map<string, { to: string; outcome: "unknown" | "ok" | "fail" }>;

const WRITERS = 8;
const READERS = ["reader-0", "reader-1", "reader-2"];
const reach = reachOf("kills");
const KILLS = reach.pick(300, 10_000);
/** A lock whose holder died before it could say who it is frees itself after this time; 10 s outside of tests. */
const staleMs = 1_500;

test("random kill -9 of senders and receivers loses nothing, and the model sees nothing twice", {
  timeout: reach.timeout(300_000),
}, async () => {
  await using temp = await openTempStore({ root: await fastRoot(), locks: { staleMs } });
  const { store, root } = temp;
  const writers = Array.from({ length: WRITERS }, (_, index) => `writer-${index}`);
  await createDemo(store, ...READERS, ...writers);
  const history: History = new Map();
  const until = reach.until();
  let kills = 0;

  const killed = async (script: string, input: () => object) => {
    while (kills < KILLS && Date.now() < until) {
      const process = await startChild(script, input(), (line) => note(history, line));
      // in the middle of some message: after a few lines and a few milliseconds
      await Promise.race([linesSaid(process.said, 1 + Math.floor(Math.random() * 8), script), process.done]);
      await pause(Math.random() * 20);
      process.child.kill("SIGKILL");
      kills += 1;
      const { signal, errors } = await process.done;
      expect(signal, errors).toBe("SIGKILL");
    }
  };
  const nextOf = (from: string) => [...history.keys()].filter((text) => text.startsWith(`${from} `)).length;
  const sending = (from: string) => ({ root, from, to: READERS, count: 100_000, start: nextOf(from), staleMs });
  await Promise.all([
    ...writers.map((from) => killed("sendMessages", () => sending(from))),
    ...READERS.map((agent) =>
      killed("receiveMessages", () => ({ root, agent, last: Number.MAX_SAFE_INTEGER, staleMs })),
    ),
  ]);

  // a last start of everybody: what was left is sent and taken
  await Promise.all(
    writers.map((from) => finished(startChild("sendMessages", { root, from, to: READERS, count: 0, staleMs }))),
  );
  for (const agent of READERS) {
    const { entries } = await store.inboxes.readAll("demo", agent);
    await finished(startChild("receiveMessages", { root, agent, last: entries.length, staleMs }));
  }

  const seen = await seenBy(store);
  const sent = [...history].filter(([, { outcome }]) => outcome === "ok");
  const lost = sent.filter(([text, { to }]) => !seen.get(to)?.includes(text));
  const all = [...seen.values()].flat();
  reach.reached(kills);
  console.log(
    `${kills} kills, ${sent.length} acknowledged, ${history.size} begun, ${all.length} seen, ${lost.length} lost`,
  );
  expect(sent.length).toBeGreaterThan(0);
  expect(lost).toEqual([]);
  expect(new Set(all).size).toBe(all.length); // nothing twice
  expect(all.filter((text) => !history.has(text))).toEqual([]);
  expect(all.filter((text) => history.get(text)?.outcome === "fail")).toEqual([]);
  for (const [reader, texts] of seen) {
    for (const writer of writers) {
      const own = texts.filter((text) => text.startsWith(`${writer} `)).map((text) => Number(text.split(" ")[1]));
      expect(own, `${writer} to ${reader}`).toEqual([...own].sort((a, b) => a - b));
    }
  }
  expect(temp.faults).toEqual([]);
  await store.sweep(0); // what was killed in between leaves temporary files
  expect((await store.doctor.check()).faults).toEqual([]);
});

async function seenBy(store: Awaited<ReturnType<typeof openTempStore>>["store"]): Promise<Map<string, string[]>> {
  const seen = new Map<string, string[]>();
  for (const agent of READERS) {
    const records = await store.transcripts.read({ team: "demo", agent });
    const blocks = records.flatMap((record) => (record.kind === "input" ? record.content : []));
    seen.set(
      agent,
      blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])),
    );
  }
  return seen;
}

function note(history: History, line: unknown): void {
  const { invoke, ok, fail, to = "" } = line as { invoke?: string; ok?: string; fail?: string; to?: string };
  if (invoke !== undefined) history.set(invoke, { to, outcome: "unknown" });
  if (ok !== undefined) history.set(ok, { to, outcome: "ok" });
  if (fail !== undefined) history.set(fail, { to, outcome: "fail" });
}

/** A receiver says one line only, and then works on. */
async function linesSaid(said: readonly unknown[], lines: number, script: string): Promise<void> {
  while (said.length < (script === "receiveMessages" ? 1 : lines)) await pause(2);
  if (script === "receiveMessages") await pause(Math.random() * 400);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
