import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshotFacts } from "../../../../src/extension/teams/snapshotFacts.ts";
import { createDemo, openTempStore } from "../../../support/tempStore.ts";

const entry = (text: string, read: boolean) => ({
  ...{ from: "alice", text, timestamp: "2026-01-01T00:00:00.000Z", msg_id: text, read },
});

test("what was moved out of an inbox is shown with the rest, and is not unread", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice", "Ann Lee");
  const [, , ann] = (await store.teams.read("demo")).members;
  const name = ann?.name ?? "";
  await store.inboxes.send("demo", { from: "alice", to: [name], text: "first" });
  const old = Array.from({ length: 1_000 }, (_, index) => entry(`old ${index}`, true));
  await writeFile(join(root, `teams/demo/inboxes/${name}.json`), JSON.stringify(old));
  await store.inboxes.send("demo", { from: "alice", to: [name], text: "new" });
  const snapshot = await store.snapshots.read("demo");
  const mail = snapshotFacts(snapshot).mail.get(name);
  expect(snapshot.inboxes.get(name)?.entries).toHaveLength(201);
  expect(mail?.unread).toBe(1);
  expect(mail?.entries.map(({ text }) => text)).toEqual([...old.map(({ text }) => text), "new"]);
});

test("an entry that a writer left in both places is shown once", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice");
  await mkdir(join(root, "teams/demo/muster/archive"), { recursive: true });
  await mkdir(join(root, "teams/demo/inboxes"), { recursive: true });
  const [both, archived] = [entry("both", true), entry("archived", true)];
  const lines = [archived, both].map((one) => `${JSON.stringify(one)}\n`).join("");
  await writeFile(join(root, "teams/demo/muster/archive/alice.jsonl"), lines);
  await writeFile(join(root, "teams/demo/inboxes/alice.json"), JSON.stringify([both]));
  await new Promise((resolve) => setTimeout(resolve, 80)); // dates this fresh are not trusted
  const first = await store.snapshots.read("demo");
  expect(
    snapshotFacts(first)
      .mail.get("alice")
      ?.entries.map(({ text }) => text),
  ).toEqual(["archived", "both"]);
  expect((await store.snapshots.read("demo")).archives.get("alice")).toBe(first.archives.get("alice"));
});
