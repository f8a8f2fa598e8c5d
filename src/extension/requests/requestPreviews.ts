import type { RequestPreview } from "../../protocol/panel.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import { editedPath, previewOf } from "../../team/views/previews.ts";

/** What the waiting requests will do. An edit is compared with its file once, when it begins to wait. */
export class RequestPreviews {
  private readonly kept = new Map<string, RequestPreview>();
  private readonly readFile: (request: PendingRequest) => Promise<string | null>;
  private readonly changed: () => void;

  /** `changed` is called when a file was read. */
  constructor(readFile: (request: PendingRequest) => Promise<string | null>, changed: () => void) {
    this.readFile = readFile;
    this.changed = changed;
  }

  get all(): ReadonlyMap<string, RequestPreview> {
    return this.kept;
  }

  /** These requests wait now. */
  update(requests: readonly PendingRequest[]): void {
    const waiting = new Set(requests.map(({ id }) => id));
    for (const id of this.kept.keys()) if (!waiting.has(id)) this.kept.delete(id);
    for (const request of requests) {
      if (request.kind !== "permission" || this.kept.has(request.id)) continue;
      this.kept.set(request.id, previewOf(request, null));
      if (editedPath(request) !== null) void this.compare(request);
    }
  }

  private async compare(request: Extract<PendingRequest, { kind: "permission" }>): Promise<void> {
    const current = await this.readFile(request);
    if (current === null || !this.kept.has(request.id)) return;
    this.kept.set(request.id, previewOf(request, current));
    this.changed();
  }
}
