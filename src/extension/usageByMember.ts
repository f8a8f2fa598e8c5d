import { addUsage, totalTokens, type Usage, ZERO_USAGE } from "../protocol/transcript.ts";
import type { ModelCatalog } from "../team/models.ts";
import { costOf } from "../team/views/memberRows.ts";

/** Tokens of every member that ever was, with the model that it used. */
export class UsageByMember {
  private readonly members = new Map<string, { model: string; usage: Usage }>();

  /** A member uses this model from here on. */
  learn(member: string, model: string): void {
    this.members.set(member, { model, usage: this.members.get(member)?.usage ?? ZERO_USAGE });
  }

  add(member: string, usage: Usage): void {
    const known = this.members.get(member) ?? { model: "", usage: ZERO_USAGE };
    this.members.set(member, { ...known, usage: addUsage(known.usage, usage) });
  }

  get tokens(): number {
    return [...this.members.values()].reduce((sum, { usage }) => sum + totalTokens(usage), 0);
  }

  /** USD, null where a price is not known. */
  cost(models: ModelCatalog): number | null {
    return costOf(this.members.values(), models);
  }
}
