import stringWidth from "fast-string-width";
import { describe, expect, test } from "vitest";
import { makeStyle } from "../../../src/cli/render/style.ts";
import { requestText, restOfRequest } from "../../../src/cli/run/requestText.ts";
import type { PendingRequest } from "../../../src/protocol/request.ts";

const style = makeStyle(false);
const asked = { id: "r", from: "bob", createdAt: 1, task: "3", said: null };
const permission = (tool: string, input: Record<string, unknown>): PendingRequest => ({
  ...{ kind: "permission", ...asked, tool, toolUseId: "t", input, cwd: `/tmp/${"deep/".repeat(12)}project` },
  ...{ description: tool, reason: "Nothing allows it.", parts: null, guarded: false, suggestions: [] },
});
const plan = (planContent: string): PendingRequest => ({
  ...{ kind: "plan", ...asked, planFilePath: "/p.md", planContent, version: 2, afterMode: "default" },
});
const code = "export const price = pieces.reduce((sum, piece) => sum + piece.price, 0);";

describe.each([10, 16, 20, 40, 80])("a request on a terminal of %i columns", (width) => {
  test.each([
    permission("Bash", { command: "npm test" }),
    permission("Write", { file_path: `/tmp/${"deep/".repeat(20)}a.ts`, content: `${code}\n\n${code}` }),
    permission("WebFetch", { url: `https://example.org/${"deep/".repeat(20)}`, prompt: "read" }),
    plan("# Plan\n\n- Mend the price of several pieces, and check it\n"),
  ])("has no line that is wider, and what goes on of one is indented", (request) => {
    const lines = requestText(request, "the-baker-of-the-corner", width, style).split("\n");
    expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
    expect(lines.slice(1).filter((line) => !line.startsWith("  "))).toEqual([]);
  });
});

test("the first line says how many more wait, of a plan too", () => {
  const head = (request: PendingRequest, others: number) =>
    requestText(request, "bob", 90, style, others).split("\n")[0];
  expect(head(permission("Bash", { command: "ls" }), 0)).toBe("bob asks to use Bash (task #3)");
  expect(head(permission("Bash", { command: "ls" }), 1)).toBe("bob asks to use Bash (task #3) · 1 more waits");
  expect(head(plan("It"), 2)).toBe("bob asks to approve a plan, version 2 (task #3) · 2 more wait");
});

test("a line of a change has its mark once, an empty one too", () => {
  const lines = requestText(permission("Write", { file_path: "/a.ts", content: `${code}\n\nlast` }), "bob", 40, style);
  expect(lines).toContain(
    "  + export const price =\n    pieces.reduce((sum, piece) => sum +\n    piece.price, 0);\n  + \n  + last",
  );
});

test("the rest of a change is as narrow", () => {
  const content = `${"short\n".repeat(2_000)}${code}`;
  const rest = restOfRequest(permission("Write", { file_path: "/a.ts", content }), 40, style);
  expect(rest?.text).toBe("  + export const price =\n    pieces.reduce((sum, piece) => sum +\n    piece.price, 0);");
});

test("an item of a plan goes on below its first word", () => {
  expect(requestText(plan("- Mend the price of several pieces"), "bob", 24, style)).toBe(
    "bob asks to approve a\n  plan, version 2 (task\n  #3)\n  │ - Mend the price of\n  │   several pieces",
  );
});
