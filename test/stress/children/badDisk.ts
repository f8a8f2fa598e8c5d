import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isMusterError } from "../../../src/base/errors.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { addMember, createDemo } from "../../support/tempStore.ts";
import { childInput, say } from "./childInput.ts";

/**
 * Lets a disk go bad under a team, tries every kind of write, mends it and tries again. Says for each try what became of
 * it and whether the files are as before.
 */
const { root, trouble } = childInput<{ root: string; trouble: "full" | "readOnly" | "noPermission" | "noFiles" }>();
await mkdir(root, { recursive: true });
if (trouble === "full" || trouble === "readOnly")
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=384k", "tmpfs", root]);
const store = createStore({ root, patience: { unlockedMs: 20, lockedMs: 20 } });
await createDemo(store, "alice", "bob");
await store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "before" });
await store.tasks.create("demo", { subject: "before" });
await store.transcripts.append({ team: "demo", agent: "bob" }, session("before"));

const mend = await goBad();
for (const [name, write] of writes(store)) {
  const before = snapshotOf(root);
  const giveBack = trouble === "noFiles" ? takeAllFiles() : () => {};
  const reason = await write().then(
    () => "done",
    (error: unknown) => (isMusterError(error) ? error.reason : String(error)),
  );
  giveBack();
  say({ write: name, reason, unchanged: snapshotOf(root) === before });
}
const { entries } = await store.inboxes.read("demo", "bob");
say({ readable: entries.map((entry) => entry.text) });
await mend();
for (const [name, write] of writes(store)) {
  await write();
  say({ again: name });
}
const report = await store.doctor.check();
const mail = await store.inboxes.readAll("demo", "bob");
say({ faults: report.faults, texts: mail.entries.map((entry) => entry.text) });
store.dispose();
if (trouble === "full" || trouble === "readOnly") execFileSync("umount", [root]);

function writes(into: Store): [string, () => Promise<unknown>][] {
  return [
    ["send", () => into.inboxes.send("demo", { from: "alice", to: ["bob"], text: "message" })],
    [
      "mark",
      async () =>
        into.inboxes.markRead(
          "demo",
          "bob",
          (await into.inboxes.read("demo", "bob")).entries.flatMap((one) => one.msg_id ?? []),
        ),
    ],
    ["task", () => into.tasks.create("demo", { subject: "task" })],
    ["update", () => into.tasks.update("demo", "1", { description: `${Math.random()}` }, { by: "alice" })],
    ["transcript", () => into.transcripts.append({ team: "demo", agent: "bob" }, session("record"))],
    ["member", () => addMember(into, "demo", "carol")],
    [
      "team",
      () =>
        into.teams.create({
          name: `t-${Math.random().toString(36).slice(2, 8)}`,
          leadSessionId: "s",
          leadModel: "m",
          leadAgentType: "l",
          cwd: "/",
          now: 0,
        }),
    ],
  ];
}

/** Makes the disk bad; the result mends it. */
async function goBad(): Promise<() => Promise<void>> {
  switch (trouble) {
    case "full": {
      const filler = join(root, "filler");
      const file = openSync(filler, "w");
      for (let size = 65_536; size >= 1; size = size > 1 ? Math.floor(size / 2) : 0) fill(file, size);
      closeSync(file);
      return async () => rmSync(filler);
    }
    case "readOnly":
      execFileSync("mount", ["-o", "remount,ro", root]);
      return async () => void execFileSync("mount", ["-o", "remount,rw", root]);
    case "noPermission": {
      const dirs = [
        "teams",
        "teams/demo",
        "teams/demo/inboxes",
        "teams/demo/muster",
        "teams/demo/muster/outbox",
        "tasks/demo",
      ];
      const files = ["teams/demo/muster/outbox/alice.jsonl", "teams/demo/muster/transcripts/bob.jsonl"];
      for (const dir of dirs) await chmod(join(root, dir), 0o500);
      for (const file of files) await chmod(join(root, file), 0o400);
      return async () => {
        for (const dir of dirs) await chmod(join(root, dir), 0o700);
        for (const file of files) await chmod(join(root, file), 0o600);
      };
    }
    case "noFiles":
      return async () => {}; // they are taken for each write
  }
}

function fill(file: number, size: number): void {
  try {
    for (;;) writeSync(file, Buffer.alloc(size));
  } catch {
    // full, for writes of this size
  }
}

/** Opens files until the process may open no more; the result closes them. */
function takeAllFiles(): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    return () => {
      for (const file of taken) closeSync(file);
    };
  }
}

/** All that readers see of the files: neither locks nor what a writer writes aside. */
function snapshotOf(dir: string): string {
  return readdirSync(dir, { recursive: true })
    .map(String)
    .filter((name) => /\.(json|jsonl|md)$/.test(name) && !name.includes("outbox"))
    .sort()
    .map((name) => [name, statSync(join(dir, name)).isFile() ? readFileSync(join(dir, name), "utf8") : ""].join("\n"))
    .join("\n");
}

function session(sessionId: string) {
  return { kind: "session", at: "x", sessionId, agent: "bob" } as const;
}
