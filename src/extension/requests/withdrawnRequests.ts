import type { WithdrawnRequest } from "../../protocol/panel.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import type { MemberView } from "../../team/types.ts";

/** Of more, the oldest are forgotten. */
const KEPT = 20;

/** The newest requests that were withdrawn, and what became of their members. */
export class WithdrawnRequests {
  private kept: { id: string; from: string; why: WithdrawnRequest["why"] }[] = [];

  get all(): readonly WithdrawnRequest[] {
    return this.kept.map(({ id, why }) => ({ id, why }));
  }

  add({ id, from }: PendingRequest): void {
    this.kept = [...this.kept, { id, from, why: "other" as const }].slice(-KEPT);
  }

  /** What became of a member shows a moment after its request was withdrawn; from then on it stays as it is. */
  update(members: readonly MemberView[]): void {
    for (const one of this.kept)
      if (one.why === "other") one.why = whyOf(members.find(({ name }) => name === one.from));
  }
}

function whyOf(member: MemberView | undefined): WithdrawnRequest["why"] {
  if (!member || member.state === "dead") return "stopped";
  return member.reason === "interrupted" ? "interrupted" : "other";
}
