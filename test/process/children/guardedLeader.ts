import { spawn } from "node:child_process";
import { createCommandGuard } from "../../../src/agent/tools/commandGuard.ts";

/**
 * A teammate's process that does not end when it is asked to: it leads its group, keeps the folder `argv[2]`, and has a
 * command that is as unwilling. Says the command's pid.
 */
process.on("SIGTERM", () => {});
const guard = createCommandGuard();
guard.keep(process.argv[2] ?? "");
const command = spawn("/bin/sh", ["-c", "trap '' TERM; echo; while :; do sleep 1; done"], {
  detached: true,
  stdio: ["ignore", "pipe", "ignore"],
});
command.stdout.once("data", () => {
  if (command.pid !== undefined) guard.watch(command.pid);
  console.log(command.pid);
});
