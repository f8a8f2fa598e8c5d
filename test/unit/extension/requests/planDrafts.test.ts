import { expect, it } from "vitest";
import { PlanDrafts } from "../../../../src/extension/requests/planDrafts.ts";

function memory(start: Record<string, unknown> = {}) {
  const values = new Map(Object.entries(start));
  return {
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, JSON.parse(JSON.stringify(value))),
  };
}

it("keeps what was typed to each line of a plan, and to all of it, over a reload", () => {
  const window = memory();
  const before = new PlanDrafts(window);
  before.set("p1", { line: 3, text: "N" }, ["p1"]);
  before.set("p1", { line: 3, text: "No" }, ["p1"]);
  before.set("p1", { line: null, text: "Shorter" }, ["p1"]);
  const after = new PlanDrafts(window);
  expect(after.message("p1")).toEqual({
    type: "planDrafts",
    plans: [
      {
        request: "p1",
        drafts: [
          { line: 3, text: "No" },
          { line: null, text: "Shorter" },
        ],
      },
    ],
  });
});

it("says that a plan has no draft any more, so that the other view takes its own away", () => {
  const drafts = new PlanDrafts(memory());
  drafts.set("p1", { line: 3, text: "No" }, ["p1"]);
  drafts.set("p1", { line: 3, text: "" }, ["p1"]);
  expect(drafts.message().plans).toEqual([{ request: "p1", drafts: [] }]);
});

it("keeps what was typed to a plan that does not wait for a while: it may wait again", () => {
  const drafts = new PlanDrafts(memory());
  drafts.set("p1", { line: 3, text: "No" }, ["p1"]);
  drafts.set("p2", { line: 1, text: "Yes" }, ["p2", "perm-1"]);
  expect(drafts.message("p1").plans).toEqual([{ request: "p1", drafts: [{ line: 3, text: "No" }] }]);
});

it("forgets all but the last plans that do not wait any more, and what is not its own", () => {
  const drafts = new PlanDrafts(memory({ "muster.planDrafts": { old: [{ line: 1, text: "x" }], bad: "no list" } }));
  expect(drafts.message().plans).toEqual([]);
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  for (const name of names) drafts.set(name, { line: 3, text: "No" }, [name, "p1"]);
  expect(drafts.message().plans.map(({ request }) => request)).toEqual(["p1", ...names.slice(3)]);
});
