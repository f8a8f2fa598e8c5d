import * as vscode from "vscode";
import { errorMessage } from "../../base/errors.ts";
import type { RuleFindings } from "../../protocol/panel.ts";
import type { Decision } from "../../protocol/request.ts";
import type { Say } from "../displayLanguage.ts";
import { rowText } from "../notices/noticeText.ts";
import { widerChoices } from "./requestChoices.ts";

/** What the person is asked with, and what looks at the answer. */
export interface RuleQuestion {
  /** What asks for it. */
  title: string;
  say: Say;
  check(rules: readonly string[]): Promise<RuleFindings>;
}

/**
 * Has the person write each of these rules differently, one field after the other, then choose for how long they are kept.
 * Resolves to the decision; undefined where a field or the choice was left.
 */
export async function changeRules(rules: readonly string[], question: RuleQuestion): Promise<Decision | undefined> {
  const written: string[] = [];
  for (const [index, rule] of rules.entries()) {
    const isNeeded = index === rules.length - 1 && written.length === 0;
    const text = await askRule(rule, { index, of: rules.length, isNeeded }, question);
    if (text === undefined) return undefined;
    if (text !== "") written.push(text);
  }
  return chooseScope(written, question);
}

async function askRule(
  value: string,
  { index, of, isNeeded }: { index: number; of: number; isNeeded: boolean },
  { title, say, check }: RuleQuestion,
): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt:
      of === 1
        ? vscode.l10n.t("Rule for what is allowed from now on")
        : vscode.l10n.t("Rule {0} of {1}; an empty one is left out", index + 1, of),
    value,
    ignoreFocusOut: true,
    async validateInput(typed) {
      const rule = typed.trim();
      if (rule === "" && !isNeeded) return null;
      const found = await check(rule === "" ? [] : [rule]).catch((error: unknown) => errorMessage(error));
      if (typeof found === "string") return say(found);
      const { fault, warnings } = found;
      if (fault !== null) return say(fault);
      const message = warnings.map(say).join(" ");
      return message === "" ? null : { message, severity: vscode.InputBoxValidationSeverity.Warning };
    },
  });
  return text?.trim();
}

async function chooseScope(written: readonly string[], { title, say }: RuleQuestion): Promise<Decision | undefined> {
  const items = widerChoices(written, true).map((choice) => ({
    label: say(choice.label),
    iconPath: new vscode.ThemeIcon(choice.icon),
    description: rowText(say(choice.detail)),
    decision: choice.decision,
  }));
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  return picked?.decision;
}
