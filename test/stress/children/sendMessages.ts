import { isMusterError } from "../../../src/base/errors.ts";
import { createStore } from "../../../src/store/store.ts";
import { childInput, say } from "./childInput.ts";

/** Sends messages one after the other and says what became of each. */
interface Input {
  root: string;
  from: string;
  to: string[];
  count: number;
  /** First number; the text is `{from} {number}`. */
  start?: number;
  staleMs?: number;
  /** Begins none after this time (ms since the epoch). */
  until?: number;
}

const { root, from, to, count, start = 0, staleMs, until } = childInput<Input>();
const store = createStore({ root, locks: { timeoutMs: 600_000, ...(staleMs === undefined ? {} : { staleMs }) } });
await store.inboxes.replayOutbox("demo", from);
for (let index = start; index < start + count; index += 1) {
  if (until !== undefined && Date.now() > until) break;
  const recipient = to[index % to.length] ?? "";
  const text = `${from} ${index}`;
  const begun = performance.now();
  say({ invoke: text, to: recipient });
  try {
    await store.inboxes.send("demo", { from, to: [recipient], text });
    say({ ok: text, to: recipient, ms: performance.now() - begun });
  } catch (error) {
    if (!isMusterError(error)) throw error;
    say({ fail: text, to: recipient, reason: error.reason });
  }
}
store.dispose();
