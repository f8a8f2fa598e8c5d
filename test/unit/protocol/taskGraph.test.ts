import { describe, expect, it } from "vitest";
import { type Task, taskSchema } from "../../../src/protocol/task.ts";
import {
  inProgressOf,
  isBlocked,
  nextClaimable,
  openBlockers,
  openBlockersText,
  taskGraph,
  taskViews,
  withTasks,
  wouldCycle,
} from "../../../src/protocol/taskGraph.ts";

function task(id: string, more: Partial<Task> = {}): Task {
  return taskSchema.parse({ id, subject: `Task ${id}`, status: "pending", blocks: [], blockedBy: [], ...more });
}

const everyTool = () => true;

describe("the task graph", () => {
  it("holds a task back until every blocker is completed, and keeps the edges afterwards", () => {
    const before = taskGraph([task("1", { status: "completed" }), task("2"), task("3", { blockedBy: ["1", "2"] })]);
    expect(openBlockers("3", before)).toEqual(["2"]);
    const after = taskGraph([
      task("1", { status: "completed" }),
      task("2", { status: "completed" }),
      task("3", { blockedBy: ["1", "2"] }),
    ]);
    expect(isBlocked("3", after)).toBe(false);
    expect(taskViews(after)[2]?.blockedBy).toEqual(["1", "2"]);
  });

  it("counts an edge that only one side names, and leaves out ids that are gone", () => {
    const graph = taskGraph([task("1", { blocks: ["2"] }), task("2", { blockedBy: ["99"] })]);
    expect(openBlockers("2", graph)).toEqual(["1"]);
    expect(taskViews(graph)[0]?.blocks).toEqual(["2"]);
  });

  it("holds a task back for a damaged one, of which nobody knows what it says, and offers it to nobody", () => {
    const damaged = new Set(["2"]);
    const graph = taskGraph([task("1", { blocks: ["3"] }), task("3", { blockedBy: ["2"] })], damaged);
    expect(openBlockers("3", graph)).toEqual(["1", "2"]);
    expect(openBlockersText("3", graph)).toBe("#1, #2 (damaged)");
    const after = withTasks(graph, [task("1", { status: "completed" }), task("3", { blockedBy: ["2"] })]);
    expect([isBlocked("3", after), nextClaimable(after, everyTool)]).toEqual([true, undefined]);
    expect(taskViews(after).map(({ id, blockedBy }) => [id, blockedBy])).toEqual([
      ["1", []],
      ["3", ["2"]],
    ]);
  });

  it("sees a cycle of any length and the self-edge", () => {
    const graph = taskGraph([task("1"), task("2", { blockedBy: ["1"] }), task("3", { blockedBy: ["2"] })]);
    expect(wouldCycle("1", "1", graph)).toBe(true);
    expect(wouldCycle("3", "1", graph)).toBe(true);
    expect(wouldCycle("1", "3", graph)).toBe(false);
  });

  it("offers the lowest free task by number, for which the member has the tools", () => {
    const graph = taskGraph([
      task("10"),
      task("2", { metadata: { muster: { needs: ["Edit"] } } }),
      task("1", { owner: "alice" }),
      task("3", { blockedBy: ["1"] }),
      task("4", { metadata: { _internal: true } }),
    ]);
    expect(nextClaimable(graph, everyTool)?.id).toBe("2");
    expect(nextClaimable(graph, (tool) => tool !== "Edit")?.id).toBe("10");
  });

  it("matches owners exactly", () => {
    const graph = taskGraph([task("1", { owner: "Writer", status: "in_progress" })]);
    expect(inProgressOf("Writer", graph)?.id).toBe("1");
    expect(inProgressOf("Writer-2", graph)).toBeUndefined();
  });
});
