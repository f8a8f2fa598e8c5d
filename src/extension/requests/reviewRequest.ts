import * as vscode from "vscode";
import { dollars } from "../../base/dollars.ts";
import { MusterError } from "../../base/errors.ts";
import type { AttentionItem, RuleFindings } from "../../protocol/panel.ts";
import type { Decision } from "../../protocol/request.ts";
import type { Say } from "../displayLanguage.ts";
import { rowText } from "../notices/noticeText.ts";
import { sayAttention } from "../panel/sayPanel.ts";
import { changeRules } from "./changeRules.ts";
import { type Choice, choicesOf, choiceTitle, wholeInOneLine } from "./requestChoices.ts";

/** What a review does, besides asking. */
export interface ReviewPorts {
  /** Our own sentences in the display language. */
  say: Say;
  decide(id: string, decision: Decision): Promise<void>;
  answer(text: string): Promise<void>;
  raise(member: string | null, to: number | null): Promise<void>;
  /** Opens the request's document beside the pick; the pick keeps the focus. */
  open(id: string): Promise<void>;
  /** Opens a plan beside the one before it. */
  compare(id: string): Promise<void>;
  /** What there is to say of rules that the person writes for it. */
  checkRules(id: string, rules: readonly string[]): Promise<RuleFindings>;
  /** Whether this window has opened it. */
  opened(id: string): boolean;
  /** The request as it waits now; undefined: it does not any more. */
  current(id: string): AttentionItem | undefined;
}

interface ChoiceItem extends vscode.QuickPickItem {
  choice: Choice | null;
}

/** Asks the person for a decision in a quick pick, without any webview. Nothing is decided when it is left. */
export async function reviewRequest(asked: AttentionItem, ports: ReviewPorts): Promise<void> {
  const item = sayAttention(asked, ports.say);
  const line = wholeInOneLine(item);
  const opened = ports.opened(item.id);
  const picked = await vscode.window.showQuickPick(pickItems(item, { line, opened }, ports.say), {
    title: choiceTitle(item),
    placeHolder: placeHolder(item, opened),
    ignoreFocusOut: true,
  });
  if (picked?.choice) await follow(picked.choice, item, ports);
}

interface Shown {
  /** All that the request is about, where a row has room for it. */
  line: string | null;
  opened: boolean;
}

function pickItems(item: AttentionItem, { line, opened }: Shown, say: Say): ChoiceItem[] {
  const choices = choicesOf(item, opened).map(
    (choice): ChoiceItem => ({
      label: say(choice.label),
      iconPath: new vscode.ThemeIcon(choice.icon),
      description: rowText(say(choice.detail)),
      choice,
    }),
  );
  if (line === null) return choices;
  return [{ label: line, kind: vscode.QuickPickItemKind.Separator, choice: null }, ...choices];
}

function placeHolder(item: AttentionItem, opened: boolean): string {
  if (item.kind === "permission") return [...item.warnings, item.reason].join(" ");
  if (item.kind === "budget")
    return vscode.l10n.t("${0} of {1} are spent.", item.spent.toFixed(2), dollars(item.limit));
  if (item.kind === "answer") return item.text.slice(0, 300);
  return opened
    ? vscode.l10n.t("The plan is open in the editor.")
    : vscode.l10n.t("Read the plan, then approve it or send it back.");
}

/** Asks about a request that was opened: as it waits now, for another member may have changed its file meanwhile. */
async function askAgain(id: string, ports: ReviewPorts): Promise<void> {
  const item = ports.current(id);
  if (!item) throw new MusterError("not_ready", "This request does not wait any more: it was decided or withdrawn.");
  return reviewRequest(item, ports);
}

async function follow(choice: Choice, item: AttentionItem, ports: ReviewPorts): Promise<void> {
  switch (choice.do) {
    case "decide":
      return ports.decide(item.id, choice.decision);
    case "open":
      await ports.open(item.id);
      return askAgain(item.id, ports);
    case "compare":
      await ports.compare(item.id);
      return askAgain(item.id, ports);
    case "changeRules": {
      const check = (rules: readonly string[]) => ports.checkRules(item.id, rules);
      const decision = await changeRules(choice.rules, { title: choiceTitle(item), say: ports.say, check });
      if (decision) await ports.decide(item.id, decision);
      return;
    }
    case "tryAgain":
      return ports.answer(vscode.l10n.t("Try again."));
    case "setKey":
      await vscode.commands.executeCommand("muster.setApiKey");
      return;
    case "setServer":
      await vscode.commands.executeCommand("muster.setBaseUrl");
      return;
    case "deny": {
      const reason = await ask(item, vscode.l10n.t("Reason, optional"));
      if (reason !== undefined) await ports.decide(item.id, { kind: "deny", ...(reason === "" ? {} : { reason }) });
      return;
    }
    case "edit": {
      const command = await ask(item, vscode.l10n.t("Command to run instead"), choice.command);
      if (command) await ports.decide(item.id, { kind: "allow", scope: "once", updatedInput: { command } });
      return;
    }
    case "sendBack": {
      const feedback = await ask(item, vscode.l10n.t("What should change"));
      if (feedback) await ports.decide(item.id, { kind: "reject", feedback });
      return;
    }
    case "raise":
      if (item.kind === "budget") await ports.raise(item.member, choice.to);
      return;
    case "answer": {
      const text = await ask(item, vscode.l10n.t("Write to {0}", item.from.displayName));
      if (text) await ports.answer(text);
      return;
    }
  }
}

async function ask(item: AttentionItem, prompt: string, value = ""): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({ title: choiceTitle(item), prompt, value, ignoreFocusOut: true });
  return text?.trim();
}
