import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMAND_MARK, type CommandGuard, createCommandGuard } from "../../../../src/agent/tools/commandGuard.ts";
import { endGroup, groupLives, signalGroup } from "../../../../src/agent/tools/processGroup.ts";
import { eventually } from "../../../support/eventually.ts";
import { isAlive } from "../../../support/traces.ts";

let guard: CommandGuard;
const started: number[] = [];

beforeEach(() => {
  guard = createCommandGuard();
});
afterEach(() => {
  guard.dispose();
  for (const group of started.splice(0)) signalGroup(group, "SIGKILL");
});

/** A process group of this test, as a command is one. */
async function group(command: string, env: Record<string, string> = {}): Promise<number> {
  const child = spawn("/bin/sh", ["-c", `echo; ${command}`], {
    detached: true,
    env: { PATH: "/usr/bin:/bin", ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const pid = child.pid ?? 0;
  started.push(pid);
  await once(child.stdout, "data");
  return pid;
}

/** A process group whose one process is to end at once, and is fetched by nobody: its parent does not look. */
async function unfetched(): Promise<number> {
  const parent = spawn("/bin/sh", ["-c", "setsid sleep 60 & echo $!; exec sleep 60"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(parent.pid ?? 0);
  const [said] = await once(parent.stdout, "data");
  await eventually("its group", () => groupLives(Number(said)));
  return Number(said);
}

// Disposing of it is, for the guard, what the end of its host is: its standard input ends.
describe.skipIf(process.platform === "win32")("the guard of a host's commands", () => {
  it("ends the groups that are listed, one that does not want to end too, and no other", async () => {
    const willing = await group("sleep 60");
    const unwilling = await group("trap '' TERM; while :; do sleep 1; done");
    const bystander = await group("sleep 60");
    const released = await group("sleep 60");
    for (const one of [willing, unwilling, released]) guard.watch(one);
    guard.release(released);
    guard.dispose();
    await eventually("both to end", () => !groupLives(willing) && !groupLives(unwilling));
    expect([groupLives(bystander), groupLives(released)]).toEqual([true, true]);
  });

  it.skipIf(process.platform !== "linux")("does not wait for what has ended and is not fetched", async () => {
    const [ended, unwilling] = [await unfetched(), await group("trap '' TERM; while :; do sleep 1; done")];
    const folder = mkdtempSync(path.join(tmpdir(), "muster-output-"));
    guard.keep(folder);
    guard.watch(ended);
    const other = createCommandGuard();
    other.watch(unwilling);
    for (const one of [other, guard]) one.dispose();
    await eventually("the folder to go", () => !existsSync(folder));
    expect([groupLives(ended), isAlive(unwilling)]).toEqual([true, true]);
  });

  it.skipIf(process.platform !== "linux")("finds what left its group by its mark", async () => {
    const command = await group("sleep 60");
    const marked = await group("sleep 60", { [COMMAND_MARK]: `${guard.id}.member.command` });
    const other = await group("sleep 60", { [COMMAND_MARK]: `${crypto.randomUUID()}.member.command` });
    guard.watch(command);
    guard.release(command);
    guard.dispose();
    await eventually("the marked one to end", () => !groupLives(marked));
    expect([groupLives(command), groupLives(other)]).toEqual([true, true]);
  });

  it("removes the folders of outputs, whatever they are called", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "muster output-$(x) 'y' "));
    guard.keep(folder);
    expect(existsSync(folder)).toBe(true);
    guard.dispose();
    await eventually("the folder to go", () => !existsSync(folder));
  });
});

it.skipIf(process.platform !== "linux")(
  "what has ended and is not fetched holds up the end of no command",
  async () => {
    const [ended, unwilling] = [await unfetched(), await group("trap '' TERM; while :; do sleep 1; done")];
    const unwillingEnds = endGroup(unwilling);
    await endGroup(ended);
    expect([groupLives(ended), isAlive(unwilling)]).toEqual([true, true]);
    await unwillingEnds;
  },
);
