import { isOwnVariable } from "./environmentNames.ts";
import { fieldAccesses } from "./fieldAccess.ts";
import { judgeAccesses } from "./fileAccess.ts";
import { judgeCommand } from "./judgeCommand.ts";
import type { ShellAssignment, ShellFile, ShellItem } from "./shell/shellItems.ts";
import { inPlan, type ShellJudge } from "./shellJudge.ts";
import type { Surroundings } from "./surroundings.ts";
import { allow, ask, type Verdict } from "./verdict.ts";

/** Judges one item of a script. */
export async function judgeItem(item: ShellItem, judge: ShellJudge): Promise<Verdict> {
  const { around, scope } = judge;
  around.signal?.throwIfAborted();
  switch (item.type) {
    case "command":
      return judgeCommand(item, judge);
    case "setting":
      return scope === "all" ? judgeSettings(item.assignments, around) : allow("It sets variables.");
    case "file":
      return scope === "all" ? judgeFile(item, around) : allow("It opens a file.");
    case "problem":
      return scope === "all" ? inPlan(ask("opaque", item.reason), around) : allow("It is not judged.");
  }
}

function judgeSettings(assignments: readonly ShellAssignment[], around: Surroundings): Verdict {
  const steering = assignments.find(({ name }) => !isOwnVariable(name, false));
  if (!steering) return allow("It sets variables of its own.");
  return inPlan(ask("opaque", `It sets ${steering.name}, which may change what runs.`), around);
}

async function judgeFile({ target, access, cwds, source }: ShellFile, around: Surroundings): Promise<Verdict> {
  const accesses = fieldAccesses(target, access, cwds);
  if (accesses) return judgeAccesses(accesses, around);
  return inPlan(ask("opaque", `Which file it opens is not known: ${source}.`), around);
}
