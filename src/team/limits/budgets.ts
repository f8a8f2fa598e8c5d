import { MusterError } from "../../base/errors.ts";
import type { Hold } from "../../protocol/team.ts";
import { recordAudit } from "../audit.ts";
import type { SessionContext } from "../context.ts";
import { spentBy } from "../summary.ts";
import type { Budget, BudgetDesk, UsedBudget } from "../types.ts";
import { type Bill, knownCost } from "./cost.ts";

/** The team's own key among the names of members, none of which is empty. */
const TEAM = "";

/**
 * What a team and its members may cost. A budget that is used up holds who it is for before the next request. The person
 * raises it for this team, kept in `audit.jsonl`. Scripted models cost nothing; what has no known price is not counted.
 */
export class Budgets implements BudgetDesk {
  private readonly context: () => SessionContext;
  private readonly raised: Map<string, number>;
  private readonly usedSince = new Map<string, number>();

  /** `raised`: what the person raised budgets to, by member; the team's under an empty name. */
  constructor(context: () => SessionContext, raised: Iterable<[string, number]>) {
    this.context = context;
    this.raised = new Map(raised);
  }

  get team(): Budget | null {
    return this.budgetOf(TEAM);
  }

  member(name: string): Budget | null {
    return this.budgetOf(name);
  }

  spent(member: string | null): number {
    const { options } = this.context();
    return knownCost(this.billsOf(member ?? TEAM), options.settings.models);
  }

  get used(): UsedBudget[] {
    return keysOf(this.context()).flatMap((key) => {
      const since = this.since(key);
      const budget = this.budgetOf(key);
      return since === null || !budget ? [] : [{ ...budget, member: key === TEAM ? null : key, since }];
    });
  }

  /** Bills may have been added, or budgets raised: keeps since when those are used up that are. Called after each change. */
  look(): void {
    for (const key of keysOf(this.context())) {
      if (!this.isUsedUp(key)) this.usedSince.delete(key);
      else if (!this.usedSince.has(key)) this.usedSince.set(key, lastOf(this.billsOf(key)));
    }
  }

  /** What a used-up budget holds: the whole team (null), or a member for itself. */
  holdOf(member: string | null): Hold | null {
    const since = this.since(member ?? TEAM);
    return since === null ? null : { by: "budget", since };
  }

  async raise(member: string | null, limit: number): Promise<void> {
    const { options, lead, changes, pauses } = this.context();
    const spent = this.spent(member);
    if (!(limit > spent))
      throw new MusterError("not_allowed", `$${spent.toFixed(2)} are spent already: choose a budget above that.`);
    await recordAudit({ options, lead }, { event: "budget", member, limit, by: "person" });
    this.raised.set(member ?? TEAM, limit);
    changes.fire();
    await pauses.publish();
  }

  private budgetOf(key: string): Budget | null {
    const { settings, scripted = false } = this.context().options;
    const limit = this.raised.get(key) ?? (key === TEAM ? settings.budget.team : settings.budget.member);
    return limit === null || scripted ? null : { limit, spent: this.spent(key) };
  }

  private isUsedUp(key: string): boolean {
    const budget = this.budgetOf(key);
    return budget !== null && budget.spent >= budget.limit;
  }

  /** The time of the bill by which a budget was used up, in ms: replies that were under way may add others. */
  private since(key: string): number | null {
    return this.isUsedUp(key) ? (this.usedSince.get(key) ?? lastOf(this.billsOf(key))) : null;
  }

  private billsOf(key: string): readonly Bill[] {
    const context = this.context();
    if (key === TEAM) return spentBy(context).flatMap(({ bills }) => bills);
    const running = key === context.lead.member.name ? context.lead : context.teammates.get(key);
    return running?.member.bills ?? [];
  }
}

function keysOf({ lead, teammates }: SessionContext): string[] {
  return [TEAM, lead.member.name, ...teammates.keys()];
}

/** When the last of these bills came, in ms. */
function lastOf(bills: readonly Bill[]): number {
  return Math.max(0, ...bills.map(({ at }) => at));
}
