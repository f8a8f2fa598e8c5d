import * as vscode from "vscode";
import * as z from "zod";
import { chooseAmount } from "./budgetWords.ts";
import { liveTeam } from "./memberActions.ts";
import type { Services } from "./services.ts";

const givenSchema = z.object({ member: z.nullable(z.string()), to: z.nullable(z.number().positive()) });

/** *Raise the Budget…* of the team, or of a member that is named: to a given amount, else to one that the person types. */
export async function raiseBudget(services: Services, given: unknown): Promise<void> {
  const { session } = liveTeam(services);
  const { member, to } = givenSchema.safeParse(given).data ?? { member: null, to: null };
  const { budgets } = session;
  const budget = member === null ? budgets.team : budgets.member(member);
  const amount = to ?? (await ask(budget?.spent ?? 0, budget?.limit ?? null, services.say));
  if (amount !== undefined) await budgets.raise(member, amount);
}

async function ask(spent: number, limit: number | null, say: Services["say"]): Promise<number | undefined> {
  const soFar =
    limit === null
      ? vscode.l10n.t("${0} are spent.", spent.toFixed(2))
      : vscode.l10n.t("${0} of ${1} are spent.", spent.toFixed(2), String(limit));
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t("Raise the Budget"),
    prompt: `${soFar} ${vscode.l10n.t("New budget of this team, in USD:")}`,
    validateInput: (typed) => {
      const chosen = chooseAmount(typed, spent);
      return typeof chosen === "string" ? say(chosen) : undefined;
    },
  });
  const amount = text === undefined ? undefined : chooseAmount(text, spent);
  return typeof amount === "number" ? amount : undefined;
}
