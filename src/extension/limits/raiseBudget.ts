import * as vscode from "vscode";
import * as z from "zod";
import { dollars } from "../../base/dollars.ts";
import { MusterError } from "../../base/errors.ts";
import { shownName } from "../members/shownName.ts";
import type { Services } from "../services.ts";
import { requireLive } from "../teams/teams.ts";
import { budgetAmount } from "./budgetAmount.ts";

const givenSchema = z.object({ member: z.nullable(z.string()), to: z.nullable(z.number().positive()) });

/**
 * *Raise the Budget…* of the team, or of a member that is named: to a given amount, else to one that the person types.
 * One that had none gets it. Throws `unknown_member` where that member has gone, `not_ready` where the team costs nothing.
 */
export async function raiseBudget(services: Services, given: unknown): Promise<void> {
  const { session } = requireLive(services.teams);
  const { member, to } = givenSchema.safeParse(given).data ?? { member: null, to: null };
  const { budgets } = session;
  if (session.scripted)
    throw new MusterError("not_ready", "This team is scripted: it costs nothing and has no budget.");
  const budget = member === null ? budgets.team : budgets.member(member);
  const whose = session.members().find(({ name }) => name === member)?.displayName ?? null;
  if (member !== null && whose === null)
    throw new MusterError("unknown_member", `${shownName(services, member)} is not in the team any more.`);
  const amount = to ?? (await ask(whose, budgets.spent(member), budget?.limit ?? null, services.say));
  if (amount !== undefined) await budgets.raise(member, amount);
}

/** `whose`: the member's name; null: the whole team. */
async function ask(
  whose: string | null,
  spent: number,
  limit: number | null,
  say: Services["say"],
): Promise<number | undefined> {
  const soFar =
    limit === null
      ? vscode.l10n.t("${0} are spent.", spent.toFixed(2))
      : vscode.l10n.t("${0} of {1} are spent.", spent.toFixed(2), dollars(limit));
  const asked =
    whose === null
      ? vscode.l10n.t("New budget of this team, in USD:")
      : vscode.l10n.t("New budget of {0}, in USD:", whose);
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t("Raise the Budget"),
    prompt: `${soFar} ${asked}`,
    validateInput: (typed) => {
      const chosen = budgetAmount(typed, spent);
      return typeof chosen === "string" ? say(chosen) : undefined;
    },
  });
  const amount = text === undefined ? undefined : budgetAmount(text, spent);
  return typeof amount === "number" ? amount : undefined;
}
