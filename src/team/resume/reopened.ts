import { inputDigest } from "../../protocol/digest.ts";
import type { PendingRequest, PermissionRequest, PlanRequest } from "../../protocol/request.ts";

/** Requests that waited when an earlier process of the session ended. Each is taken up once, by whom it belongs to. */
export class ReopenedRequests {
  private readonly waiting = new Map<string, PendingRequest>();

  constructor(requests: Iterable<PendingRequest>) {
    for (const request of requests) this.waiting.set(request.id, request);
  }

  /** Those that nobody has taken up yet. */
  get left(): PendingRequest[] {
    return [...this.waiting.values()];
  }

  /** The request of a call, forgotten from here on. */
  takeCall(from: string, toolUseId: string): PermissionRequest | undefined {
    return this.take(
      (request): request is PermissionRequest =>
        request.kind === "permission" && request.from === from && request.toolUseId === toolUseId,
    );
  }

  /** The plan that a member had handed in, forgotten from here on. */
  takePlan(from: string): PlanRequest | undefined {
    return this.take((request): request is PlanRequest => request.kind === "plan" && request.from === from);
  }

  /** A request that nobody will take up. */
  drop(id: string): void {
    this.waiting.delete(id);
  }

  private take<R extends PendingRequest>(fits: (request: PendingRequest) => request is R): R | undefined {
    const found = [...this.waiting.values()].find(fits);
    if (found) this.waiting.delete(found.id);
    return found;
  }
}

/** Whether a call asks for what its earlier request asked for. */
export function asksTheSame(earlier: PermissionRequest, now: PermissionRequest): boolean {
  return inputDigest(earlier.tool, earlier.input) === inputDigest(now.tool, now.input) && earlier.cwd === now.cwd;
}
