import { describe, expect, it } from "vitest";
import { planPathIn, readVerdict } from "../../../src/demo/planLine.ts";

describe("the decision on a plan", () => {
  it.each([
    "The plan was approved (plan_approval-1@nora@till). Your mode is now acceptEdits. Carry the plan out.",
    "[Plan Approved] You can go on.",
    "Approved, although it says rejected somewhere in the plan.",
  ])("is read from: %s", (text) => {
    expect(readVerdict(text)).toEqual({ approved: true });
  });

  it.each([
    [
      "The plan was sent back (plan_approval-1@nora@till). You are still in plan mode.\nComments: Think of 0.\nAnd of 1.\nChange the plan at /r/plans/a.md, then call ExitPlanMode again.",
      "Think of 0.\nAnd of 1.",
    ],
    [
      "The plan was sent back (plan_approval-1@nora@till).\nNo comment was given.\nThen call ExitPlanMode again.",
      "No comment was given.",
    ],
    ["[Plan Rejected] \nIt would be approved with a test.", "It would be approved with a test."],
    ["The plan was not approved.\nfeedback: Shorter.", "Shorter."],
  ])("and the comments from: %s", (text, feedback) => {
    expect(readVerdict(text)).toEqual({ approved: false, feedback });
  });

  it("is undefined where there is none", () => {
    expect(readVerdict("You have left plan mode. Your plan is at /r/plans/a.md.")).toBeUndefined();
  });
});

describe("the path of a plan file", () => {
  it.each([
    ["Your plan file: /home/ann/.claude/plans/quiet-red-fox.md", "/home/ann/.claude/plans/quiet-red-fox.md"],
    [
      "Your plan file: /home/ann lee/.claude/plans/quiet-red-fox.md\nMore.",
      "/home/ann lee/.claude/plans/quiet-red-fox.md",
    ],
    ["Write it to `/tmp/a b/plans/x-y-z.md`, then call it.", "/tmp/a b/plans/x-y-z.md"],
    ["The plan (C:\\Users\\ann\\plans\\x-y-z.md) is missing.", "C:\\Users\\ann\\plans\\x-y-z.md"],
    ["Your plan file: not made yet", undefined],
  ])("is found in: %s", (text, path) => {
    expect(planPathIn(text)).toBe(path);
  });
});
