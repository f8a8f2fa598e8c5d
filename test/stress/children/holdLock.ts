import { open, readFile, unlink } from "node:fs/promises";
import { silentLogger } from "../../../src/base/logger.ts";
import { createLocks, type HeldLock } from "../../../src/store/lock.ts";
import { machineProcesses } from "../../../src/store/processIdentity.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";
import { childInput, say } from "./childInput.ts";

/**
 * Takes locks, each at its time, so that all contenders come at once, and says when it asked (ms since the epoch) and
 * when it entered. Who is inside makes a file that must not exist: where it does, two are inside. `die`: is killed inside
 * the first one, once it has said that it is the owner (who is killed before that is followed when the lock is stale);
 * `lingerMs`: stays so long inside.
 */
interface Input {
  rounds: { lock: string; at: number }[];
  staleMs: number;
  die?: boolean;
  lingerMs?: number;
}

const { rounds, staleMs, die, lingerMs = 2 } = childInput<Input>();
const locks = createLocks(nodeStoreFs, machineProcesses(), silentLogger, { staleMs, timeoutMs: 60_000 });
for (const { lock, at } of rounds) {
  await sleep(Math.max(0, at - Date.now()));
  const asked = Date.now();
  await locks.run(lock, (held) => inside(lock, asked, held));
}

async function inside(lock: string, asked: number, held: HeldLock): Promise<void> {
  const marker = `${lock}.inside`;
  const alone = await open(marker, "wx").then(
    async (file) => {
      await file.close();
      return true;
    },
    () => false,
  );
  say({ lock, alone, asked, entered: Date.now() });
  await sleep(lingerMs);
  if (die) {
    while (!(await isThere(`${lock}.owner`))) await sleep(1);
    process.kill(process.pid, "SIGKILL");
  }
  const ours = await held.assertHeld().then(
    () => true,
    () => false,
  );
  if (alone) await unlink(marker).catch(() => {}); // taken from us, with what was ours
  say({ lock, ours });
}

/** Whole, not only begun. */
async function isThere(file: string): Promise<boolean> {
  return (await readFile(file, "utf8").catch(() => "")).endsWith("}");
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
