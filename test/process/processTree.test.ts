import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { groupLives, signalGroup } from "../../src/agent/tools/processGroup.ts";
import { endProcessTree } from "../../src/team/backends/processTree.ts";
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
});
