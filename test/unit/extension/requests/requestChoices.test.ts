import { describe, expect, it } from "vitest";
import {
  choicesOf,
  choiceTitle,
  wholeInOneLine,
  widerChoices,
} from "../../../../src/extension/requests/requestChoices.ts";
import type { AttentionItem } from "../../../../src/protocol/panel.ts";

const from = { name: "alice", displayName: "alice", color: "blue", role: "teammate" as const };
const common = { id: "1", from, createdAt: 1, said: null, task: { id: "2", subject: "Fix the table" } };

function command(text: string, rules: string[] = [], warnings: string[] = []): AttentionItem {
  const preview = { type: "command" as const, cwd: "/p", text, parts: null };
  return { ...common, kind: "permission", title: "Run npm test", tool: "Bash", preview, reason: "r", rules, warnings };
}

describe("what can be chosen without the panel", () => {
  it("is everything that the panel offers", () => {
    expect(choicesOf(command("npm test", ["Bash(npm test)"]), false).map(({ label }) => label)).toEqual([
      "Allow Once",
      "Allow for This Session",
      "Always Allow",
      "Deny…",
      "Edit…",
      "Open the Whole Request",
    ]);
    const plan: AttentionItem = {
      ...{ ...common, kind: "plan", title: "Plan: x", plan: "x", version: 1 },
      afterMode: "acceptEdits",
      modes: ["acceptEdits", "default"],
    };
    expect(choicesOf(plan, true).flatMap((choice) => (choice.do === "decide" ? [choice.decision] : []))).toEqual([
      { kind: "approve", mode: "acceptEdits" },
      { kind: "approve", mode: "default" },
    ]);
  });

  it("is only once where no rule covers the call", () => {
    expect(choicesOf(command("x"), false).map(({ label }) => label)).toEqual([
      "Allow Once",
      "Deny…",
      "Edit…",
      "Open the Whole Request",
    ]);
  });

  it("has the rule that is kept written differently, where the request shows one that may be", () => {
    const item = { ...command("npm test", ["Bash(npm test)"]), changeable: ["Bash(npm test)"] } as AttentionItem;
    expect(choicesOf(item, false).map(({ label }) => label)).toEqual([
      ...["Allow Once", "Allow for This Session", "Always Allow", "Change the Rule…"],
      ...["Deny…", "Edit…", "Open the Whole Request"],
    ]);
    expect(choicesOf(item, false)[3]).toMatchObject({ do: "changeRules", rules: ["Bash(npm test)"] });
    const ruleless = { ...command("npm test"), changeable: [] } as AttentionItem;
    expect(choicesOf(ruleless, false).map(({ label }) => label)).not.toContain("Change the Rule…");
    expect(widerChoices(["Bash(npm *)"], true).map(({ decision, detail }) => [decision, detail])).toEqual([
      [{ kind: "allow", scope: "session", rules: ["Bash(npm *)"] }, "Bash(npm *)"],
      [{ kind: "allow", scope: "always", rules: ["Bash(npm *)"] }, "Bash(npm *) · saved in your own settings"],
    ]);
    expect(widerChoices(["Bash(npm *)"], false)[0]?.decision).toEqual({ kind: "allow", scope: "session" });
  });

  it("compares a plan with the version before it, where there is one", () => {
    const labels = (version: number, opened: boolean) => {
      const plan = { ...common, kind: "plan", title: "Plan: x", plan: "x", version, modes: ["default"] };
      return choicesOf(plan as unknown as AttentionItem, opened).map(({ label }) => label);
    };
    expect(labels(2, false)).toEqual(["Open as Document", "Compare with the Version Before", "Send Back…"]);
    expect(labels(2, true)).toEqual(["Open as Document", "Compare with the Version Before", "Approve", "Send Back…"]);
    expect(labels(1, true)).toEqual(["Open as Document", "Approve", "Send Back…"]);
  });

  it("changes a command only where a field of one line shows all of it", () => {
    const edited = (item: AttentionItem) =>
      choicesOf(item, true).flatMap((choice) => (choice.do === "edit" ? choice.command : []));
    expect(edited(command("npm test -- --watch=false"))).toEqual(["npm test -- --watch=false"]);
    expect(edited(command("npm test\nrm -rf x"))).toEqual([]);
    expect(edited(command("npm test", [], ["Contains 1 invisible character: ⟨U+200B⟩."]))).toEqual([]);
  });

  it("helps a lead whose run failed: another try, another key, or another address", () => {
    const failed: AttentionItem = {
      ...common,
      kind: "answer",
      title: "x",
      text: "The key was rejected.",
      failure: "key",
    };
    expect(choicesOf(failed, false).map(({ label }) => label)).toEqual(["Try Again", "Set API Key…", "Answer…"]);
    const away: AttentionItem = { ...failed, failure: "server" };
    expect(choicesOf(away, false).map(({ label }) => label)).toEqual(["Try Again", "Set Base URL", "Answer…"]);
    const lost: AttentionItem = { ...failed, failure: "other" };
    expect(choicesOf(lost, false).map(({ label }) => label)).toEqual(["Try Again", "Answer…"]);
    const { failure: _, ...waits } = failed;
    expect(choicesOf(waits, false).map(({ label }) => label)).toEqual(["Answer…"]);
  });

  it("offers nothing but to open or to refuse what the pick does not show, and says how much that is", () => {
    const offered = (item: AttentionItem, opened = false) =>
      choicesOf(item, opened).map(({ label, detail }) => `${label} ${detail}`);
    const deny = "Deny… The member reads your reason and goes on";
    const long = command(`npm test ${"x".repeat(80)}`, ["Bash(npm test:*)"]);
    expect(offered(long)).toEqual(["Open the Whole Request Not shown here: 89 characters", deny]);
    expect(offered(long, true)[0]).toBe("Allow Once ");
    const json = { type: "json" as const, text: "x".repeat(10), omitted: 90 };
    const input: AttentionItem = { ...command(""), kind: "permission", preview: json } as AttentionItem;
    expect(offered(input)).toEqual(["Open the Whole Request Not shown here: 100 characters", deny]);
    const edit = { type: "edit" as const, path: "a", lines: [], added: 3, removed: 2, omitted: 0 };
    const change = { ...command(""), preview: edit } as AttentionItem;
    expect(offered(change)).toEqual(["Open Diff Not shown here: a change of 5 lines", deny]);
    const plan = { ...common, kind: "plan", title: "Plan: x", plan: "# x\n\ny\n", version: 1, modes: ["default"] };
    expect(offered(plan as unknown as AttentionItem)).toEqual([
      "Open as Document Not shown here: a plan of 3 lines",
      "Send Back… The member keeps planning with your comments",
    ]);
  });

  it("says one line as one, and amounts with their cents", () => {
    const edit = { type: "edit", path: "a", lines: [], added: 1, removed: 0, omitted: 0 };
    const plan = { ...common, kind: "plan", title: "Plan: x", plan: "x\n", version: 1, modes: ["default"] };
    const items = [{ ...command(""), preview: edit }, plan, command("\n")] as unknown as AttentionItem[];
    expect(items.map((item) => choicesOf(item, false)[0]?.detail)).toEqual([
      "Not shown here: a change of 1 line",
      "Not shown here: a plan of 1 line",
      "Not shown here: 1 character",
    ]);
    const budget = { ...common, kind: "budget", title: "x", member: null, spent: 0.11, limit: 0.1, next: 0.2 } as const;
    expect(choicesOf(budget, false).map(({ label }) => label)).toEqual(["Raise to $0.20", "Other Amount…"]);
  });

  it("says who asks, and for which task", () => {
    expect(choiceTitle(command("x"))).toBe("Run npm test · alice · #2 Fix the table");
    const waits = { ...common, kind: "answer", title: "alice waits for you", text: "", task: null } as AttentionItem;
    expect(choiceTitle(waits)).toBe("alice waits for you");
    const budget = { ...common, kind: "budget", task: null, spent: 2, limit: 1, next: 3 } as const;
    const ofTeam = { ...budget, member: null, title: "Raise the team's budget" };
    expect(choiceTitle(ofTeam)).toBe("Raise the team's budget");
    expect(choiceTitle({ ...budget, member: "alice", title: "Raise the budget" })).toBe("Raise the budget · alice");
  });

  it("hides no end of a command: what does not fit into a line has to be opened", () => {
    expect(wholeInOneLine(command("npm test"))).toBe("npm test");
    expect(wholeInOneLine(command(`npm test ${"x".repeat(80)}`))).toBeNull();
    expect(wholeInOneLine(command("npm test\nrm -rf x"))).toBeNull();
    expect(wholeInOneLine(command("npm test", [], ["Contains 1 invisible character: ⟨U+200B⟩."]))).toBeNull();
  });
});
