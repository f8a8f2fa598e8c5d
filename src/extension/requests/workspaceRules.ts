import type { Logger } from "../../base/logger.ts";
import { createStore } from "../../store/store.ts";
import { type Loosening, loosenings } from "../../team/requests/rulesInForce.ts";

/** What a workspace's own settings file wants beside tightening, as it was read. */
export interface WorkspaceReview {
  path: string;
  /** What would count once it is accepted; none where there is nothing to accept. */
  loosenings: Loosening[];
  /** Accepts exactly what was read. Throws `not_ready` where the file has changed since. */
  accept(): Promise<void>;
}

/** Reads the settings that `folder` brings along. Throws `corrupt` where they cannot be read. */
export async function readWorkspaceRules(folder: string, stateRoot: string, logger: Logger): Promise<WorkspaceReview> {
  const store = createStore({ root: stateRoot, logger });
  try {
    const project = await store.pathFs.realpath(folder);
    const read = await store.settings.workspace(project);
    const accept = async () => {
      const writer = createStore({ root: stateRoot, logger });
      try {
        await writer.settings.acceptWorkspace(project, read.digest ?? "");
      } finally {
        writer.dispose();
      }
    };
    return { path: read.path, loosenings: loosenings(read), accept };
  } finally {
    store.dispose();
  }
}
