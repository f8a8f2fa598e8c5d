import path from "node:path";
import type { FileChange, ToolEnvironment } from "../../agent/tools/toolEnvironment.ts";
import { pathIn } from "../../base/pathIn.ts";
import type { Author, WorkRecord } from "./workRecord.ts";

/** What a member's tools tell the record; its plans, below `plans`, are no changes of the project. */
export function toolRecord(
  work: WorkRecord,
  author: () => Author,
  plans: string,
): Required<Pick<ToolEnvironment, "onFileChange" | "onFileChanged" | "onFileChangeFailed" | "onCommand">> {
  const ids = new WeakMap<FileChange, string>();
  return {
    async onFileChange(change) {
      if (pathIn(plans, change.path, path)) return;
      ids.set(change, await work.change(author(), change));
    },
    async onFileChanged(change) {
      const id = ids.get(change);
      if (id !== undefined) await work.made(author().owner, { id, path: change.path });
    },
    async onFileChangeFailed(change) {
      const id = ids.get(change);
      if (id !== undefined) await work.takeBack(author().owner, id);
    },
    onCommand: (toolUseId) => work.command(author, toolUseId),
  };
}
