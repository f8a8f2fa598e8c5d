import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { groupLives, signalGroup } from "../../src/agent/tools/processGroup.ts";
import { endProcessTree, hangUp } from "../../src/team/backends/processTree.ts";
import { eventually } from "../support/eventually.ts";

const leaderFile = path.join(import.meta.dirname, "children/guardedLeader.ts");

describe.skipIf(process.platform === "win32")("the forced end of a teammate's process", () => {
  it("leaves its guard alive, which removes the folder of its outputs", { timeout: 30_000 }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "muster-output-"));
    const leader = spawn(process.execPath, [leaderFile, folder], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(leader, "exit");
    const pid = leader.pid ?? 0;
    let command = 0;
    try {
      const [said] = await once(leader.stdout, "data");
      command = Number(said);
      await endProcessTree({ pid, startTime: null });
      await exited;
      await eventually("the command to end", () => !groupLives(command));
      await eventually("the folder to go", () => !existsSync(folder));
      expect(groupLives(pid)).toBe(false);
    } finally {
      for (const group of [pid, command]) if (group > 0) signalGroup(group, "SIGKILL");
    }
  });

  it("ends the process and its group where ps fails", async () => {
    const leader = spawn("/bin/sh", ["-c", "sleep 985 & echo; wait"], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(leader, "exit");
    const pid = leader.pid ?? 0;
    try {
      await once(leader.stdout, "data");
      await endProcessTree({ pid, startTime: null }, async () => "/nonexistent/ps");
      expect(await exited).toEqual([null, "SIGTERM"]);
      await eventually("its group to end", () => !groupLives(pid));
    } finally {
      signalGroup(pid, "SIGKILL");
    }
  });
});

describe.skipIf(process.platform === "win32")("a process whose terminal was closed", () => {
  it.each([
    { heeds: "heeds it", trap: "trap 'exit 7' HUP", graceMs: 60_000, end: [7, null] },
    { heeds: "does not heed it", trap: "trap '' HUP", graceMs: 200, end: [null, "SIGKILL"] },
  ])("has ended where it $heeds", async ({ trap, graceMs, end }) => {
    const child = spawn("/bin/sh", ["-c", `${trap}; echo; while :; do read line; done`], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    const exited = once(child, "exit");
    try {
      await once(child.stdout, "data");
      await hangUp({ pid: child.pid ?? 0, startTime: null }, graceMs);
      expect(await exited).toEqual(end);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
