import * as vscode from "vscode";
import type { AttentionItem } from "../../protocol/panel.ts";
import { raiseBudget } from "../limits/raiseBudget.ts";
import { rowText } from "../notices/noticeText.ts";
import { checkRulesFor, decideRequest, sayTo } from "../panel/intents.ts";
import type { Services } from "../services.ts";
import type { LiveTeam } from "../teams/liveTeam.ts";
import { comparePlan } from "./comparePlan.ts";
import { askerOf } from "./requestChoices.ts";
import { reviewRequest } from "./reviewRequest.ts";

/** *Review Next Request*: the one that has waited longest. */
export async function reviewNextRequest(services: Services): Promise<void> {
  const team = services.teams.live;
  const item = team?.state().attention[0];
  if (team && item) await review(services, team, item);
  else tellNothingWaits();
}

/** *Review a Request…*: the person picks one of those that wait; a single one needs no picking. */
export async function pickRequest(services: Services): Promise<void> {
  const team = services.teams.live;
  const waiting = team?.state().attention ?? [];
  if (!team || waiting.length === 0) {
    tellNothingWaits();
    return;
  }
  const items = waiting.map((item) => ({
    label: rowText(services.say(item.title)),
    iconPath: new vscode.ThemeIcon("bell-dot"),
    description: rowText(askerOf(item) ?? ""),
    item,
  }));
  const options = { title: vscode.l10n.t("Waiting for you"), matchOnDescription: true };
  const picked = items.length > 1 ? await vscode.window.showQuickPick(items, options) : items[0];
  if (picked) await review(services, team, picked.item);
}

async function review(services: Services, team: LiveTeam, item: AttentionItem): Promise<void> {
  const { session } = team;
  const pending = (id: string) => team.requests().find((request) => request.id === id);
  await reviewRequest(item, {
    say: services.say,
    decide: (id, decision) => decideRequest(session, id, decision),
    raise: (member, to) => raiseBudget(services, { member, to }),
    answer: (text) => sayTo(session, item.from.name, text),
    open: async (id) => {
      const request = pending(id);
      if (request) await services.documents.open(request, { preserveFocus: true, from: item.from.displayName });
    },
    compare: async (id) => {
      const request = pending(id);
      if (request?.kind === "plan") await comparePlan(services, request);
    },
    checkRules: (id, rules) => checkRulesFor(session, id, rules),
    current: (id) => team.state().attention.find((one) => one.id === id),
    opened: (id) => services.documents.wasOpened(id),
  });
}

function tellNothingWaits(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t("Nothing waits for you."));
}
