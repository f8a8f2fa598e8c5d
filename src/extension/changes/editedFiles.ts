import { resolveToolPath } from "../../agent/tools/filePaths.ts";
import type { PendingRequest, PermissionRequest } from "../../protocol/request.ts";
import { editedPath } from "../../team/views/previews.ts";
import type { SharedFiles } from "./sharedFiles.ts";

/** Knows of the requests that wait which other members have changed the file that each would change. */
export class EditedFiles {
  private readonly shared: Pick<SharedFiles, "look" | "membersOf">;
  private readonly onChange: () => void;
  /** Id of a request → its file as the record of changes names it; null: it has none, or that is not known yet. */
  private readonly files = new Map<string, string | null>();

  /** `onChange` is called when it is found that others changed the file of a request that has just come. */
  constructor(shared: Pick<SharedFiles, "look" | "membersOf">, onChange: () => void) {
    this.shared = shared;
    this.onChange = onChange;
  }

  /** These requests wait now. */
  update(requests: readonly PendingRequest[]): void {
    const waiting = new Set(requests.map(({ id }) => id));
    for (const id of this.files.keys()) if (!waiting.has(id)) this.files.delete(id);
    for (const request of requests) {
      if (request.kind !== "permission" || this.files.has(request.id)) continue;
      this.files.set(request.id, null);
      const path = editedPath(request);
      if (path !== null) void this.find(request, path);
    }
  }

  /** Members but the one that asks, in order of their first change. */
  othersOf({ id, from }: Pick<PermissionRequest, "id" | "from">): readonly string[] {
    const file = this.files.get(id) ?? null;
    return file === null ? [] : this.shared.membersOf(file).filter((member) => member !== from);
  }

  private async find(request: PermissionRequest, path: string): Promise<void> {
    const file = await fileOf(path, request.cwd);
    if (file === null || !this.files.has(request.id)) return;
    this.files.set(request.id, file);
    await this.shared.look(); // what was changed before this window took over, or in another process
    if (this.othersOf(request).length > 0) this.onChange();
  }
}

/** The file that a call of Write or Edit would change, without links; null for what no tool can change. */
async function fileOf(path: string, cwd: string): Promise<string | null> {
  try {
    return (await resolveToolPath(path, { cwd, env: {} })).real;
  } catch {
    return null;
  }
}
