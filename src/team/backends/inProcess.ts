import type { Tool } from "../../agent/types.ts";
import { errorMessage } from "../../base/errors.ts";
import type { RunningMember, SessionContext } from "../context.ts";
import { untilEarlierEnds } from "../resume/earlierProcess.ts";
import { runTeammate } from "../teammate.ts";
import { type Backend, type BackendHandle, type ExitReason, endedBefore } from "./backend.ts";

/** What the in-process backend needs of the session. */
export interface InProcessPorts {
  context(): SessionContext;
  toolsOf(running: RunningMember): readonly Tool[];
  /** Opens the member's mailroom. */
  prepare(running: RunningMember): Promise<void>;
  /** Called once the teammate runs; the session keeps the handle. */
  started(running: RunningMember, handle: BackendHandle): void;
}

/** Teammates as loops of this process. */
export function createInProcessBackend(ports: InProcessPorts): Backend {
  return {
    type: "in-process",
    async start(running) {
      await untilEarlierEnds(ports.context(), running);
      await ports.prepare(running);
      if (running.lifetime.signal.aborted) throw endedBefore(running);
      const stop = new AbortController();
      let killed = "";
      const exited = runTeammate(ports.context(), running, ports.toolsOf(running), stop.signal).then(
        (end): ExitReason => (end === "shutdown" ? { kind: "shutdown" } : { kind: "ended", reason: killed }),
        (error: unknown): ExitReason => ({ kind: "crashed", reason: errorMessage(error) }),
      );
      const handle: BackendHandle = {
        exited,
        kill(reason) {
          killed = reason;
          stop.abort();
        },
      };
      ports.started(running, handle);
      return handle;
    },
  };
}
