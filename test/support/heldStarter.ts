import type { ProcessHost } from "../../src/team/backends/process.ts";
import type { ProcessEnd, ProcessStarter } from "../../src/team/backends/processStarter.ts";

/** Another program that does nothing: it is not waited for. */
export const idleProgram: ProcessHost["program"] = { argv: ["idle"], isOwn: false, isSigned: false, env: {} };

/** "Starts" teammates without any process; `leave` says that one has ended. */
export function heldStarter(onKill: (name: string) => void | Promise<void> = () => {}) {
  const ends = new Map<string, PromiseWithResolvers<ProcessEnd>>();
  const leave = (name: string, reason = "exit code 1") => ends.get(name)?.resolve({ reason });
  const starter: ProcessStarter = {
    type: "tmux",
    async start({ name }) {
      const end = Promise.withResolvers<ProcessEnd>();
      ends.set(name, end);
      return {
        address: `%${ends.size}`,
        exited: end.promise,
        reveal: async () => {},
        kill: async () => {
          await onKill(name);
          leave(name, "signal SIGTERM");
        },
      };
    },
  };
  return { starter, leave };
}
