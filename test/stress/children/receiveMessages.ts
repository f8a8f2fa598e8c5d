import { messageId } from "../../../src/protocol/message.ts";
import { createStore } from "../../../src/store/store.ts";
import { watchInbox } from "../../../src/store/watcher.ts";
import { childInput, say } from "./childInput.ts";

/**
 * Takes messages as a runtime does: into the transcript first, then marked as read; what the transcript holds is not
 * taken again. Ends when `last` messages were taken, or never.
 */
const { root, agent, last, staleMs } = childInput<{ root: string; agent: string; last: number; staleMs: number }>();
const store = createStore({ root, locks: { timeoutMs: 60_000, staleMs } });
const owner = { team: "demo", agent };
const taken = new Set<string>();
for (const record of await store.transcripts.read(owner)) {
  if (record.kind === "input") for (const id of record.msgIds ?? []) taken.add(id);
}
const stop = new AbortController();
let wake = () => {};
watchInbox(store, "demo", agent, () => wake(), stop.signal);
say({ ready: agent });
while (taken.size < last) {
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
    setTimeout(resolve, 500);
  });
  const { entries } = await store.inboxes.read("demo", agent);
  const unread = entries.filter((entry) => !entry.read);
  const fresh = unread.filter((entry) => !taken.has(messageId(entry)));
  if (fresh.length > 0) {
    const content = fresh.map((entry) => ({ type: "text" as const, text: entry.text }));
    const msgIds = fresh.map(messageId);
    await store.transcripts.append(owner, {
      kind: "input",
      at: new Date().toISOString(),
      origin: "mail",
      content,
      msgIds,
    });
    for (const id of msgIds) taken.add(id);
  }
  await store.inboxes.markRead("demo", agent, unread.map(messageId));
  if (taken.size < last) await woken;
}
stop.abort();
store.dispose();
