import type { PermissionSuggestion } from "../protocol/request.ts";

/**
 * Why a part asks, weakest first:
 * `plain`: nothing allows it, so the mode may;
 * `opaque`: the text does not show what would run, so a deny rule might be missed;
 * `rule`: an ask rule matches;
 * `guarded`: protected files, devices, critical removals, invisible characters: no mode allows them.
 */
export type AskKind = "plain" | "opaque" | "rule" | "guarded";

/** The judgement of one part of a call, before the mode has its say. `rule`: text of the rule that matched. */
export type Verdict =
  | { behavior: "allow"; rule: string | null; reason: string }
  | { behavior: "ask"; kind: AskKind; rule: string | null; reason: string; suggestions: PermissionSuggestion[] }
  | { behavior: "deny"; rule: string | null; reason: string };

/** It may run. */
export function allow(reason: string, rule: string | null = null): Verdict {
  return { behavior: "allow", rule, reason };
}

/** It does not run, in any mode. */
export function deny(reason: string, rule: string | null = null): Verdict {
  return { behavior: "deny", rule, reason };
}

/** Somebody has to decide, unless the mode does. */
export function ask(
  kind: AskKind,
  reason: string,
  more: { rule?: string; suggestions?: PermissionSuggestion[] } = {},
): Verdict {
  return { behavior: "ask", kind, rule: more.rule ?? null, reason, suggestions: more.suggestions ?? [] };
}

/**
 * The verdict that decides for all; of equals the first, but an allowance that a rule gives before one without a rule, and
 * of those the last: what comes first says no more than that nothing speaks against it.
 */
export function worst(verdicts: readonly [Verdict, ...Verdict[]]): Verdict {
  return verdicts.reduce((sofar, next) =>
    weight(next) > weight(sofar) || (weight(next) === 0 && weight(sofar) === 0) ? next : sofar,
  );
}

const ASK_WEIGHT: Readonly<Record<AskKind, number>> = { plain: 1, opaque: 2, rule: 3, guarded: 4 };

function weight(verdict: Verdict): number {
  switch (verdict.behavior) {
    case "allow":
      return verdict.rule === null ? 0 : 0.5;
    case "ask":
      return ASK_WEIGHT[verdict.kind];
    case "deny":
      return 5;
  }
}
