import { describe, expect, it } from "vitest";
import { placeTasks } from "../../../webview/board/layout.ts";
import { fitting } from "../../../webview/board/sizes.ts";
import { boardViewOf, NEW_BOARD } from "../../../webview/state/boardView.ts";

const task = (id: string, ...blockedBy: string[]) => ({ id, blockedBy });

describe("the places of tasks", () => {
  it("are found where tasks wait for each other in a circle, for themselves, and for tasks that are gone", () => {
    const { nodes, edges } = placeTasks([
      task("1", "3"),
      task("2", "1"),
      task("3", "2"),
      task("4", "4"),
      task("5", "99"),
    ]);
    expect([...nodes.keys()]).toEqual(["1", "2", "3", "4", "5"]);
    for (const { x, y } of nodes.values()) expect([Number.isFinite(x), Number.isFinite(y)]).toEqual([true, true]);
    expect(edges.map(({ from, to }) => `${from}>${to}`).sort()).toEqual(["1>2", "2>3", "3>1", "4>4"]);
    expect(edges.filter(({ path }) => /NaN|undefined/.test(path) || path === "")).toEqual([]);
  });

  it("never lie over each other", () => {
    const many = Array.from({ length: 80 }, (_, index) =>
      task(String(index + 1), ...[index, index - 3, index - 7].filter((before) => before > 0).map(String)),
    );
    const places = [...placeTasks(many).nodes.values()];
    const over = places.flatMap((one, index) =>
      places.slice(index + 1).filter(({ x, y }) => Math.abs(x - one.x) < 128 && Math.abs(y - one.y) < 58),
    );
    expect(over).toEqual([]);
  });
});

describe("what fits", () => {
  it("keeps the conversations that were chosen as long as it can, and the matrix as long as it is beside them", () => {
    const at = (width: number, chosen: number | null) => Object.values(fitting(width, chosen)).join(" ");
    expect([1500, 1100, 580, 579, 200].map((width) => at(width, null))).toEqual([
      ...["4 true", "2 true", "1 true", "1 false", "1 false"],
    ]);
    expect([1500, 1200, 1100, 800, 300].map((width) => at(width, 4))).toEqual([
      ...["4 true", "4 false", "3 false", "2 false", "1 false"],
    ]);
    expect(at(1100, 0)).toBe("0 true");
  });
});

describe("what was kept of the board", () => {
  it("is taken up as it was", () => {
    const board = { columns: ["a"], list: true, task: "3", plan: "plan-1", zoom: 0.5, left: 20, top: 4 };
    expect(boardViewOf(JSON.parse(JSON.stringify(board)))).toEqual(board);
  });

  it.each([null, "board", 7, [], { columns: 3, list: "yes", task: 4, zoom: "2", left: "far", top: null }])(
    "is left out where it does not look right: %j",
    (kept) => expect(boardViewOf(kept)).toEqual(NEW_BOARD),
  );

  it("keeps the graph to be seen", () => {
    expect([boardViewOf({ zoom: 1e9 }).zoom, boardViewOf({ zoom: -1 }).zoom]).toEqual([2, 0.1]);
  });
});
