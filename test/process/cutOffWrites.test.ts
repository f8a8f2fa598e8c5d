import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { groupLives } from "../../src/agent/tools/processGroup.ts";
import { lockInstance } from "../../src/store/lockOwner.ts";
import { hostMark } from "../../src/store/processIdentity.ts";
import { nodeStoreFs } from "../../src/store/storeFs.ts";
import { eventually } from "../support/eventually.ts";
import { createDemo, openTempStore, type TempStore } from "../support/tempStore.ts";

const writerFile = path.join(import.meta.dirname, "children/cutOffWriter.ts");

let temp: TempStore;
let writer: ChildProcess | undefined;

beforeEach(async () => {
  temp = await openTempStore();
  await createDemo(temp.store, "alice");
});
afterEach(async () => {
  writer?.kill("SIGKILL");
  await temp[Symbol.asyncDispose]();
});

/** A host in the middle of its writes; resolves once it is. */
async function startWriter(...args: string[]): Promise<number> {
  const child = spawn(process.execPath, [writerFile, temp.root, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  writer = child;
  await once(child.stdout, "data");
  return child.pid ?? 0;
}

/** Its guard leads a group of its own. */
function guardOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
}

function filesOf(pid: number): string[] {
  return globSync(`**/*.${pid}.*`, { cwd: temp.root }).sort();
}

async function killed(child: ChildProcess | undefined): Promise<void> {
  const exited = child && once(child, "exit");
  child?.kill("SIGKILL");
  await exited;
}

describe.skipIf(process.platform !== "linux")("a kill -9 in the middle of writes", () => {
  it("leaves no temporary file and no key; files of others and the files themselves stay", async () => {
    const pid = await startWriter();
    expect(filesOf(pid)).toEqual([
      expect.stringMatching(/^teams\/demo\/inboxes\/alice\.json\.\d+\.[0-9a-f]{8}\.tmp$/),
      expect.stringMatching(/^teams\/demo\/muster\/lead\.json\.\d+\.[0-9a-f]{8}\.tmp$/),
      expect.stringMatching(/^teams\/demo\/muster\/spawn\/alice\.\d+\.[0-9a-f]{8}\.json$/),
    ]);
    const { inboxes, spawns, config } = temp.store.paths.team("demo");
    const mark = await hostMark();
    for (const file of filesOf(pid)) expect(file).toContain(`.${pid}.${mark}`);
    const elsewhere = mark === "0a1" ? "0a2" : "0a1"; // a process of the same number, on another machine
    const others = [
      path.join(inboxes, `alice.json.${pid}0.${mark}b2c3d.tmp`),
      path.join(inboxes, `alice.json.${pid}.${elsewhere}b2c3d.tmp`),
      path.join(spawns, `alice.${pid}.${elsewhere}b2c3d.json`),
      path.join(temp.root, ".edited.tmp"),
    ];
    await Promise.all(others.map((file) => writeFile(file, "{}")));
    const guard = guardOf(pid);
    await killed(writer);
    await eventually("its guard to go", () => !groupLives(guard));
    expect(filesOf(pid)).toHaveLength(2);
    expect([...others, config].filter((file) => existsSync(file))).toEqual([...others, config]);
  });

  it("leaves no lock of its own; one that another took since, and one that nobody has signed, stay", async () => {
    const pid = await startWriter();
    const { inboxes } = temp.store.paths.team("demo");
    const own = path.join(inboxes, "alice.json.lock");
    const others = ["a", "b", "c", "d", "e"].map((name) => path.join(inboxes, `${name}.lock`));
    const [anothers, elsewhere, otherSpace, , taken] = others; // the fourth is not signed
    const owner = JSON.parse(readFileSync(`${own}.owner`, "utf8"));
    const [machine] = owner.host.split("#");
    for (const lock of others) mkdirSync(lock);
    const instances = await Promise.all(others.map(async (lock) => lockInstance(await nodeStoreFs.stat(lock))));
    await writeFile(`${anothers}.owner`, JSON.stringify({ ...owner, pid: pid + 1, instance: instances[0] }));
    await writeFile(`${elsewhere}.owner`, JSON.stringify({ ...owner, host: `${machine}-2`, instance: instances[1] }));
    const inSpace = { ...owner, host: `${machine}#pid:[1]`, instance: instances[2] };
    await writeFile(`${otherSpace}.owner`, JSON.stringify(inSpace));
    await writeFile(`${taken}.owner`, JSON.stringify(owner)); // of the folder that was there before
    const guard = guardOf(pid);
    await killed(writer);
    await eventually("its guard to go", () => !groupLives(guard));
    expect([own, `${own}.owner`].filter((file) => existsSync(file))).toEqual([]);
    expect(others.filter((file) => existsSync(file))).toEqual(others);
  });

  it("of a team that had ended in a process that goes on, takes nothing of that process's", async () => {
    const pid = await startWriter("disposed");
    await eventually("the guard to go", () => guardOf(pid) === 0);
    expect(filesOf(pid)).toHaveLength(3);
  });
});
