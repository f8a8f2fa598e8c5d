import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn as spawnCall, team } from "../support/teamScripts.ts";

/**
 * From the write of a message by another process, which does nothing but write the inbox file, to the idle in-process
 * teammate's next request to the model: 100 messages one after another.
 */
const MESSAGES = 100;

const host = await openTeamHost(
  team({ "team-lead": script(calls(createTeam), calls(spawnCall("alice")), "Waiting.") }),
);
host.session.start("Measure.");
await host.rest();
const file = host.store.paths.team("demo").inbox("alice");
const writer = spawn(process.execPath, [path.join(import.meta.dirname, "children/inboxWriter.ts"), file], {
  stdio: ["pipe", "pipe", "inherit"],
});
const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
const times: number[] = [];
for (let n = 1; n <= MESSAGES; n += 1) {
  const arrival = new Promise<number>((resolve) => {
    const subscription = host.server.onRequest((record) => {
      if (record.member !== "alice") return;
      subscription.dispose();
      resolve(performance.timeOrigin + performance.now());
    });
  });
  writer.stdin.write(`Message ${n}\n`);
  const written = Number((await lines.next()).value);
  times.push((await arrival) - written);
  await host.until("rest", async () => {
    const { entries } = await host.store.inboxes.read("demo", "alice");
    const state = host.session.members().find((member) => member.name === "alice")?.state;
    return entries.length === n + 1 && entries.every((entry) => entry.read) && state === "idle" ? true : undefined;
  });
}
writer.stdin.end();
await once(writer, "exit");
await host[Symbol.asyncDispose]();
times.sort((a, b) => a - b);
const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
console.log(
  `delivery by a foreign process to an idle in-process teammate, write → request, ${times.length} messages: median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`,
);
