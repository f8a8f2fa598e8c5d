import type { FileCache } from "./fileCache.ts";
import { withFileErrors } from "./fsErrors.ts";
import { type InboxRead, readWithArchive } from "./inboxReader.ts";
import type { StoreContext } from "./storeContext.ts";
import { type FinishedTeam, listFinished } from "./teamHistory.ts";

/** Finished teams, which are only read. `folder`: the name of a folder under `muster/history`, or its path. */
export interface HistoryStore {
  /** The latest first. */
  list(): Promise<FinishedTeam[]>;
  /** A member's messages, archive first. */
  inbox(folder: string, agent: string): Promise<InboxRead>;
}

/** The finished teams of a store. */
export function createHistoryStore(context: StoreContext, cache: FileCache): HistoryStore {
  const dir = context.paths.histories;
  return {
    list: () => withFileErrors("Finished teams cannot be listed", dir, () => listFinished(context, cache)),
    inbox: (folder, agent) =>
      withFileErrors(`The inbox of ${agent} cannot be read`, dir, () =>
        readWithArchive(context, cache, context.paths.finished(folder), agent),
      ),
  };
}
