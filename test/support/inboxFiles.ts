import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Entry } from "../../src/protocol/message.ts";
import type { Store } from "../../src/store/store.ts";

/** Where an inbox of the team `demo` lies. */
export const inboxPath = (root: string, agent: string) => join(root, `teams/demo/inboxes/${agent}.json`);

/** The entries of an inbox as they stand in the file. */
export const rawInbox = async (root: string, agent: string): Promise<Entry[]> =>
  JSON.parse(await readFile(inboxPath(root, agent), "utf8"));

/** The lines of a member's outbox. */
export const outboxLines = async (root: string, agent: string) =>
  (await readFile(join(root, `teams/demo/muster/outbox/${agent}.jsonl`), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { op: string; msg_id: string });

/** Alice writes to bob; `more` goes into the draft. */
export const sendToBob = (store: Store, text: string, more: object = {}) =>
  store.inboxes.send("demo", { from: "alice", to: ["bob"], text, ...more });

/** An inbox with so many entries, the last `unread` of them unread, as a foreign writer leaves it. */
export async function fillInbox(root: string, agent: string, count: number, unread = 0): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) => ({
    from: "alice",
    text: `old ${index}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
    msg_id: `old-${index}`,
    read: index < count - unread,
  }));
  await writeFile(inboxPath(root, agent), JSON.stringify(entries, null, 2));
}
