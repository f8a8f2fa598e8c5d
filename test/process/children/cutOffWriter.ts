import { existsSync } from "node:fs";
import path from "node:path";
import { createCommandGuard } from "../../../src/agent/tools/commandGuard.ts";
import { silentLogger } from "../../../src/base/logger.ts";
import { writeFileAtomic } from "../../../src/store/atomicFile.ts";
import { createLocks } from "../../../src/store/lock.ts";
import { hostMark, machineProcesses } from "../../../src/store/processIdentity.ts";
import { createStore } from "../../../src/store/store.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";

/**
 * A host of the state root `argv[2]` with the team demo, in the middle of two writes and of a spawn, with a lock. Says when
 * it is; its guard knows the root, and is disposed of where `argv[3]` says so.
 */
const store = createStore({ root: process.argv[2] ?? "" });
const guard = createCommandGuard();
guard.sweep(store.paths.outOfReach, await hostMark());
const { inboxes, own } = store.paths.team("demo");
const held = (file: string) =>
  new Promise<void>((resolve) => {
    const beforeRename = () => {
      resolve();
      return new Promise<void>(() => {});
    };
    void writeFileAtomic(nodeStoreFs, file, "{}", { beforeRename });
  });
await Promise.all([held(path.join(inboxes, "alice.json")), held(path.join(own, "lead.json"))]);
const locks = createLocks(nodeStoreFs, machineProcesses(), silentLogger);
const lock = path.join(inboxes, "alice.json.lock");
void locks.run(lock, () => new Promise(() => {}));
while (!existsSync(`${lock}.owner`)) await new Promise((resolve) => setTimeout(resolve, 5));
await store.spawns.write("demo", "alice", { nonce: "n" });
const edited = path.join(store.paths.root, ".edited.tmp");
guard.keep(edited);
guard.forget(edited);
if (process.argv[3] === "disposed") guard.dispose();
setInterval(() => {}, 1000);
console.log("held");
