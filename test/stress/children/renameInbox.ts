import { renameSync, writeFileSync } from "node:fs";
import { childInput, say } from "./childInput.ts";

/** Writes an inbox anew, again and again, and says when each rename was done (ms since the epoch). */
const { path, count, everyMs } = childInput<{ path: string; count: number; everyMs: number }>();
for (let index = 0; index < count; index += 1) {
  const entry = { from: "alice", text: `message ${index}`, timestamp: new Date().toISOString(), msg_id: `id-${index}` };
  writeFileSync(`${path}.writing`, JSON.stringify([entry], null, 2));
  const at = performance.timeOrigin + performance.now();
  renameSync(`${path}.writing`, path);
  say({ at });
  await new Promise((resolve) => setTimeout(resolve, everyMs));
}
