import type { Decision } from "../../protocol/request.ts";
import type { Policy } from "./approver.ts";

/**
 * `--approve all`: everything that asks, except what no mode may allow (protected files, critical removals). Deny rules
 * do not ask, so nothing that they match comes here.
 */
export function approveAll(): Policy {
  return (request) => {
    if (request.kind === "plan") return { decision: { kind: "approve", mode: request.afterMode } };
    if (!request.guarded) return { decision: { kind: "allow", scope: "once" } };
    return {
      decision: deny(`Only a person may allow this, and none watches this run (--approve all). ${request.reason}`),
    };
  };
}

/** Why nobody decides: as the flag says, or since nothing more comes on standard input. */
export type NobodyDecides = "flag" | "input_ended";

/** `--approve none`: permissions denied, a member's first plan sent back, its second one ends it as failed. */
export function approveNone(why: NobodyDecides): Policy {
  const { denied, sentBack, nobody, failure } = SENTENCES[why];
  const plans = new Map<string, number>();
  return (request) => {
    if (request.kind === "permission") return { decision: deny(denied) };
    const count = (plans.get(request.from) ?? 0) + 1;
    plans.set(request.from, count);
    if (count === 1) return { decision: { kind: "reject", feedback: sentBack } };
    return { decision: { kind: "reject", feedback: nobody }, failMember: failure(request.from) };
  };
}

interface Sentences {
  denied: string;
  sentBack: string;
  nobody: string;
  failure(member: string): string;
}

const SENTENCES: Readonly<Record<NobodyDecides, Sentences>> = {
  flag: {
    denied:
      "Nobody watches this run, and it allows nothing that asks (--approve none). Find a way without it, or report what is missing.",
    sentBack:
      "Nobody watches this run, and it approves no plans (--approve none). Report to the lead what you found instead.",
    nobody: "Nobody approves plans in this run (--approve none).",
    failure: (member) => `${member} needs a plan approved, and this run approves none (--approve none).`,
  },
  input_ended: {
    denied:
      "Standard input has ended, so nobody decides any more, and nothing that asks is allowed. Find a way without it, or report what is missing.",
    sentBack: "Standard input has ended, so nobody approves plans any more. Report to the lead what you found instead.",
    nobody: "Standard input has ended, so nobody approves plans any more.",
    failure: (member) => `${member} needs a plan approved, and standard input has ended.`,
  },
};

function deny(reason: string): Decision {
  return { kind: "deny", reason };
}
