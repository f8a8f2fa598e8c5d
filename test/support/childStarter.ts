import { spawn } from "node:child_process";
import type { ProcessStarter } from "../../src/team/backends/processStarter.ts";

/** Starts teammates as plain children of this process, ends them by a signal, and keeps what each has printed. */
export function childStarter(
  ending: NodeJS.Signals = "SIGTERM",
): ProcessStarter & { output: Map<string, string>; pids: Map<string, number> } {
  const output = new Map<string, string>();
  const pids = new Map<string, number>();
  return {
    type: "tmux",
    output,
    pids,
    async start({ name, argv, env, cwd }) {
      const [program = "", ...args] = argv;
      const child = spawn(program, args, { env: { ...env }, cwd, stdio: ["ignore", "pipe", "pipe"] });
      output.set(name, "");
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (data: Buffer) => output.set(name, (output.get(name) ?? "") + data.toString()));
      const exited = new Promise<{ reason: string }>((resolve) => {
        child.on("exit", (code, signal) => resolve({ reason: signal ? `signal ${signal}` : `exit code ${code}` }));
        child.on("error", (error) => resolve({ reason: error.message }));
      });
      if (child.pid !== undefined) pids.set(name, child.pid);
      return {
        address: `%${child.pid}`,
        exited,
        reveal: async () => {},
        kill: async () => {
          child.kill(ending);
          await exited;
        },
      };
    },
  };
}
